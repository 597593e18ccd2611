"""The artifacts: frozen, closed pydantic models, each with a schema version and a content hash."""
