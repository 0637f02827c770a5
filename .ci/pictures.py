"""Draws the pictures of the book with the programs: pictures.py FOLDER CINTEL XTASK [CHROMIUM SANDBOX]

Terminal pictures are SVG files of the coloured output of commands, with a stopped clock.
The page of the sandbox is a PNG file, if a browser is named.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from rich.console import Console
from rich.text import Text

folder, cintel, xtask = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
browser, sandbox = sys.argv[4:6] if len(sys.argv) > 5 else (None, None)
COLUMNS = 100
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": os.environ.get("HOME", "/"),
    "CINTEL_SANDBOX": "1",
    "CINTEL_QUIET": "1",
    "CINTEL_SANDBOX_CLOCK": "1780000000",
    "CLICOLOR_FORCE": "1",
    "COLUMNS": str(COLUMNS),
    "TERM": "xterm-256color",
}

TERMINALS = {
    "chart": ["cintel market-price BTC --time-range 30d --chart"],
    "dry-run": [
        "cintel equity-income-statement AAPL --period annual --dry-run",
        "cintel market-ranking --limit 6 --output table --fields rank,symbol,price_usd,market_cap_usd,change_24h_pct",
    ],
}


def draw(name, commands, programs):
    """Writes the output of commands as a picture of a terminal."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)
    for command in commands:
        words = command.split()
        words[0] = programs[words[0]]
        run = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        console.print(Text.from_ansi(f"\x1b[1m$ {command}\x1b[0m"))
        console.print(Text.from_ansi(run.stdout.rstrip() + "\n"))
    # The file contains an identifier; a fixed one makes the files equal.
    svg = console.export_svg(title=commands[0].split()[0], unique_id=f"picture-{name}")
    (folder / f"{name}.svg").write_text(svg)


def diff():
    """The changes of a description for a reviewer: the committed description, compared with four edits of it."""
    import json

    text = pathlib.Path("spec/data.openapi.json").read_text()
    document = json.loads(text)
    ranking = document["components"]["schemas"]["MarketTopCoinItem"]["properties"]
    ranking["dominance"] = {"type": "number", "description": "Share of the whole market, from 0 to 1."}
    del ranking["ath_date"]
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(document, file)
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)
    run = subprocess.run([xtask, "diff", "spec/data.openapi.json", file.name], capture_output=True, text=True)
    console.print(Text.from_ansi("\x1b[1m$ cargo xtask diff spec/data.openapi.json new.json\x1b[0m"))
    console.print(Text.from_ansi(run.stdout.replace(file.name, "new.json")))
    (folder / "diff.svg").write_text(console.export_svg(title="xtask", unique_id="picture-diff"))
    os.unlink(file.name)


def page():
    """A screenshot of the sandbox's page."""
    service = subprocess.Popen(
        [sandbox, "--port", "0", "--clock", "2026-05-28"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        address = next(word for line in service.stdout for word in line.split() if word.startswith("http://"))
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={tempfile.mkdtemp()}", "--window-size=1280,860", "--virtual-time-budget=4000",
             f"--screenshot={folder / 'page.png'}", address],
            check=True, capture_output=True,
        )
    finally:
        service.terminate()


folder.mkdir(parents=True, exist_ok=True)
for name, commands in TERMINALS.items():
    draw(name, commands, {"cintel": cintel})
diff()
if browser:
    page()
print(f"pictures in {folder}")
