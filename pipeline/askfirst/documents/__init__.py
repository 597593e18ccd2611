"""Reading and writing YAML and JSON that nobody vouches for.

Every fault of a file is told as one `InputError` that names the file, the line and what to do.
"""

from askfirst.documents.json_reader import read_json
from askfirst.documents.reading import Document, quoted
from askfirst.documents.validation import validate, validate_data
from askfirst.documents.yaml_reader import read_yaml
from askfirst.documents.yaml_writer import dump_yaml

__all__ = ["Document", "dump_yaml", "quoted", "read_json", "read_yaml", "validate", "validate_data"]
