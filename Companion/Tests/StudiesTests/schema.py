"""Validates texts of study.json, one a line, against the schema named as the first argument: prints 1 or 0 for each."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
print("".join("1" if validator.is_valid(json.loads(line)) else "0" for line in sys.stdin))
