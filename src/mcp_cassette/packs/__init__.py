"""TOML → compiled rules: load, check, compile. Packs are data; nothing in them is ever executed."""
