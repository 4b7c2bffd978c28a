"""Documents made to hang, crash, fill memory or read files; each must end as a picture or a stated reason."""

from __future__ import annotations

import base64
import random
import struct
import zlib

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="100" height="100" viewBox="0 0 100 100">'
)
RECT = '<rect width="100" height="100"/>'


def svg(body: str) -> str:
    return f"{HEAD}{body}</svg>"


def filtered(primitives: str, region: str = "") -> str:
    return svg(
        f'<filter id="f" {region}>{primitives}</filter><rect width="100" height="100" filter="url(#f)"/>'
    )


def nested(start: str, end: str, depth: int) -> str:
    return svg(start * depth + RECT + end * depth)


def uses(width: int, depth: int) -> str:
    levels = [
        f'<g id="l{level}">' + f'<use href="#l{level - 1}"/>' * width + "</g>"
        for level in range(1, depth + 1)
    ]
    return svg(
        f'<defs><g id="l0"><rect width="1" height="1"/></g>{"".join(levels)}</defs><use href="#l{depth}"/>'
    )


def patterns(width: int, depth: int, tag: str = "pattern") -> str:
    def level(number: int) -> str:
        fill = f"url(#p{number - 1})" if number else "red"
        return (
            f'<pattern id="p{number}" width="50" height="50" patternUnits="userSpaceOnUse">'
            + f'<rect width="50" height="50" fill="{fill}"/>' * width
            + "</pattern>"
        )

    body = "".join(level(number) for number in range(depth + 1))
    return svg(f'<defs>{body}</defs><rect width="100" height="100" fill="url(#p{depth})"/>')


def layers(tag: str, attribute: str, width: int, depth: int) -> str:
    def level(number: int) -> str:
        link = f'{attribute}="url(#m{number - 1})"' if number else ""
        return (
            f'<{tag} id="m{number}">'
            + f'<rect width="90" height="90" fill="#fff" {link}/>' * width
            + f"</{tag}>"
        )

    body = "".join(level(number) for number in range(depth + 1))
    return svg(f'{body}<rect width="100" height="100" {attribute}="url(#m{depth})"/>')


def scribble(points: int, paint: str) -> str:
    draw = random.Random(7)
    path = "".join(f"L{draw.randrange(100)} {draw.randrange(100)}" for _ in range(points))
    return svg(f'<path d="M0 0{path}" {paint}/>')


def entities(levels: int) -> str:
    lines = ['<!ENTITY a0 "haha">']
    lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels + 1)]
    return f"<!DOCTYPE svg [{''.join(lines)}]>" + svg(f'<text y="50">&a{levels};</text>')


