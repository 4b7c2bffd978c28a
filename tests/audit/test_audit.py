"""A short slice of the audit: no verdict is wrong, weaknesses that are planted are found, reports repeat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources import PLAIN
from vbench_env.audit import AuditConfig, AuditReport, audit
from vbench_env.audit.cases import Subject, build, plan_of
from vbench_env.audit.report import Tally
from vbench_env.audit.shrink import shrunk
from vbench_env.audit.verdicts import Judged, judged
from vbench_env.errors import ConfigError
from vbench_env.scoring import SURGICAL
from vbench_env.scoring.rules import Rules

GALLERY = {
    "plain.svg": PLAIN,
    "rules.svg": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60">
      <style>.a{fill:#c0392b;stroke-width:2} .b{opacity:.5}</style>
      <g id="row"><rect id="one" class="a" width="10" height="10"/><rect class="a b" x="20" width="10" height="10"/></g>
      <text id="words" x="5" y="50" font-size="8">Ice <tspan font-weight="bold">cream</tspan></text>
    </svg>""",
    "links.svg": """<svg xmlns="http://www.w3.org/2000/svg"
      xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 90 90">
      <defs><symbol id="leaf" viewBox="0 0 10 10"><path d="M0 5A5 5 0 0 1 10 5A5 5 0 0 1 0 5Z"/></symbol>
      <symbol id="petal" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol>
      <linearGradient id="dusk"><stop offset=".2" stop-color="#123"/>
      <stop offset="1" stop-color="tomato"/></linearGradient>
      <linearGradient id="dawn" xlink:href="#dusk" x2=".5"/></defs>
      <rect width="90" height="90" fill="url(#dusk)"/>
      <use xlink:href="#leaf" width="20" height="20" fill="#2a7"/><use href="#petal" x="40" width="20" height="20"/>
      <g stroke="#333" stroke-dasharray="3">
      <line x1="5" y1="70" x2="80" y2="70"/><line x1="5" y1="80" x2="80" y2="80"/></g>
      <polygon points="10,60 20,40 30,60" transform="rotate(10 20 50)" data-kind="hill" aria-label="Hill"/>
    </svg>""",
}


ROW = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 10">
  <rect width="5" height="5"/><rect x="10" width="5" height="5" fill="red"/><rect x="20" width="5" height="5"/>
  <circle cx="35" cy="5" r="3"/><rect x="50" width="5" height="5" fill="blue"/><circle cx="75" cy="5" r="3"/>
</svg>"""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    for name, text in GALLERY.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "broken.svg").write_text("<svg", encoding="utf-8")
    (folder / "page.svg").write_text("<html/>", encoding="utf-8")
    return folder


def told(report: AuditReport) -> str:
    return "\n".join(f"{f.trouble}: {f.done} {f.said}\n{f.target}\n{f.candidate}" for f in report.findings)


def test_no_verdict_on_a_gallery_is_wrong(gallery: Path) -> None:
    report = audit(AuditConfig(folder=gallery, cases=700, seed=11, pictures=25))
    assert report.drawings == len(GALLERY)
    assert report.cases == 700
    assert report.ok, told(report)


def test_no_verdict_on_shipped_tasks_is_wrong() -> None:
    report = audit(AuditConfig(corpus="vbench-40", cases=60, seed=12, pictures=0))
    assert report.ok, told(report)


def test_a_report_repeats_in_any_number_of_processes(gallery: Path) -> None:
    config = AuditConfig(folder=gallery, cases=260, seed=3, pictures=6)
    one = audit(config).model_dump(exclude={"seconds", "scoring_seconds"})
    two = audit(config.model_copy(update={"jobs": 2})).model_dump(exclude={"seconds", "scoring_seconds"})
    one["config"].pop("jobs"), two["config"].pop("jobs")
    assert json.dumps(one) == json.dumps(two)


def troubles(rules: Rules, svg: str, cases: int = 400) -> list[Judged]:
    """What goes wrong when a rule set is weaker than `surgical`."""
    subject = Subject("weak", svg, rules)
    plans = (plan_of(5, number, subject) for number in range(cases))
    found = (judged(subject, case) for plan in plans if (case := build(subject, plan)) is not None)
    return [item for item in found if item.trouble in ("false reject", "false accept")]


@pytest.mark.parametrize(
    ("weakness", "trouble"),
    [
        ({"metadata": "ignored"}, "false accept"),
        ({"nesting": "plain-groups"}, "false accept"),
        ({"order": "overlap"}, "false accept"),
        ({"attribute_names": "local"}, "false accept"),
        ({"color_form": "basic"}, "false reject"),
        ({"path_form": "tokens"}, "false reject"),
        ({"transform_form": "functions"}, "false reject"),
        ({"style_storage": "literal"}, "false reject"),
        ({"defaults": "explicit"}, "false reject"),
        ({"id_renaming": "literal"}, "false reject"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else value,
)
def test_a_planted_weakness_is_found(weakness: dict[str, str], trouble: str) -> None:
    found = troubles(SURGICAL.vary(**weakness), ROW if "order" in weakness else GALLERY["links.svg"])
    assert trouble in {item.trouble for item in found}


def test_a_finding_is_made_small() -> None:
    subject = Subject("weak", GALLERY["links.svg"], SURGICAL.vary(color_form="basic"))
    found = troubles(subject.rules, GALLERY["links.svg"])[0]
    small, again = shrunk(subject, found)
    assert again.trouble == found.trouble
    assert len(again.case.plan.steps) == 1
    assert len(small.target) < len(subject.target)


def test_intervals_are_exact() -> None:
    none = Tally.of(0, 3000)
    assert (none.low, none.wrong) == (0.0, 0)
    assert none.high == pytest.approx(0.001229, abs=1e-5)
    some = Tally.of(5, 100)
    assert some.low == pytest.approx(0.01643, abs=1e-4)
    assert some.high == pytest.approx(0.11283, abs=1e-4)
    assert Tally.of(0, 0).high == 1.0


def test_an_audit_needs_one_source(gallery: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="either a corpus of tasks or a folder"):
        audit(AuditConfig(cases=1))
    with pytest.raises(ConfigError, match="either a corpus of tasks or a folder"):
        audit(AuditConfig(corpus="vbench-40", folder=gallery, cases=1))
    with pytest.raises(ConfigError, match="holds no SVG file that can be read"):
        audit(AuditConfig(folder=tmp_path, cases=1))
