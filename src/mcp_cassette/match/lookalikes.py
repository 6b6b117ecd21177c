"""Letters that pass for an ASCII letter: of six other scripts, small capitals, phonetic letters and letter signs."""

from __future__ import annotations

from functools import cache
from typing import Final

_LIKE: Final = {
    "a": "аɑαᴀᎪꓮⲁ", "b": "вьʙβᏏᏴꓐⲃ", "c": "сᴄᏟꓚⲥⅽ", "d": "ԁᴅᎠᏧꓓɖ", "e": "еёєҽᴇεɛᎬꓰⲉ℮", "f": "ғꜰꓝ",
    "g": "ɡɢցԍᏀᏳꓖ", "h": "һнңћʜհᎻᏂꓧⲏ", "i": "іїıɩɪιᎥⲓꓲ", "j": "јᴊյϳᎫꓙȷ", "k": "кқӄᴋκᏦꓗⲕ", "l": "ӏʟᏞꓡ",
    "m": "мᴍᎷꓟⲙ", "n": "ոռɴηꓠⲛ", "o": "оᴏοօσꓳⲟ", "p": "рᴘρᏢꓑⲣ", "q": "ԛզգꞯ", "r": "ʀᎡᏒꓣг",
    "s": "ѕꜱᏕᏚꓢʂ", "t": "тᴛτᎢꓔⲧ", "u": "ᴜսυʋꓴ", "v": "ѵᴠνᏙꓦ", "w": "ԝѡᴡաωᎳᏔꓪ", "x": "хҳχꓫⲭ",
    "y": "уүұʏγᎩᎽꓬⲩ", "z": "ᴢᏃꓜ",
}  # fmt: skip
"""Both cases of a letter stand for the same, but for those of ``_CAPITALS``."""

_CAPITALS: Final = {"H": "Η", "M": "Μ", "N": "Ν", "Y": "Υ", "Z": "Ζ", "S": "Տ", "L": "Լ", "I": "Ӏ", "O": "Օ", "U": "Ս"}

_SIGNS: Final = (0x1F150, 0x1F170, 0x1F1E6)
"""Alphabets of letter signs: white on black circles, white on black squares, regional indicators."""

SIGNS: Final = r"\U0001f150-\U0001f169\U0001f170-\U0001f189\U0001f1e6-\U0001f1ff"


@cache
def lookalikes() -> dict[int, str]:
    """Code point to ASCII letter, for ``str.translate``. Of a letter both cases are in it, or neither."""
    table: dict[int, str] = {}
    for letter, similar in _LIKE.items():
        for char in similar:
            table.setdefault(ord(char), letter)
            for form, plain in ((char.lower(), letter), (char.upper(), letter.upper())):
                if len(form) == 1 and not form.isascii():
                    table.setdefault(ord(form), plain)
    for letter, similar in _CAPITALS.items():
        for char in similar:
            table[ord(char)] = letter
            table.setdefault(ord(char.lower()), letter.lower())
    for first in _SIGNS:
        table.update((first + i, chr(ord("a") + i)) for i in range(26))
    return table
