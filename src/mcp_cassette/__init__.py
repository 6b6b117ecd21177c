"""mcp-cassette: lint, and beside it record and replay, for Model Context Protocol sessions."""

__version__ = "0.1.0"
