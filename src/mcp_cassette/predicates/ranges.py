r"""Sets of characters, written as the inside of a regular expression's ``[…]``.

They are spelled out, not asked of ``unicodedata``: that module changes with the Python version, and a finding must
not. Sources: DerivedCoreProperties (Default_Ignorable_Code_Point), emoji-data, StandardizedVariants and Scripts of
Unicode 16.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

TAGS: Final = r"\U000e0000-\U000e007f"

INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
"""Default-ignorable code points (the unassigned ones too), zero-width and annotation characters; without variation
selectors and without bidi embeddings, overrides and isolates, which have predicates of their own."""

BIDI: Final = r"\u202a-\u202e\u2066-\u2069"
"""Embeddings, overrides, isolates and what closes them."""

MONGOLIAN_SELECTORS: Final = r"\u180b-\u180d\u180f"
SELECTORS: Final = MONGOLIAN_SELECTORS + r"\ufe00-\ufe0f\U000e0100-\U000e01ef"

UNSEEN: Final = INVISIBLE + BIDI + SELECTORS + r"\u2800"

EMOJI: Final = (
    r"\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    r"\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614\u2615\u2618\u261d\u2620\u2622\u2623"
    r"\u2626\u262a\u262e\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e"
    r"\u267f\u2692-\u2697\u2699\u269b\u269c\u26a0\u26a1\u26a7\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8"
    r"\u26ce\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712"
    r"\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797"
    r"\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    r"\U0001f004\U0001f02c-\U0001f02f\U0001f094-\U0001f09f\U0001f0af\U0001f0b0\U0001f0c0\U0001f0cf\U0001f0d0"
    r"\U0001f0f6-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ae-\U0001f1ff"
    r"\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f\U0001f249-\U0001f25f"
    r"\U0001f260-\U0001f321\U0001f324-\U0001f393\U0001f396\U0001f397\U0001f399-\U0001f39b\U0001f39e-\U0001f3f0"
    r"\U0001f3f3-\U0001f3f5\U0001f3f7-\U0001f4fd\U0001f4ff-\U0001f53d\U0001f549-\U0001f54e\U0001f550-\U0001f567\U0001f56f"
    r"\U0001f570\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d\U0001f590\U0001f595\U0001f596\U0001f5a4\U0001f5a5"
    r"\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1"
    r"\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2"
    r"\U0001f6d5-\U0001f6e5\U0001f6e9\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff\U0001f7dc-\U0001f7f0"
    r"\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae\U0001f8af"
    r"\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf\U0001f8d9-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945"
    r"\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd"
)
"""Emoji or Extended_Pictographic (room for emoji to come), without the keycap bases ``0-9#*``."""

SKIN_TONES: Final = r"\U0001f3fb-\U0001f3ff"

RTL: Final = (
    r"\u05d0-\u05ea\u05ef-\u05f4\u0620-\u064a\u066e-\u066f\u0671-\u06d5\u06e5\u06e6\u06ee\u06ef\u06fa-\u070d\u0710"
    r"\u0712-\u072f\u074d-\u07a5\u07b1\u07c0-\u07ea\u07f4\u07f5\u07fa\u0800-\u0815\u0840-\u0858\u0860-\u0887\u08a0-\u08c9"
    r"\ufb1d\ufb1f-\ufb28\ufb2a-\ufd3d\ufd50-\ufdcf\ufdf0-\ufdfc\ufe70-\ufefc\U00010800-\U00010d23\U00010d40-\U00010e5f"
    r"\U00010e80-\U00010eaa\U00010f00-\U00010fff\U0001e800-\U0001e8cf\U0001e900-\U0001e943\U0001ec70-\U0001eeff"
)
"""Strong right-to-left letters (bidi classes R and AL)."""

INDIC: Final = r"\u0900-\u0dff\u1cd0-\u1cff\ua8e0-\ua8ff\U00011000-\U00011dff\U00011ee0-\U00011eff\U00011f00-\U00011f5f"
SPACELESS: Final = (
    r"\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff"
    r"\u1950-\u19ff\u1a20-\u1aad\u1b00-\u1b7f\ua980-\ua9ff\uaa00-\uaadf"
)
"""Scripts of South-East Asia and Tibet, which put no space between words and mark the break with a zero-width one."""
CURSIVE: Final = (
    r"\u0591-\u05f4\u0600-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u1800-\u180a\u1810-\u18af\ua840-\ua87f"
    r"\U00010a00-\U00010a5f\U00010ac0-\U00010aff\U00010d00-\U00010d3f\U00010ec0-\U00010eff\U00010f30-\U00010fdf"
    r"\U0001e900-\U0001e95f"
)
"""Scripts of joined letters (Arabic, Syriac, N'Ko, Mongolian, Adlam …) and Hebrew, whose marks need joiners."""
OTHER_JOINING: Final = (
    r"\u1700-\u177f\u1900-\u194f\u1a00-\u1a1f\u1b80-\u1c4f\ua800-\ua82f\ua880-\ua8df\ua900-\ua97f"
    r"\uaae0-\uaaff\uabc0-\uabff"
)
JOINING: Final = INDIC + SPACELESS + CURSIVE + OTHER_JOINING
"""Where ZWJ and ZWNJ are spelling."""

IDEOGRAPHS: Final = r"\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

GREEK: Final = r"\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03ff\u1f00-\u1fff\u2126"
CYRILLIC: Final = r"\u0400-\u0481\u048a-\u052f\u1c80-\u1c8f\ua640-\ua66e\ua680-\ua69d\U0001e030-\U0001e06d"
LATIN: Final = (
    r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1d00-\u1d25\u1d2c-\u1d5c\u1d62-\u1d65\u1d6b-\u1d77"
    r"\u1d79-\u1dbe\u1e00-\u1eff\u212a\u212b\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff\uab30-\uab5a\uab5c-\uab64"
    r"\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a"
)


@cache
def chars(inside: str) -> re.Pattern[str]:
    """One character of the set; compiled at the first use."""
    return re.compile(f"[{inside}]")


@cache
def compiled(source: str) -> re.Pattern[str]:
    """A regular expression, compiled at the first use: a run that needs none of them must not wait for all."""
    return re.compile(source)