def png(width: int, height: int) -> bytes:
    """A black picture of any size in few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"\0" * (min(width * height, 3_000_000) + 10), 9)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def data_uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def picture(address: str) -> str:
    return svg(f'<image href="{address}" width="100" height="100"/>')


HOSTILE: dict[str, str | bytes] = {
    "use-fan-out": uses(10, 5),
    "use-fan-out-deep": uses(2, 40),
    "use-chain": svg('<rect id="u0" width="9" height="9"/>' + "".join(
        f'<use id="u{n}" href="#u{n - 1}"/>' for n in range(1, 3000))),
    "use-itself": svg('<use id="a" href="#a"/>'),
    "use-parent": svg('<g id="a"><rect width="9" height="9"/><use href="#a"/></g>'),
    "use-cycle": svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    "pattern-4-8": patterns(4, 8),
    "pattern-4-5": patterns(4, 5),
    "pattern-itself": svg('<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="9" '
                          'height="9" fill="url(#p)"/></pattern><rect width="90" height="90" fill="url(#p)"/>'),
    "pattern-tiny-tile": svg('<pattern id="p" width=".00001" height=".00001" patternUnits="userSpaceOnUse">'
                             '<rect width="9" height="9"/></pattern><rect width="90" height="90" fill="url(#p)"/>'),
    "masks-2-12": layers("mask", "mask", 2, 12),
    "masks-1-60": layers("mask", "mask", 1, 60),
    "clips-3-9": layers("clipPath", "clip-path", 3, 9),
    "clip-itself": svg('<clipPath id="c" clip-path="url(#c)"><rect width="9" height="9"/></clipPath>'
                       '<rect width="90" height="90" clip-path="url(#c)"/>'),
    "marker-many": svg('<marker id="m" markerWidth="9" markerHeight="9"><circle r="3"/></marker><polyline points="'
                       + "1,1 9,9 " * 20_000 + '" marker-mid="url(#m)"/>'),
    "octaves": filtered('<feTurbulence baseFrequency=".01" numOctaves="100000"/>'),
    "morphology-20": filtered('<feMorphology radius="20"/>'),
    "morphology-huge": filtered('<feMorphology radius="1e9"/>'),
    "convolve-40": filtered('<feConvolveMatrix order="40" kernelMatrix="' + "1 " * 1600 + '"/>'),
    "convolve-500": filtered('<feConvolveMatrix order="500" kernelMatrix="1"/>'),
    "blur-huge": filtered('<feGaussianBlur stdDeviation="1e30"/>'),
    "blurs-400": filtered('<feGaussianBlur stdDeviation="3"/>' * 400),
    "filter-region": filtered('<feFlood/>', 'x="-1e9" y="-1e9" width="2e9" height="2e9"'),
    "lighting": filtered('<feDiffuseLighting surfaceScale="1e30"><fePointLight x="1" y="1" z="1"/>'
                         "</feDiffuseLighting>" * 50),
    "dashes": svg('<path d="M0 0H1e9" stroke="red" stroke-dasharray=".00000001"/>'),
    "dash-list": svg(f'<path d="M0 0H99" stroke="red" stroke-dasharray="{"1 " * 5000}"/>'),
    "stroke-scribble": scribble(60_000, 'fill="none" stroke="red" stroke-linejoin="round"'),
    "fill-scribble": scribble(100_000, ""),
    "long-path": svg(f'<path d="M0 0{"l1 1" * 300_000}"/>'),
    "groups-190": nested("<g>", "</g>", 190),
    "groups-opaque-190": nested('<g opacity=".99">', "</g>", 190),
    "groups-50000": nested("<g>", "</g>", 50_000),
    "tspans-50000": svg("<text>" + "<tspan>" * 50_000 + "</tspan>" * 50_000 + "</text>"),
    "elements-60000": svg('<rect width="1" height="1"/>' * 60_000),
    "elements-40000-blurred": svg('<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>'
                                  + '<rect width="90" height="90" filter="url(#f)"/>' * 4_000),
    "text-1MB": svg(f'<text y="50">{"hello " * 170_000}</text>'),
    "text-40000": svg(f'<text y="50" font-size="1">{"hello " * 6_600}</text>'),
    "glyphs-missing": svg(f'<text y="50">{"".join(map(chr, range(0x4E00, 0x5200)))}</text>'),
    "font-size-huge": svg('<text y="50" font-size="1e30">a</text>'),
    "size-200000": '<svg xmlns="http://www.w3.org/2000/svg" width="200000" height="200000" viewBox="0 0 9 9"/>',
    "size-1e30": '<svg xmlns="http://www.w3.org/2000/svg" width="1e30" height="1e30"/>',
    "size-thin": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1000000"/>',
    "size-zero": '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>',
    "viewbox-nan": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="nan nan nan nan"/>',
    "viewbox-tiny": f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e-30 1e-30">{RECT}</svg>',
    "numbers-huge": svg('<circle r="1e38" cx="-1e38"/><rect width="3e38" height="3e38" transform="scale(1e30)"/>'),
    "transform-singular": svg('<g transform="matrix(0 0 0 0 1e38 1e38)"><rect width="9" height="9"/></g>'),
    "entities-3": entities(3),
    "entities-7": entities(7),
    "entity-external": '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + svg("<text y='50'>&x;</text>"),
    "entity-parameter": '<!DOCTYPE svg [<!ENTITY % x SYSTEM "file:///etc/hostname"> %x;]>' + svg(RECT),
    "png-bomb": picture(data_uri("image/png", png(60_000, 60_000))),
    "png-truncated": picture(data_uri("image/png", png(2_000, 2_000)[:200])),
    "png-is-svg": picture(data_uri("image/png", svg(RECT).encode())),
    "svg-in-data": picture(data_uri("image/svg+xml", svg(RECT).encode())),
    "base64-broken": picture("data:image/png;base64,%%%"),
    "style-unclosed": svg("<style>rect{fill:url(</style>" + RECT),
    "style-rules-20000": svg(f"<style>{'rect g path{fill:red}' * 20_000}</style>" + RECT * 50),
    "script": svg("<script>while(true);</script>" + RECT),
    "foreign": svg('<foreignObject width="50" height="50"><body xmlns="http://www.w3.org/1999/xhtml">x</body>'
                   "</foreignObject>"),
    "attributes-5000": svg("<rect " + " ".join(f'a{n}="1"' for n in range(5000)) + "/>"),
    "empty": "",
    "not-xml": "rm -rf /",
    "cut": svg(RECT)[:-9],
    "zeros": b"\0" * 1000,
    "utf-16-cut": svg(RECT).encode("utf-16")[:-7],
    "surrogate": svg("<text>\ud800</text>"),
    "bytes-random": random.Random(3).randbytes(5000),
    "gzip": b"\x1f\x8b\x08\x00" + b"\0" * 100,
    "6MB": svg("<!--" + "x" * 6_000_000 + "-->"),
}  # fmt: skip
