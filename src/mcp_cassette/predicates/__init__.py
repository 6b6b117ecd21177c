"""Code behind ``predicate = "name"`` in a pack: a closed table of what a regular expression cannot say."""
