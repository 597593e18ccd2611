"""Reading and writing YAML and JSON that nobody vouches for.

Every fault of a file is told as one `InputError` that names the file, the line and what to do.
"""

from askfirst.documents.json_reader import read_json
from askfirst.documents.reading import Document, pointer_to, quoted, texts_in
from askfirst.documents.validation import validate, validate_data
from askfirst.documents.yaml_reader import document_of, read_yaml
from askfirst.documents.yaml_writer import dump_yaml

__all__ = [
    "Document",
    "document_of",
    "dump_yaml",
    "pointer_to",
    "quoted",
    "read_json",
    "read_yaml",
    "texts_in",
    "validate",
    "validate_data",
]
