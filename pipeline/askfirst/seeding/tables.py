"""The rows of a file with seeds in it: YAML, JSON or CSV, each row with the words that locate it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askfirst.documents import Document, quoted, read_json, read_yaml
from askfirst.documents.reading import quoted_path, read_text
from askfirst.documents.validation import closest
from askfirst.errors import InputError
from askfirst.seeding.rows import FIELDS

MAX_BYTES = 20_000_000
"""The largest file that is imported."""

_DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class Row:
    """One row as it came, before anything is checked."""

    number: int
    """Place in the file, from 1; in CSV the header is row 1, as a spreadsheet counts."""
    values: Any
    document: Document | None = field(default=None, repr=False)
    pointer: str = ""
    file: str = ""
    fault: str = ""
    """What is wrong with the row as such."""

    def place(self, pointer: str) -> str:
        """File and line, or file and row, of one field."""
        if self.document is not None:
            return self.document.place(self.pointer + pointer)
        return f"{self.file}: row {self.number}"


@dataclass(frozen=True)
class Rows:
    """All rows of a file, and the columns that belong to no field."""

    rows: tuple[Row, ...]
    ignored: tuple[str, ...] = ()


def read_rows(path: Path, columns: Mapping[str, str] | None = None) -> Rows:
    """The rows of a file, by its suffix: `.yaml`, `.yml`, `.json` or `.csv`; `columns` maps fields to CSV columns.

    Raises InputError when the file as a whole cannot be used.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _csv_rows(path, columns or {})
    if suffix not in (".yaml", ".yml", ".json"):
        raise InputError(
            f"cannot tell what {quoted(path.name)} holds.",
            where=quoted_path(path),
            hint="Name a file that ends in .yaml, .json or .csv.",
        )
    if columns:
        raise InputError("a column map goes with a CSV file.", where=quoted_path(path), hint="Leave it out.")
    read = read_json if suffix == ".json" else read_yaml
    return Rows(tuple(_document_rows(read(path, limit_bytes=MAX_BYTES))))


def read_column_map(source: Path | Iterable[str]) -> dict[str, str]:
    """Our field to their column, from a YAML file or from `field=column` pairs. Raises InputError."""
    if isinstance(source, Path):
        document = read_yaml(source)
        if not isinstance(document.data, dict) or not all(isinstance(c, str) for c in document.data.values()):
            raise InputError(
                "a column map is a mapping of field to column.",
                where=document.place(""),
                hint="Write lines such as `title: Incident`.",
            )
        columns, where = {str(name): str(column) for name, column in document.data.items()}, str(source)
    else:
        columns, where = {}, "the column map"
        for pair in source:
            name, sign, column = (part.strip() for part in pair.partition("="))
            if not (name and sign and column) or name in columns:
                raise InputError(f"{quoted(pair)} is not one pair.", where=where, hint="Write field=column, each once.")
            columns[name] = column
    taken: dict[str, str] = {}
    for name, column in columns.items():
        if column in taken:
            message = f"the fields {quoted(taken[column])} and {quoted(name)} would both take column {quoted(column)}."
            raise InputError(message, where=where, hint="Give each field a column of its own.")
        taken[column] = name
        if name not in FIELDS:
            hint = f"Fields are: {', '.join(FIELDS)}."
            raise InputError(f"a seed has no field {quoted(name)}{closest(name, FIELDS)}", where=where, hint=hint)
    return columns


def _document_rows(document: Document) -> Iterable[Row]:
    data, base = document.data, ""
    if isinstance(data, dict) and set(data) == {"seeds"}:
        data, base = data["seeds"], "/seeds"
    single = isinstance(data, dict)
    if single:
        data = [data]
    if not isinstance(data, list):
        raise InputError(
            "there are no seeds in this file.",
            where=document.place(""),
            hint="Give one seed, a list of seeds, or a list under the key seeds.",
        )
    for index, values in enumerate(data):
        pointer = base if single else f"{base}/{index}"
        fault = "" if isinstance(values, dict) else "is not a mapping of fields to values"
        yield Row(index + 1, values, document=document, pointer=pointer, fault=fault)


def _csv_rows(path: Path, columns: Mapping[str, str]) -> Rows:
    text = read_text(path, MAX_BYTES)
    name = quoted_path(path)
    lines = _csv_lines(text, _delimiter(text, columns), name)
    header = [cell.strip() for cell in next(iter(lines), [])]
    fields = _fields(header, columns, name)
    rows: list[Row] = []
    for number, cells in enumerate(lines[1:], start=2):
        if not any(cell.strip() for cell in cells):
            continue
        extra = [cell for cell in cells[len(header) :] if cell.strip()]
        fault = f"has {len(cells)} cells, but the header has {len(header)}" if extra else ""
        values = {fields[index]: cell for index, cell in enumerate(cells) if index in fields}
        rows.append(Row(number, values, file=name, fault=fault))
    return Rows(tuple(rows), tuple(column for index, column in enumerate(header) if index not in fields and column))


def _csv_lines(text: str, delimiter: str, name: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[list[str]] = []
    try:
        lines.extend(reader)
    except csv.Error as error:
        message = f"the CSV cannot be read: {error}."
        raise InputError(message, where=f"{name}:{reader.line_num}", hint="Check the quotes in this row.") from error
    return lines


def _delimiter(text: str, columns: Mapping[str, str]) -> str:
    """The sign between the columns: the one that makes the most known columns of the first line."""
    known = {*FIELDS, *columns.values()}
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=lambda d: sum(cell.strip().strip('"') in known for cell in first.split(d)))


def _fields(header: list[str], columns: Mapping[str, str], name: str) -> dict[int, str]:
    """Index of a column to the field that it fills. Raises InputError for a header that cannot be used."""
    for column in header:
        if column and header.count(column) > 1:
            raise InputError(f"two columns are called {quoted(column)}.", where=f"{name}:1", hint="Rename one of them.")
    fields: dict[int, str] = {}
    for field_name, column in columns.items():
        if column not in header:
            near = closest(column, header)
            hint = f"The columns are: {', '.join(quoted(c) for c in header if c)}."
            raise InputError(f"there is no column {quoted(column)}{near}", where=f"{name}:1", hint=hint)
        fields[header.index(column)] = field_name
    for index, column in enumerate(header):
        if column in FIELDS and column not in columns and index not in fields:
            fields[index] = column
    if not fields:
        hint = f"Give a column map, or call the columns after the fields: {', '.join(FIELDS)}."
        raise InputError("no column has the name of a field.", where=f"{name}:1", hint=hint)
    return fields
