"""The closed table of predicates. A pack chooses from it and can never add to it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mcp_cassette.predicates import bidi, blobs, invisible, names, scripts, variation
from mcp_cassette.predicates.base import Hit, Param, Predicate

__all__ = ["PREDICATES", "Hit", "Param", "Predicate"]

_ALL: Final = (
    Predicate(
        "invisible-run",
        "invisible characters in a row that neither an emoji nor the script around them needs",
        invisible.find,
        invisible.PARAMS,
        non_ascii=True,
    ),
    Predicate(
        "bidi-unbalanced",
        "a bidi override, an embedding or isolate not closed on its line, or a closing character that closes nothing",
        bidi.find,
        non_ascii=True,
    ),
    Predicate(
        "variation-run",
        "two variation selectors in a row, or one after a character that takes none",
        variation.find,
        non_ascii=True,
    ),
    Predicate(
        "mixed-script",
        "a word that mixes Latin with Cyrillic or Greek letters (units, formulas and Russian endings are ordinary)",
        scripts.find,
        non_ascii=True,
    ),
    Predicate("names-other-tool", "the name of another tool of the same listing", names.find, names.PARAMS),
    Predicate(
        "encoded-text", "a base64 or hexadecimal run that decodes to words", blobs.find_encoded, blobs.ENCODED_PARAMS
    ),
    Predicate(
        "unbroken-run",
        "a long run of letters, digits and +/_=- without a break",
        blobs.find_unbroken,
        blobs.UNBROKEN_PARAMS,
    ),
)

PREDICATES: Final[Mapping[str, Predicate]] = MappingProxyType({predicate.name: predicate for predicate in _ALL})
