"""Validates JSON documents against a JSON Schema: one line each, "ok" or the first complaint.

Usage: validate_schema.py SCHEMA DOCUMENT...   Exit code 77 where the jsonschema package is missing.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        error = next(iter(validator.iter_errors(json.load(file))), None)
    print("ok" if error is None else "bad: " + error.message.replace("\n", " ")[:200])
