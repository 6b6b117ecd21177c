r"""A second look at a pattern whose words are met: an RE2 expression that matches wherever the pattern could.

Of a short expression it is the wider one of ``superset``, signs and all, over the text itself. Of a long one it is an
expression over the bare words of the text, letters and digits with one blank for whatever stands between them: small,
soon compiled and many times faster than the expression itself, which decides.
"""

from __future__ import annotations

from functools import cache

import re2

from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.superset import Spelling, superset
from mcp_cassette.match.syntax import Alt, Chars, Edge, Look, Node, Repeat, Seq, tree
from mcp_cassette.match.views_leet import LETTERS
from mcp_cassette.packs.model import Pattern

_BLANK = r"[ !$@|\x80-\xff]*"
"""Signs and blanks, however many: a text of bare words has one blank for all of them, or none."""
_ANY = r"[\x00-\xff]*"
_MEMORY = 1 << 20
_SIGNS_MEMORY = 4 << 20
_FEW = 40
_SHORT = 1300
"""Characters of an expression that is looked for signs and all."""


def may_match(pattern: Pattern, data: bytes | None, words: bytes) -> bool:
    """Whether a pattern (of kind regex, words or near) may match a text, in UTF-8, of these bare words. None for a text
    that was folded: then its words must do."""
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        return may_match(pattern.first, data, words) and may_match(pattern.then, data, words)
    if not pattern.portable or pattern.kind not in ("regex", "words"):
        return True
    if data is not None and len(pattern.expression) <= _SHORT:
        how = Spelling(leet="leet" in pattern.views, escaped="unescaped" in pattern.views)
        compiled = _with_signs(pattern.expression, how)
        return compiled is None or bool(compiled.Match(data))
    compiled = _compiled(pattern.expression)
    return compiled is None or bool(compiled.Match(words))


@cache
def _with_signs(expression: str, how: Spelling) -> re2.Set | None:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _SIGNS_MEMORY
    return _set_of(superset(expression, how), options)


@cache
def _compiled(expression: str) -> re2.Set | None:
    options = re2.Options()
    options.case_sensitive = True
    options.log_errors = False
    options.max_mem = _MEMORY
    options.encoding = re2.Options.Encoding.LATIN1
    return _set_of(_written(tree(expression))[0], options)


def _set_of(expression: str, options: re2.Options) -> re2.Set | None:
    """None for what cannot be compiled, or matches the empty text and so says nothing."""
    out = re2.Set.SearchSet(options)
    try:
        out.Add(expression)
        out.Compile()
    except re2.error:
        return None
    return None if out.Match(b"") else out


def _written(node: Node) -> tuple[str, bool]:
    """(the RE2 expression, whether it may match nothing)."""
    if isinstance(node, Chars):
        return _chars(node.chars)
    if isinstance(node, (Edge, Look)):
        return "", True
    if isinstance(node, Seq):
        parts = [_written(part) for part in node.parts]
        out: list[str] = []
        for text, _ in parts:
            if not (out and out[-1] == text and text in (_BLANK, _ANY)):
                out.append(text)
        return "".join(out), all(empty for _, empty in parts)
    if isinstance(node, Alt):
        branches = [_written(branch) for branch in node.branches]
        text = "|".join(dict.fromkeys(text for text, _ in branches))
        return f"(?:{text})", any(empty for _, empty in branches)
    return _repeated(node)


def _repeated(node: Repeat) -> tuple[str, bool]:
    text, empty = _written(node.part)
    if text in (_BLANK, _ANY, ""):
        return text, True
    if node.most == 1 and node.least:
        return text, empty
    sign = "?" if node.most == 1 else "*" if empty or not node.least else "+"
    return f"(?:{text}){sign}", empty or not node.least


@cache
def _chars(chars: frozenset[str] | None) -> tuple[str, bool]:
    if chars is None or (len(chars) > _FEW and not all(c.isascii() for c in chars)):
        return _ANY, True
    folded = {quick_fold(c, "folded") for c in chars if c.isalnum()}
    signs = any(not c.isalnum() for c in chars) or "" in folded
    single = sorted(c for c in folded if len(c) == 1 and c.isascii())
    inside = "".join(single) + "".join(
        f"\\x{ord(sign):02x}" for sign, like in LETTERS.items() if any(c in like for c in single)
    )
    parts = [f"[{inside}]"] if inside else []
    parts += ["".join(f"\\x{byte:02x}" for byte in c.encode()) for c in sorted(folded) if c and c not in single]
    if not parts:
        return _BLANK, True
    if signs:
        parts.append(_BLANK)
    return (parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"), signs
