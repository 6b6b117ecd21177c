"""A pattern table → a compiled ``Pattern``: names resolved, words turned into an expression, parameters filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import regex

from mcp_cassette.errors import nearest
from mcp_cassette.packs.keys import ALL_VIEWS, VIEWS
from mcp_cassette.packs.model import Pattern, compile_expression
from mcp_cassette.packs.portable import complaint
from mcp_cassette.predicates.table import PREDICATES
from mcp_cassette.shape import Where

_UNSPACED = regex.compile(
    # The last four are marks that Japanese letters share: long vowel and voicing.
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc\uff70\u3099\u309a]"
)
_WORD = regex.compile(r"\w")  # the vowel signs of Indic scripts too, which are marks
_SYNTAX = regex.compile(r"[\\^$.|?*+()\[\]{}/]")
"""What an expression must escape; no more, because an ECMAScript prover refuses needless escapes."""
_FLAG = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "x": regex.VERBOSE}

Fail = Callable[[Where, str], NoReturn]
Resolve = Callable[[str, Where], Pattern]


def words_expression(words: list[str]) -> str:
    """One expression for a list of phrases: longest first, any run of white space between the words, whole words only
    (in scripts that put no space between words an edge is no boundary)."""
    alternatives = []
    for phrase in sorted(words, key=lambda w: (-len(w), w)):
        parts = phrase.split()
        body = r"\s+".join(_SYNTAX.sub(r"\\\g<0>", p) for p in parts)
        left = r"\b" if _is_word(parts[0][0]) else ""
        right = r"\b" if _is_word(parts[-1][-1]) else ""
        alternatives.append(left + body + right)
    return "(?:" + "|".join(alternatives) + ")"


def _is_word(char: str) -> bool:
    return _WORD.match(char) is not None and not _UNSPACED.match(char)


def flag_bits(flags: str) -> int:
    """The bits of a flags string."""
    bits = 0
    for letter in flags:
        bits |= _FLAG[letter]
    return bits


def group_of(table: Mapping[str, Any]) -> str | int:
    """The group a table names, by name or number; 0 when it names none."""
    group: str | int = table.get("group", 0)
    return int(group) if isinstance(group, str) and group.isdecimal() else group


def check_group(compiled: regex.Pattern[str], group: str | int, where: Where, fail: Fail) -> None:
    """Refuse a group that the expression does not have."""
    known = group <= compiled.groups if isinstance(group, int) else group in compiled.groupindex
    if not known:
        fail((*where, "group"), f"the expression has no group {group!r}{nearest(str(group), compiled.groupindex)}")


def compile_pattern(
    name: str,
    table: Mapping[str, Any],
    where: Where,
    fail: Fail,
    resolve: Resolve,
    *,
    eager: bool,
    portable: bool = True,
) -> Pattern:
    """Compile one pattern table. ``resolve`` gives the pattern of a name; ``eager`` checks and compiles expressions now
    (all but bundled packs taken at their word); ``portable`` off reads the wider syntax of the old format."""
    common: dict[str, Any] = {
        "name": name,
        "views": VIEWS if ALL_VIEWS in table.get("views", ()) else tuple(table.get("views", ("raw",))),
        "excepts": tuple(resolve(n, (*where, "except", i)) for i, n in enumerate(table.get("except", ()))),
    }
    if "regex" in table:
        return _regex(table, where, fail, common, eager=eager, portable=portable)
    if "words" in table:
        for i, phrase in enumerate(table["words"]):
            if not phrase.split():
                fail((*where, "words", i), "'words' holds an empty phrase")
        # Worked out beforehand for the bundled packs; in a pack file the key is refused.
        expression = table.get("expression") or words_expression(table["words"])
        if eager:
            compile_expression(expression, regex.IGNORECASE)
        return Pattern(
            kind="words", source=", ".join(table["words"]), expression=expression, flags=regex.IGNORECASE, **common
        )
    if "near" in table:
        return _near(table["near"], where, resolve, common)
    if "predicate" in table:
        return _predicate(table, where, fail, common)
    return Pattern(
        kind="longer_than", source=f"more than {table['longer_than']} characters", length=table["longer_than"], **common
    )


def _regex(
    table: Mapping[str, Any], where: Where, fail: Fail, common: dict[str, Any], *, eager: bool, portable: bool
) -> Pattern:
    expression, flags = table["regex"], flag_bits(table.get("flags", ""))
    if portable and eager:
        found = complaint(expression)
        if found:
            fail((*where, "regex"), f"not in the portable subset: {found[0]} (at character {found[1] + 1})")
    group = group_of(table)
    if eager:
        try:
            compiled = compile_expression(expression, flags)
        except (regex.error, ValueError, RecursionError) as error:
            fail((*where, "regex"), f"the expression does not compile: {error}")
        check_group(compiled, group, where, fail)
    return Pattern(
        kind="regex", source=expression, expression=expression, flags=flags, portable=portable, group=group, **common
    )


def _near(table: Mapping[str, Any], where: Where, resolve: Resolve, common: dict[str, Any]) -> Pattern:
    first = resolve(table["first"], (*where, "near", "first"))
    then = resolve(table["then"], (*where, "near", "then"))
    order = table.get("order", "either")
    stop = table.get("stop") == "sentence"
    source = f"{first.name} {'before' if order == 'before' else 'near'} {then.name} within {table['within']} characters"
    return Pattern(
        kind="near",
        source=source + (", one sentence" if stop else ""),
        first=first,
        then=then,
        within=table["within"],
        order=order,
        stop_at_sentence=stop,
        **common,
    )


def _predicate(table: Mapping[str, Any], where: Where, fail: Fail, common: dict[str, Any]) -> Pattern:
    name = table["predicate"]
    predicate = PREDICATES.get(name)
    if predicate is None:
        fail((*where, "predicate"), f"no predicate {name!r}{nearest(name, PREDICATES)}: one of {', '.join(PREDICATES)}")
    params = {key: param.default for key, param in predicate.params.items()}
    for key, value in table.get("params", {}).items():
        param = predicate.params.get(key)
        if param is None:
            fail(
                (*where, "params", key),
                f"the predicate {name} has no parameter {key!r}{nearest(key, predicate.params)}",
            )
        expected: Any = {"int": int, "bool": bool, "string": str}[param.kind]
        if not isinstance(value, expected) or (param.kind == "int" and isinstance(value, bool)):
            fail((*where, "params", key), f"{key!r} must be {'a whole number' if param.kind == 'int' else param.kind}")
        if (param.minimum is not None and value < param.minimum) or (
            param.maximum is not None and value > param.maximum
        ):
            fail((*where, "params", key), f"{key!r} must be from {param.minimum} to {param.maximum or 'any number'}")
        params[key] = value
    return Pattern(kind="predicate", source=predicate.doc, predicate=name, params=params, **common)
