"""The ids a rule may be tagged with: the OWASP top tens and SAFE-MCP techniques (schemas/taxonomy.json)."""

from __future__ import annotations

import json
from functools import cache

from mcp_cassette.resources import data_folder


@cache
def _names() -> tuple[dict[str, str], dict[str, str]]:
    data = json.loads((data_folder("schemas") / "taxonomy.json").read_text(encoding="utf-8"))
    owasp: dict[str, str] = {}
    for part in ("owasp_mcp", "owasp_agentic", "owasp_llm"):
        owasp.update(data[part]["risks"])
    safe = {key: value["name"] for key, value in data["safe_mcp"]["techniques"].items()}
    return owasp, safe


def owasp_names() -> dict[str, str]:
    """OWASP id → name of the risk."""
    return _names()[0]


def safe_mcp_names() -> dict[str, str]:
    """SAFE-MCP technique id → name."""
    return _names()[1]
