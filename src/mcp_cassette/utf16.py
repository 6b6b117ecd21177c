"""Columns: editors and SARIF count UTF-16 code units."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 code units; a lone surrogate counts as one."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", errors="surrogatepass")) // 2
