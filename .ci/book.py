"""Checks the links of the built book, and writes llms.txt and a Markdown twin beside each page: book.py FOLDER"""

import html.parser
import pathlib
import re
import shutil
import sys
import urllib.parse

book = pathlib.Path(sys.argv[1])
pages = book / "html"


class Links(html.parser.HTMLParser):
    """Collects the addresses and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif (tag, name) in {("a", "href"), ("img", "src")} and value:
                self.links.append(value)


def broken_links():
    """Links to files or anchors of the book that do not exist."""
    parsed = {page: Links(page.read_text()) for page in pages.rglob("*.html")}
    for page, content in parsed.items():
        if page.name in {"print.html", "404.html", "toc.html"}:
            continue
        for link in content.links:
            address = urllib.parse.urlparse(link)
            if address.scheme or link.startswith(("/", "#")):
                continue
            target = (page.parent / urllib.parse.unquote(address.path)).resolve()
            if not target.exists():
                yield f"{page.relative_to(pages)}: {link} does not exist"
            elif address.fragment and target in parsed and address.fragment not in parsed[target].anchors:
                yield f"{page.relative_to(pages)}: {link} has no such heading"


def write_twins():
    """Copies the Markdown of each page beside its HTML, and lists all pages in llms.txt."""
    lines = ["# crypto-intel", "", "> Client, command line, tables and sandbox of a crypto intelligence service.", ""]
    for line in pathlib.Path("docs/book/src/SUMMARY.md").read_text().splitlines():
        if heading := re.match(r"# (?!Summary)(.+)", line):
            lines += ["", f"## {heading[1]}", ""]
        elif link := re.search(r"\[(.+)\]\((.+)\)", line):
            lines.append(f"- [{link[1]}]({link[2]})")

    for page in (book / "markdown").rglob("*.md"):
        twin = pages / page.relative_to(book / "markdown")
        twin.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, twin)
    (pages / "llms.txt").write_text("\n".join(lines).strip() + "\n")


broken = list(broken_links())
if broken:
    sys.exit("\n".join(broken))
write_twins()
print(f"{len(list(pages.rglob('*.html')))} pages, all links of the book lead somewhere")
