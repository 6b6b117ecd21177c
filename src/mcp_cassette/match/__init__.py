"""One text against one rule: views, spans, windows, budget."""
