"""Calling language models: one way in, with every outcome typed, every answer kept and every call on the ledger."""
