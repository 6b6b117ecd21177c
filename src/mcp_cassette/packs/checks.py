"""The names of the structural checks a bundled rule may declare. What they do is code in ``lint``; a test holds the two
lists against each other."""

from __future__ import annotations

CHECKS: tuple[str, ...] = (
    "modern-with-initialize",
    "modern-with-session",
    "modern-with-get-stream",
    "stdio-with-url",
    "stdio-with-chunks",
    "http-with-command",
    "volatile-pointer",
    "redaction-hash",
    "duplicate-key",
    "duplicate-name",
    "name-shape",
    "description-missing",
    "input-schema-missing",
    "schema-invalid",
    "header-parameter",
    "listing-changed",
    "item-not-an-object",
    "out-of-budget",
)
