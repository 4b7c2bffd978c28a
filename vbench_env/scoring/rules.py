"""Rule sets as data.

A `Rules` value decides every choice of the evaluator. `published` judges as the Vector-Bench evaluator
`semantic-perceptual-binary-2026-07-21` does; `surgical`, the default, judges as CSS and SVG define sameness.
Each switch can be varied alone: `SURGICAL.vary(nesting="plain-groups")`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.svg.parse import Limits


class Rules(BaseModel):
    """One rule set. The first ten fields are the families that an ablation varies one at a time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Literal["text", "resolved"] = "resolved"
    """Elements compare by their normalised text (no cascade, no computed values); or by what they mean."""
    name: str
    """`published`, `surgical`, or `surgical+nesting=plain-groups` for a variation."""

    id_renaming: Literal["literal", "aligned", "bijection"] = "bijection"
    """Ids compare as written; or drop out for pairs of the aligned trees; or under one document-wide bijection."""
    style_storage: Literal["literal", "merged", "css"] = "css"
    """`style` declarations and attributes are apart; the same, style winning; the same where CSS accepts them."""
    cascade: Literal["none", "computed"] = "computed"
    """Style sheets are text; or rules apply and inherited properties compare as computed."""
    path_form: Literal["tokens", "geometry"] = "geometry"
    """Path data compares token by token; or in absolute normal form."""
    transform_form: Literal["functions", "matrix"] = "matrix"
    """Transforms compare function by function; or as matrices."""
    color_form: Literal["basic", "css"] = "css"
    """Hex, rgb(int) and 18 names; or every CSS Color 4 spelling."""
    defaults: Literal["explicit", "computed"] = "computed"
    """An attribute written with its initial value is a difference; or no difference."""
    nesting: Literal["strict", "plain-groups"] = "strict"
    """Every `<g>` counts; or groups without attributes are transparent."""
    order: Literal["strict", "overlap"] = "strict"
    """Any reordering counts; or only that of siblings whose painted boxes overlap."""
    metadata: Literal["strict", "no-aria", "ignored"] = "strict"
    """`aria-*`, `role`, `class`, `data-*`, `title`, `desc`: all count; all but `aria-*`; none."""

    number_form: Literal["decimal", "tolerant"] = "tolerant"
    """Numbers agree as decimals; or within 1e-6 of the viewBox diagonal as drawn."""
    attribute_names: Literal["local", "qualified"] = "qualified"
    """Attributes match by local name, the later of two counting; or by namespace and name."""
    text_space: Literal["collapsed", "svg"] = "svg"
    """White space in text collapses everywhere; or as `xml:space` and `white-space` say."""
    reading: Literal["stored", "computed"] = "computed"
    """A repaired value is read where it is stored, camelCase spellings too; or as computed."""
    mask: Literal["property", "component"] = "component"
    """A repair frees its whole property or object; or no more than it needs, and a move made by `transform`."""
    path_distance: Literal["segment-parameter", "arc-length"] = "arc-length"
    """How positions along a path are chosen, and whether spurs between samples count."""
    tolerances: Literal["published", "extended"] = "extended"
    """The published tolerance table; or with the families that it lacks."""
    insertion: Literal["attributes", "computed"] = "computed"
    """An inserted object is found by id and compared by attributes; or by best match and computed properties."""
    grammar: Literal["published", "svg"] = "svg"
    """Validity by the published checks; or by the SVG and CSS grammars, SVG namespace included."""
    security: bool = True
    """Nothing that executes, fetches or reads outside the document may be introduced."""
    introduced_only: bool = True
    """Faults that the corrupted document already has are not held against the candidate."""
    tolerance_scale: float = 1.0
    """Factor k of a sensitivity study: min(k * t, 0.9 * delta)."""
    limits: Limits = Limits()

    def vary(self, **switches: Any) -> Rules:
        """This rule set with some switches changed; the name says which."""
        unknown = set(switches) - set(Rules.model_fields)
        if unknown:
            raise UnknownName("rule switch", sorted(unknown)[0], Rules.model_fields)
        changed = ",".join(f"{key}={value}" for key, value in sorted(switches.items()))
        try:
            return Rules.model_validate({**self.model_dump(), **switches, "name": f"{self.name}+{changed}"})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ConfigError(f"rule switch {where}: {first['msg']}, not {first['input']!r}") from None


SURGICAL = Rules(name="surgical")
PUBLISHED = Rules(
    name="published", form="text", id_renaming="aligned", style_storage="merged", cascade="none", path_form="tokens",
    transform_form="functions", color_form="basic", defaults="explicit", nesting="strict", order="strict",
    metadata="no-aria", number_form="decimal", attribute_names="local", text_space="collapsed",
    reading="stored", mask="property", path_distance="segment-parameter", tolerances="published",
    insertion="attributes", grammar="published", security=False, introduced_only=False,
)  # fmt: skip

RULE_SETS = {"surgical": SURGICAL, "published": PUBLISHED}


def get_rules(rules: str | Rules) -> Rules:
    """A rule set by name, varied as in `surgical+tolerance_scale=0.5,nesting=plain-groups`, or the value itself."""
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise ConfigError(f"rules must be a name or a Rules value, not {type(rules).__name__}")
    name, plus, changes = rules.partition("+")
    if name not in RULE_SETS:
        raise UnknownName("rule set", name, RULE_SETS)
    return RULE_SETS[name].vary(**dict(map(_switch, changes.split(",")))) if plus else RULE_SETS[name]


def _switch(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(
            f"a varied rule set is written surgical+SWITCH=VALUE,SWITCH=VALUE; {text!r} has no value"
        )
    return key.strip(), value.strip()
