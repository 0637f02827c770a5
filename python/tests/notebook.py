"""Runs notebooks: notebook.py NOTEBOOK... With PICTURES set, keeps their pictures in that folder."""

import base64
import os
import sys
from pathlib import Path

import nbclient
import nbformat

for name in sys.argv[1:]:
    notebook = nbformat.read(name, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{name} holds outputs"
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()

    pictures = [
        output.data["image/png"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    tables = str(notebook).count("<table")
    assert pictures and tables, f"{name}: {len(pictures)} pictures, {tables} tables"
    print(f"{name}: {len(pictures)} pictures, {tables} tables")
    if folder := os.environ.get("PICTURES"):
        for number, picture in enumerate(pictures):
            Path(folder, f"{Path(name).stem}-{number}.png").write_bytes(base64.b64decode(picture))
