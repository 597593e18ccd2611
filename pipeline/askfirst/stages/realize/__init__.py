"""Stage 4: from a blueprint to the realized tasks of both variants. The same blueprint gives the same tasks."""
