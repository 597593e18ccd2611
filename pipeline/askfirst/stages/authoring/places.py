"""Saying of a fault at which place of the carrier it arose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from askfirst.catalog.load import Catalog
from askfirst.errors import DeclarationError
from askfirst.models.carrier import Carrier


@contextmanager
def at(pointer: str) -> Iterator[None]:
    """Name the place of a fault inside. Where one lies in another, the innermost stays."""
    try:
        yield
    except DeclarationError as fault:
        if fault.where is not None:
            raise
        raise DeclarationError(fault.message, where=pointer, hint=fault.hint) from fault


@contextmanager
def in_file_of(carrier: Carrier, catalog: Catalog) -> Iterator[None]:
    """Turn the place of a fault inside, a pointer into the carrier, into the carrier's file and line."""
    try:
        yield
    except DeclarationError as fault:
        where = catalog.place("carrier", carrier.carrier, fault.where or "")
        raise DeclarationError(fault.message, where=where, hint=fault.hint) from fault
