"""Independent rewriters: scour and svgo, programs of other people that write a drawing in fewer characters.

Both are optional (`pip install scour`, `npm install svgo`). They run at full number precision and without the parts
that restructure. A pair that renders equal has to pass, one that does not has to fail. Pairs in which the program
took away or replaced elements, ids, attributes that say something, or path commands are told apart and not counted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vbench_env.audit.cases import Subject
from vbench_env.audit.pixels import SHARE, share_changed
from vbench_env.audit.report import Finding, ProgramTally
from vbench_env.audit.verdicts import explain
from vbench_env.errors import ConfigError
from vbench_env.scoring.scorer import score_problem
from vbench_env.svg.parse import XLINK_HREF, Document, Node, parse
from vbench_env.svg.path_data import PathError, read_path
from vbench_env.svg.schema import HREF_INHERITED
from vbench_env.svg.values import parse_points

RENDERED_PX = 512
Outputs = list[bytes | None]

_SCOUR = (
    "--keep-editor-data --keep-unreferenced-defs --disable-group-collapsing --disable-embed-rasters "
    "--set-precision=15 --set-c-precision=15 --no-renderer-workaround --quiet"
)
SCOUR_OPTIONS = {
    "colours and numbers": f"{_SCOUR} --disable-style-to-xml",
    "style to attributes": _SCOUR,
    "short": f"{_SCOUR} --strip-xml-prolog --enable-comment-stripping --no-line-breaks --disable-style-to-xml",
}

_PRECISE: dict[str, object] = {"floatPrecision": 15}
_PATHS: dict[str, object] = {
    **_PRECISE, "applyTransforms": False, "makeArcs": False, "straightCurves": False, "convertToQ": False,
    "convertToZ": False, "removeUseless": False, "collapseRepeated": False, "smartArcRounding": False,
}  # fmt: skip
_TRANSFORMS: dict[str, object] = {
    "floatPrecision": 15, "degPrecision": 15, "transformPrecision": 15, "removeUseless": True,
}  # fmt: skip
SVGO_PLUGINS: dict[str, dict[str, object]] = {
    "cleanupNumericValues": _PRECISE,
    "convertColors": {},
    "convertPathData": _PATHS,
    "convertTransform": _TRANSFORMS,
    "minifyStyles": {"usage": False, "restructure": False},
    "convertStyleToAttrs": {},
    "sortAttrs": {},
    "removeComments": {"preservePatterns": False},
    "removeDoctype": {},
    "removeXMLProcInst": {},
    "removeUnusedNS": {},
    "removeXlink": {},
    "moveElemsAttrsToGroup": {},
}


def _scour(svgs: Sequence[bytes], options: str) -> Outputs:
    from scour import scour

    chosen, _ = scour.parse_args([*options.split()]), None
    out: Outputs = []
    for svg in svgs:
        try:
            out.append(scour.scourString(svg.decode("utf-8"), scour.sanitizeOptions(chosen)).encode())
        except Exception:  # whatever another program cannot read is no case
            out.append(None)
    return out


def _svgo_command() -> list[str]:
    own = os.environ.get("VBENCH_ENV_SVGO") or shutil.which("svgo") or "node_modules/.bin/svgo"
    if not shutil.which(own):
        raise ConfigError(
            "svgo is not installed; `npm install svgo` here, or set VBENCH_ENV_SVGO to its path"
        )
    return [own]


def _svgo(svgs: Sequence[bytes], options: str) -> Outputs:
    names = list(SVGO_PLUGINS) if options == "all of them" else [options]
    plugins = [{"name": name, "params": SVGO_PLUGINS[name]} for name in names]
    with tempfile.TemporaryDirectory(prefix="vbench-svgo-") as folder:
        config, before, after = (Path(folder) / name for name in ("svgo.config.cjs", "before", "after"))
        config.write_text(f"module.exports = {json.dumps({'multipass': False, 'plugins': plugins})};\n")
        before.mkdir()
        for number, svg in enumerate(svgs):
            (before / f"{number}.svg").write_bytes(svg)
        command = [*_svgo_command(), "--quiet", "--config", str(config), "-f", str(before), "-o", str(after)]
        subprocess.run(command, check=False, capture_output=True)
        written = [after / f"{number}.svg" for number in range(len(svgs))]
        return [path.read_bytes() if path.exists() else None for path in written]


PROGRAMS: dict[str, tuple[Callable[[Sequence[bytes], str], Outputs], dict[str, str]]] = {
    "scour": (_scour, SCOUR_OPTIONS),
    "svgo": (_svgo, {name: name for name in (*SVGO_PLUGINS, "all of them")}),
}


def check_program(name: str) -> None:
    """Raise a `ConfigError` that says what to do when a program is unknown or not installed."""
    if name not in PROGRAMS:
        raise ConfigError(f"unknown program {name!r}; known: {', '.join(PROGRAMS)}")
    if name == "svgo":
        _svgo_command()
    else:
        try:
            import scour as _  # noqa: F401
        except ImportError:
            raise ConfigError("scour is not installed; `pip install scour`") from None


@dataclass(slots=True)
class _Counts:
    same_passed: int = 0
    same_rejected: int = 0
    other_rejected: int = 0
    other_accepted: int = 0
    not_counted: int = 0
    unread: int = 0


def program_cases(name: str, subjects: Sequence[Subject]) -> Iterator[tuple[ProgramTally, list[Finding]]]:
    """What a program makes of every drawing, one row for each set of options."""
    run, options = PROGRAMS[name]
    sources = [_as_bytes(subject.target) for subject in subjects]
    for title, chosen in options.items():
        counts, findings = _Counts(), []
        for subject, written in zip(subjects, run(sources, chosen), strict=True):
            finding = _one(f"{name}: {title}", subject, written, counts)
            if finding is not None:
                findings.append(finding)
        yield _row(name, title, counts), findings


def _row(name: str, title: str, counts: _Counts) -> ProgramTally:
    return ProgramTally(
        program=name, options=title, same_passed=counts.same_passed, same_rejected=counts.same_rejected,
        other_rejected=counts.other_rejected, other_accepted=counts.other_accepted, not_counted=counts.not_counted,
        unread=counts.unread,
    )  # fmt: skip


def _one(title: str, subject: Subject, written: bytes | None, counts: _Counts) -> Finding | None:
    share = None if written is None else share_changed(subject.target, written, RENDERED_PX)
    if written is None or share is None:
        counts.unread += 1
        return None
    own, card = subject.problem.target, score_problem(subject.problem, written)
    if share <= SHARE if card.reward else share > 0.0:
        counts.same_passed += card.reward
        counts.other_rejected += 1 - card.reward
        return None
    if hidden_from_pictures(own) or (not card.reward and restructured(own, parse(written))):
        counts.not_counted += 1
        return None
    if card.reward:
        counts.other_accepted += 1
        return _found("false accept", title, subject, written, f"{share:.5f} of the picture differs")
    counts.same_rejected += 1
    return _found("false reject", title, subject, written, explain(card))


def _found(trouble: str, title: str, subject: Subject, written: bytes, said: str) -> Finding:
    return Finding(
        case=-1, drawing=subject.name, trouble=trouble, said=said, done=(title,), target=_text(subject.target),
        candidate=_text(written),
    )  # fmt: skip


def _text(svg: str | bytes) -> str:
    return svg if isinstance(svg, str) else svg.decode("utf-8", "backslashreplace")


def _as_bytes(svg: str | bytes) -> bytes:
    return svg.encode() if isinstance(svg, str) else svg


def restructured(target: Document, written: Document) -> bool:
    """Whether a program replaced or dropped what the evaluator compares as data, by intent.

    Elements, ids, names of foreign and `data-*` attributes with their values, path commands, the number of points,
    where transforms stand, what a gradient says beside a link to another one, and the text of style sheets with
    rules that are not evaluated.
    """
    if written.root is None or len(target.nodes) != len(written.nodes):
        return True
    pairs = zip(target.nodes, written.nodes, strict=True)
    return any(one.tag != other.tag or _data(one) != _data(other) for one, other in pairs)


def _data(node: Node) -> tuple[object, ...]:
    attrs, commands = node.attrs, read_path(node.attrs.get("d", ""))
    letters = "" if isinstance(commands, PathError) else "".join(command.letter for command in commands)
    foreign = node.tag[0] == "{"
    kept = {
        name: "" if name == "id" else value
        for name, value in attrs.items()
        if foreign or name == "id" or (name.startswith(("data-", "aria-", "{")) and name != XLINK_HREF)
    }
    linked = sorted(attrs) if node.tag in HREF_INHERITED and {"href", XLINK_HREF} & set(attrs) else ()
    sheet = (
        node.text if node.tag == "style" and ("@" in node.text or ":" in node.text.partition("{")[0]) else ""
    )
    return (
        letters,
        len(parse_points(attrs.get("points", "")) or ()),
        "transform" in attrs,
        kept,
        linked,
        sheet,
    )


_UNITLESS = re.compile(r"(?:font-size|letter-spacing|word-spacing|baseline-shift)\s*:\s*[\d.]+\s*(?:;|$)")


def hidden_from_pictures(document: Document) -> bool:
    """Whether the renderer shows something else than the specification says, or nothing of it.

    HTML is not drawn, rules for states (`:hover`) are not applied, a number without unit in `style`, which CSS
    ignores, is, and `currentColor` is the colour of the element that says it, not of the one that inherits it.
    """
    return any(
        node.tag == "foreignObject"
        or (node.tag == "style" and ":hover" in node.text)
        or _UNITLESS.search(node.attrs.get("style", ""))
        or any("currentcolor" in value.lower() for value in node.attrs.values())
        for node in document.nodes
    )
