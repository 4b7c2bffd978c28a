"""Other words for the words of ids: a table of rings of words that a designer could use for the same thing.

Words of several meanings (`key`, `bar`, `note`, `line`) and words for what is drawn (places, brands, fruits) are in
no ring: ids made of them change in other ways.
"""

from __future__ import annotations

_RINGS = """
    label caption | box panel | post pole | shade shadow | icon glyph pictogram | stripe strip | bloom blossom flower
    hull body | lamp light | frame border | outline contour | grid mesh | pin peg | connector link | heading title
    wall partition | switch toggle | background backdrop | basket hamper | slope incline | form shape | shelf ledge
    shine gleam glint | ring hoop | area region zone | edge rim | ray beam | cottage hut cabin | ripple wavelet
    image picture | peak summit | handle grip | arrow pointer | seat chair | extent size | marker mark | coast shore
    layer tier | divider separator | income revenue | search finder | lid cover | hint clue | notch tick | house home
    rib spar | hall lobby | sphere ball orb | complete finished | print printout | grass lawn turf | payment charge
    bend curve | dots specks | tint hue | rear back | gauge meter | paving pavement | bowl dish | leaves foliage
    planter tub | chest crate | vessels boats | strokes lines | start beginning | sidebar sidepanel | button pushbutton
    path trail | district quarter | coin token | dashboard overview | signs signboards | bubble remark | tank reservoir
    tread step | barrier firewall | depot storage | sapling tree | banner headline | masthead header | soil earth
    hamlet village | drape curtain | ledger register | photo snapshot | map chart | dale valley | emblem logo
    engine locomotive | hill hillock | landmark sight | database datastore | parcel package | alerts notices
    digit numeral | gust puff | cord string | pillar column | casing chassis | pane windowpane | bicycle bike
    saddle seat | cluster bunch | spine backbone | subtitle subheading | route course | values figures | posts poles
    pedestal plinth | haze mist | rock stone | crest ridge | church chapel | inn tavern | mirror reflection
    lettering wording | spoon ladle | sender writer | reply answer | main primary | forest woodland | tall high
    upper top | lower bottom | middle centre | outer exterior | inner interior | far distant | large big | small little
    thin slim | bold heavy | final last | ancient old | dim dark | set group | text words | value reading
    cap head | base foot | side flank | arc bow | spot patch | span range | mean average | total sum | pond lake
    sea ocean | moon luna | star sparkle | cloud cumulus | rain shower | daytime day | week sevenday | bush shrub
    couch sofa | rug carpet | stairs staircase | corridor hallway | room chamber | gear cog | nut hexnut | valve tap
    pipe tube | lens optic | junction node | contact terminal | window casement | roof rooftop | door doorway
    gate gateway | table desk | page canvas | plate slab | badge chip | message notice | garden yard | row lineup
    station halt | sail sailcloth | wheel roller | cable wire | stem stalk | trees grove | ground terrain | surface face
"""


def _rings() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for ring in _RINGS.replace("\n", "|").split("|"):
        words = ring.split()
        for word in words:
            table.setdefault(word, tuple(other for other in words if other != word))
    return table


SYNONYMS = _rings()
"""For each word the others of its ring."""

BY_TAG: dict[str, tuple[str, ...]] = {
    "g": ("group", "set", "layer"), "svg": ("sheet", "artboard"), "text": ("text", "lettering", "copy"),
    "tspan": ("words", "span"), "rect": ("box", "block", "area"), "circle": ("disc", "round", "circle"),
    "ellipse": ("oval", "ellipse"), "line": ("stroke", "segment"), "polyline": ("trace", "run"),
    "polygon": ("shape", "facet"), "path": ("outline", "shape", "form"), "use": ("piece", "item", "instance"),
    "symbol": ("symbol", "stencil", "template"), "linearGradient": ("gradient", "fade", "blend"),
    "radialGradient": ("glow", "gradient", "blend"), "clipPath": ("clip", "cutout", "crop"),
    "mask": ("mask", "stencil"), "pattern": ("pattern", "texture", "weave"), "marker": ("marker", "tip", "head"),
    "filter": ("filter", "effect"), "image": ("photo", "picture"), "title": ("title",), "desc": ("description",),
    "style": ("styles",), "defs": ("library",),
}  # fmt: skip
"""Words that a designer adds to a name to say what kind of thing it is."""
