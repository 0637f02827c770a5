"""Writes another version of the data description: adoption_versions.py older|newer|same FILE > NEW.

`older` lacks 24 operations and 30 fields, has three records and three operations under other names, and five fields of
another type.
`newer` has 20 additions of all kinds. What changes is chosen by its place, so the script outlives the names.
"""

import json
import sys

SCALARS = ("integer", "number", "string", "boolean")


def operations(document):
    return [
        (path, method)
        for path, item in sorted(document["paths"].items())
        for method in sorted(item)
        if method in ("get", "post", "put", "delete", "patch")
    ]


def rows(document):
    """Names of records that hold plain fields and are no envelope or request body."""
    for name, schema in sorted(document["components"]["schemas"].items()):
        properties = schema.get("properties", {})
        is_envelope = "data" in properties or "meta" in properties or name.endswith("Body")
        if not is_envelope and len(properties) > 3 and "Error" not in name:
            yield name, schema


def older(document):
    for path, method in operations(document)[::4][:24]:
        del document["paths"][path][method]
        if not document["paths"][path]:
            del document["paths"][path]

    records = list(rows(document))
    for name, schema in records[::3][:30]:
        field = sorted(schema["properties"])[-1]
        del schema["properties"][field]
        if field in schema.get("required", []):
            schema["required"].remove(field)

    retyped = 0
    for name, schema in records[1::3]:
        numbers = [f for f, s in sorted(schema["properties"].items()) if s.get("type") in ("integer", "number")]
        if numbers and retyped < 5:
            schema["properties"][numbers[0]] = {"type": "string", "description": "Publisher's words."}
            retyped += 1

    for path, method in operations(document)[3::25][:3]:
        document["paths"][path][method]["operationId"] += "-theirs"

    text = json.dumps(document)
    for name, _ in records[2::20][:3]:
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{name}V1"')
        text = text.replace(f'"{name}": {{', f'"{name}V1": {{')
    return json.loads(text)


def newer(document):
    schemas = document["components"]["schemas"]
    records = list(rows(document))
    for number, (name, schema) in enumerate(records[:8]):
        kind = ({"type": SCALARS[number % 4]}, {"type": "array", "items": {"type": "string"}})[number > 5]
        schema["properties"]["fresh_field"] = {**kind, "description": "Publisher's words."}

    found = operations(document)
    for path, method in found[:4]:
        document["paths"][path + "/fresh"] = {method: json.loads(json.dumps(document["paths"][path][method]))}
        document["paths"][path + "/fresh"][method]["operationId"] += "-fresh"
    schemas["FreshRow"] = {"type": "object", "properties": {"id": {"type": "string"}, "state": {"type": "string", "enum": ["on", "off"]}}, "required": ["id"]}
    records[8][1]["properties"]["fresh_row"] = {"$ref": "#/components/schemas/FreshRow"}

    gets = [document["paths"][path][method] for path, method in found if method == "get"]
    for operation in gets[5:8]:
        operation.setdefault("parameters", []).append({"name": "fresh", "in": "query", "description": "Publisher's words.", "schema": {"type": "string"}})
    enums = [p["schema"]["enum"] for operation in gets for p in operation.get("parameters", []) if "enum" in p["schema"]]
    for values in enums[:3]:
        values.append("fresh-value")
    document["info"]["version"] = "9.0.0"
    return document


def main():
    document = json.load(open(sys.argv[2], encoding="utf-8"))
    change = {"older": older, "newer": newer, "same": lambda document: document}[sys.argv[1]]
    json.dump(change(document), sys.stdout)


main()
