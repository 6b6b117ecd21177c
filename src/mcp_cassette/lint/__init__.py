"""Files × rules → findings: selection, engine, structural checks, gate, report."""
