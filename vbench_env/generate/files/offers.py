"""The defects that a foreign drawing bears: every operation with the functions that find some."""

from __future__ import annotations

from vbench_env.generate.files import mirrors, moving, relinking, reshaping, rings, singles, twins
from vbench_env.generate.files.known import Offer

OFFERS: dict[str, tuple[Offer, ...]] = {
    "delete": (singles.delete,),
    "insert": (twins.insert, mirrors.insert, rings.insert),
    "move": (moving.move, twins.likeness("move")),
    "opacity": (singles.opacity, twins.likeness("opacity")),
    "recolor": (singles.recolor,),
    "relink": (relinking.relink,),
    "reorder": (singles.reorder,),
    "resize": (singles.resize, twins.likeness("resize")),
    "reshape": (reshaping.like_twins, reshaping.corners, mirrors.reshape, mirrors.halves),
    "restroke": (singles.restroke, twins.likeness("restroke")),
    "rotate": (singles.rotate,),
    "text": (singles.text,),
}
