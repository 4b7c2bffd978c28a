# ruff: noqa: E501
"""SVG files of many forms: what editors, exporters and people really write, and a folder of real ones."""

from __future__ import annotations

import os
from pathlib import Path

SVG = "http://www.w3.org/2000/svg"

PLAIN = f"""<svg xmlns="{SVG}" viewBox="0 0 100 100" width="200" height="200">
  <title>Plain</title>
  <defs>
    <linearGradient id="sky"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#0af"/></linearGradient>
  </defs>
  <rect id="bg" width="100" height="100" fill="url(#sky)"/>
  <g id="house" transform="translate(10 20)">
    <rect id="wall" x="5" y="10" width="30" height="20" fill="#c0392b"/>
    <polygon id="roof" points="0,10 20,0 40,10" fill="#7f3b1d"/>
    <path id="smoke" d="M10 5c2-4 4 1 6-3s3 .5.5 2z" style="fill: none; stroke:#888"/>
  </g>
  <circle id="sun" cx="80" cy="15" r="8" fill="gold"/>
  <text id="label" x="10" y="95" font-size="6">Home &amp; garden <tspan id="where" fill="red">here</tspan></text>
</svg>
"""

DECLARED = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?xml-stylesheet type="text/css" href="#css"?>
<!-- Created by hand: <not> a "tag" -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg
   xmlns="{SVG}"
   xmlns:xlink="http://www.w3.org/1999/xlink"
   id="root"
   viewBox="0 0 64 64"
   width="64">
  <style id="css"><![CDATA[
    .a > rect {{ fill: #123456 }} /* ]] > */
  ]]></style>
  <symbol id="s"><rect width="4" height="4"/></symbol>
  <g id="layer" class="a"
     style="fill:none;stroke-width:2">
    <!-- a comment with <rect id="ghost"/> in it -->
    <rect
       id="r1"
       x="1"
       y="2"
       width="10"
       height="11" />
    <use id="u" xlink:href="#s" x="20" y="20"/>
  </g>
</svg>
"""

ENTITIES = f"""<?xml version="1.0"?>
<!DOCTYPE svg [
  <!ENTITY ns_svg "{SVG}">
  <!ENTITY st0 "fill:#ff0000;stroke:none">
  <!-- <!ENTITY st0 "fill:blue"> ]> -->
  <!ENTITY who 'A &amp; B'>
]>
<svg xmlns="&ns_svg;" viewBox="0 0 10 10">
  <rect id="a&amp;b" style="&st0;" width="5" height="5" aria-label="caf&#233; &quot;x&quot;"/>
  <circle id="c" cx="5" cy="5" r="2" fill="&#x23;00ff00"/>
  <text id="t" x="1" y="9">&who; &#169; 2020</text>
</svg>
"""

SINGLE = f"""<svg xmlns='{SVG}' viewBox='0 0 20 20'><g id='g' fill='red'><path id='p' d='M1 1L5,5l2-3'/><ellipse id='e'
 cx = '4' cy='5'  rx='2' ry='1' data-note='say "hi" > id="zz"'></ellipse></g><polyline id='l' points='0 0 1,1 2 0'/></svg>"""

PREFIXED = f"""<?xml version='1.0' encoding='utf-8'?>
<svg:svg xmlns:svg="{SVG}" xmlns:ink="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 30 30">
\t<ink:meta ink:note="x"><ink:deep/></ink:meta>
\t<svg:g svg:odd="1" id="g1">
\t\t<svg:rect id="box" x="1" y="1" width="5" height="5"/>
\t\t<svg:g/>
\t</svg:g>
\t<svg:line id="line" x1="0" y1="0" x2="9" y2="9" stroke="black"/>
\t<other xmlns="urn:other"><svg xmlns="{SVG}" id="inner"><rect id="deep"/></svg></other>
</svg:svg>
"""

UNICODE = f"""<?xml version="1.0" encoding="UTF-16"?>
<svg xmlns="{SVG}" viewBox="0 0 10 10">
  <text id="größe" x="1" y="5">Straße — 日本語 \U0001f600</text>
  <rect id="日本" width="2" height="2" fill="red"/>
</svg>
"""

PRESERVED = f"""<svg xmlns="{SVG}" viewBox="0 0 10 10" xml:space="preserve"><text id="t">  a  b <tspan id="s"> c </tspan></text>
<rect id="r" width="1" height="1"/></svg>
"""

ONE_LINE = (
    f'<svg xmlns="{SVG}" viewBox="0 0 9 9"><rect id="a" width="3" height="3"/><rect id="b" x="4" width="3" height="3"/>'
    '<g id="c"><circle id="d" r="1"/></g></svg>'
)

TEXTS = {
    "plain": PLAIN,
    "declared": DECLARED,
    "entities": ENTITIES,
    "single": SINGLE,
    "prefixed": PREFIXED,
    "preserved": PRESERVED,
    "one-line": ONE_LINE,
}

FILES: dict[str, bytes] = {
    **{name: text.encode() for name, text in TEXTS.items()},
    "crlf": DECLARED.replace("\n", "\r\n").encode(),
    "crlf-plain": PLAIN.replace("\n", "\r\n").encode(),
    "utf-8-mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "utf-16-le": b"\xff\xfe" + UNICODE.encode("utf-16-le"),
    "utf-16-be": b"\xfe\xff" + UNICODE.encode("utf-16-be"),
    "latin-1": UNICODE.replace("UTF-16", "ISO-8859-1")
    .replace("— 日本語 \U0001f600", "")
    .replace("日本", "b")
    .encode("latin-1"),
    "no-namespace": PLAIN.replace(f' xmlns="{SVG}"', "").encode(),
}

MALFORMED = PLAIN.replace("</g>", "", 1)


def real_files() -> list[Path]:
    """Files of the folder that VBENCH_SVG_DIR names, or of a corpus that lies beside the checkout."""
    folder = Path(os.environ.get("VBENCH_SVG_DIR") or Path(__file__).parents[2] / "shared" / "svg-corpus")
    return (
        sorted(path for path in folder.rglob("*.svg") if path.stat().st_size < 60_000)
        if folder.is_dir()
        else []
    )
