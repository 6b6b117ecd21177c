"""Bytes on disk ↔ entries."""
