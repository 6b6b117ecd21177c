"""The first pack format (``version = 1``, ``[[patterns]]``) read as today's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def modernise(data: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The same pack in today's shape. Its rules have no tests: the old format had none, so the loader asks for none.
    A pack without a name is known by its file."""
    rules = []
    for old in data["patterns"]:
        rule: dict[str, Any] = {
            "id": old["id"],
            "title": old["label"],
            "message": old.get("message", old["label"]),
            "level": old.get("severity", "warn"),
            "surfaces": list(old.get("surfaces", ["description", "result"])),
            "regex": old["regex"],
            "test": [],
        }
        if old.get("flags"):
            rule["flags"] = old["flags"]
        rules.append(rule)
    return {"format": 1, "pack": {"name": data.get("name", file), "prefix": ""}, "rule": rules}
