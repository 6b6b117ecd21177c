"""Quoting hostile text inside a reason: nothing invisible, nothing that moves the cursor, never long."""

from __future__ import annotations

from mcp_cassette.neutral import visible


def codepoint(character: str) -> str:
    """``U+XXXX`` of a character."""
    return f"U+{ord(character):04X}"


def quote(text: str, limit: int = 80) -> str:
    """The front of a text, safe to print: at most ``limit`` characters, ``…`` for what was cut off."""
    shown = visible(text[: limit + 1])
    if len(shown) <= limit:
        return shown
    shown = shown[: limit - 1]
    spelled = shown.rfind("<U+")
    if spelled >= 0 and ">" not in shown[spelled:]:
        shown = shown[:spelled]  # half of a spelled character would look like text
    return shown + "…"
