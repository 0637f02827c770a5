"""Additional checks for the schema tester; see .ci/schema-tester."""

import json
import os
import pathlib
import re

import schemathesis


DESCRIPTION = json.loads(pathlib.Path(os.environ["DESCRIPTION"]).read_text())


def described(operation, name):
    """Returns the schema of a parameter or of a field of the body; None if there is none."""
    for place in (operation.query, operation.path_parameters, operation.headers):
        for parameter in place:
            if parameter.name == name:
                return parameter.definition.get("schema", {})
    # References keep their original names, because the tester changes them.
    written = DESCRIPTION["paths"][operation.path][operation.method.lower()]
    for body in written.get("requestBody", {}).get("content", {}).values():
        schema = body["schema"]
        if "$ref" in schema:
            schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        member = schema.get("properties", {}).get(name.split(".")[0])
        if member is not None:
            return member
    return None


@schemathesis.check
def allowed_values_are_taken(ctx, response, case):
    """A request that the description allows may be refused with 422 for a text whose form only prose
    tells, such as a moment or an address, and for nothing else."""
    meta = case.meta
    if response.status_code != 422 or meta is None or not meta.generation.mode.is_positive:
        return

    message = response.json()["error"]["message"]
    names = re.findall(r"`([\w.]+)`", message)
    schema = described(case.operation, names[0]) if names else None
    is_free = schema is not None and "enum" not in schema and schema.get("type", "string") == "string"
    if not is_free:
        raise AssertionError(f"the description allows what was refused: {message}")
