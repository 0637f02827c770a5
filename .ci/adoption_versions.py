"""Writes another version of the data description: adoption_versions.py older|newer|same|mixed:SEED FILE > NEW.

`older` lacks 24 operations and 30 fields, has three records and three operations under other names, and five fields of
another type.
`newer` has 20 additions of all kinds. What changes is chosen by its place, so the script outlives the names.
`mixed:SEED` chooses at random: it lacks 24 operations and 15 fields, has 8 fields, 3 records and 3 operations under other
names, 10 fields of another type and 20 additions.
"""

import json
import random
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
    """Names of records with plain fields, without envelopes and request bodies."""
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

    return renamed_records(document, [name for name, _ in records[2::20][:3]], "V1")


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


def renamed_records(document, names, suffix):
    text = json.dumps(document)
    for name in names:
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{name}{suffix}"')
        text = text.replace(f'"{name}": {{', f'"{name}{suffix}": {{')
    return json.loads(text)


def mixed(document, seed):
    choice = random.Random(seed)
    for path, method in choice.sample(operations(document), 24):
        del document["paths"][path][method]
        if not document["paths"][path]:
            del document["paths"][path]

    records = list(rows(document))
    fields = [(schema, field) for _, schema in records for field in schema["properties"]]
    chosen = choice.sample(fields, 33)
    for schema, field in chosen[:15]:
        del schema["properties"][field]
    for schema, field in chosen[15:23]:
        schema["properties"][f"{field}_v2"] = schema["properties"].pop(field)
    for schema, field in chosen[23:]:
        old = schema["properties"][field].get("type")
        others = [{"type": kind} for kind in SCALARS if kind != old] + [{"type": "array", "items": {"type": "string"}}]
        schema["properties"][field] = {**choice.choice(others), "description": "Publisher's words."}
    for schema, field in chosen[:23]:
        if field in schema.get("required", []):
            schema["required"].remove(field)

    found = operations(document)
    for path, method in choice.sample(found, 3):
        document["paths"][path][method]["operationId"] += "-theirs"
    for number, (path, method) in enumerate(choice.sample(found, 4)):
        added = json.loads(json.dumps(document["paths"][path][method]))
        added.update(operationId=f"fresh-{number}", tags=["Fresh" if number else added["tags"][0]])
        document["paths"][f"/gateway/v1/fresh/{number}"] = {method: added}
    for number, (_, schema) in enumerate(choice.sample(records, 8)):
        schema["properties"]["fresh"] = {"type": SCALARS[number % 4], "description": "Publisher's words."}
    parameters = [document["paths"][path][method].setdefault("parameters", []) for path, method in found]
    for number, known in enumerate(choice.sample(parameters, 4)):
        known.append({"name": "fresh", "in": "query", "required": number == 0, "description": "Publisher's words.", "schema": {"type": "string"}})
    enums = [p["schema"]["enum"] for known in parameters for p in known if "enum" in p.get("schema", {})]
    for values in choice.sample(enums, 3):
        values.append("fresh-value")
    document["components"]["schemas"]["FreshRow"] = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    choice.choice(records)[1]["properties"]["fresh_rows"] = {"type": "array", "items": {"$ref": "#/components/schemas/FreshRow"}}
    return renamed_records(document, [name for name, _ in choice.sample(records, 3)], "V2")


def main():
    document = json.load(open(sys.argv[2], encoding="utf-8"))
    kind, _, seed = sys.argv[1].partition(":")
    changes = {"older": older, "newer": newer, "same": lambda document: document, "mixed": lambda document: mixed(document, seed)}
    json.dump(changes[kind](document), sys.stdout)


main()
