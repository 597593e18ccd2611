"""What the fields of the models mean: the texts below them in the source, for schemas and pages."""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise

from pydantic import BaseModel


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """Field name to the text below it, on one line; inherited fields count. Fields without a text are left out."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if issubclass(cls, BaseModel) and cls is not BaseModel:
            found |= _texts_of(cls)
    return found


def _texts_of(cls: type[BaseModel]) -> dict[str, str]:
    declared = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(declared, ast.ClassDef), "the source of a class is a class"
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(declared.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
