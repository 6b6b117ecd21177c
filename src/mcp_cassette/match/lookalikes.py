"""Letters that pass for ASCII letters: those of UTS 39 (``confusables``), and by hand what it lacks.

Three ways to count, so that honest text of any language shows nothing:

- *whole*: a word may consist of them and of nothing else (and they count beside Latin letters);
- *beside*: only where a stretch of letters holds a Latin one: small Cyrillic and Greek letters that look like Latin
  capitals, and the letters of living scripts that would make whole words by chance (Armenian, Cree, Vai …);
- *between*: only with ASCII letters on both sides: digits, vowel signs, letters of scripts that stand beside a Latin
  word without a space (Arabic, Hebrew, Burmese …). Ideographs, kana, Hangul, operators, bars, dandas never count.
"""

from __future__ import annotations

from functools import cache
from typing import Final

_SMALL_CAPITALS: Final = {
    "a": "ᴀ", "b": "ʙ", "d": "ᴅ", "e": "ᴇ", "f": "ꜰ", "g": "ɢ", "h": "ʜ", "j": "ᴊ", "k": "ᴋ", "l": "ʟ", "m": "ᴍ",
    "n": "ɴ", "p": "ᴘ", "q": "ꞯ", "r": "ʀ", "t": "ᴛ",
}  # fmt: skip
"""UTS 39 compares them with other small capitals only. Whole sentences are written in them."""

_SMALL_OF_CAPITALS: Final = {
    "b": "вьβⲃ", "g": "ԍ", "h": "нⲏ", "k": "кκⲕ", "m": "мⲙ", "n": "ηⲛ", "t": "тτⲧ", "x": "χⲭ", "e": "εⲉ", "a": "ⲁ",
}  # fmt: skip
"""UTS 39 knows the capital alone, and takes the small form for a small capital (в, к, м, н, т) or leaves it."""

_MARKED: Final = {
    "d": "ɖ", "e": "ёєɛ", "f": "ғ", "h": "ңћ", "i": "ї", "k": "қӄ", "s": "ʂ", "w": "ω", "x": "ҳ", "y": "ұ", "l": "Լլ",
}  # fmt: skip
"""Letters with a hook, a stroke or dots: UTS 39 keeps the mark, or sees no likeness (ω, լ)."""

_BETWEEN: Final = {"e": "℮"}
"""Stands after an amount by itself (500 g ℮)."""

_SIGNS: Final = (0x1F150, 0x1F170, 0x1F1E6)
"""Alphabets of letter signs: white on black circles, white on black squares, regional indicators."""

SIGNS: Final = r"\U0001f150-\U0001f169\U0001f170-\U0001f189\U0001f1e6-\U0001f1ff"


class _Tables:
    """Code point to ASCII letters, for ``str.translate``, by the way they count."""

    def __init__(self) -> None:
        from mcp_cassette.match import confusables  # only for a text that may need it

        self.whole = _read(confusables.WHOLE)
        self.beside = _read(confusables.BESIDE)
        self.between = _read(confusables.BETWEEN)
        for table, by_hand in (
            (self.whole, _SMALL_CAPITALS),
            (self.beside, _SMALL_OF_CAPITALS),
            (self.beside, _MARKED),
            (self.between, _BETWEEN),
        ):
            for letter, chars in by_hand.items():
                table.update((ord(c), letter.upper() if c.isupper() else letter) for c in chars)
        for first in _SIGNS:
            self.whole.update((first + i, chr(ord("a") + i)) for i in range(26))
        # What folds to one of them would show it when it is looked at again: both count, and in the same way.
        for table in (self.whole, self.beside):
            for code, letters in tuple(table.items()):
                for form in (chr(code).upper(), chr(code).lower()):
                    if len(form) == 1 and form.casefold() == chr(code) and not self._known(form, table):
                        table[ord(form)] = letters.upper() if form.isupper() else letters

    def _known(self, form: str, table: dict[int, str]) -> bool:
        """Whether a form counts at least as its small letter does; one that counts for less is taken out."""
        if form.isascii() or ord(form) in table:
            return True
        return self.beside.pop(ord(form), None) is None and ord(form) in self.whole


def _read(table: dict[str, str]) -> dict[int, str]:
    return {int(code, 16): letters for letters, codes in table.items() for code in codes.split()}


@cache
def _tables() -> _Tables:
    return _Tables()


def lookalikes() -> dict[int, str]:
    """The letters that count beside a Latin letter."""
    return _beside()


@cache
def _beside() -> dict[int, str]:
    return {**_tables().beside, **_tables().whole}


def whole() -> dict[int, str]:
    """The letters of which a whole word may consist."""
    return _tables().whole


def between() -> dict[int, str]:
    """The characters that count between two ASCII letters."""
    return _tables().between
