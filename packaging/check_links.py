#!/usr/bin/env python3
"""Checks the links of a folder of HTML pages: check_links.py FOLDER

Every relative link must lead to a file in the folder, and every fragment to an element with that id. Addresses with a scheme are not
asked; those of the project's own repository are checked by book_pages.py, which makes them. Prints each fault and ends with 1 if there
is one.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, and its links: (line, attribute, target)."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                if value in self.ids:
                    self.links.append((self.getpos()[0], "id twice", value))
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.append((self.getpos()[0], name, value))


def main(folder):
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    faults, links = [], 0
    for path, page in pages.items():
        # All pages in one, for printing: mdBook directs its links to the pages, which are checked.
        if path.name == "print.html":
            continue
        for line, attribute, value in page.links:
            links += 1
            if fault := fault_of(folder, pages, path, attribute, value):
                faults.append(f"{path.relative_to(folder)}:{line}: {attribute} {value}: {fault}")
    print("\n".join(faults + [f"{links} links on {len(pages)} pages, {len(faults)} faults"]))
    return 1 if faults else 0


def fault_of(folder, pages, page, attribute, value):
    if attribute == "id twice":
        return "an id can stand once on a page"
    parts = urlsplit(value)
    if parts.scheme or parts.netloc:
        return None
    # The page for addresses that do not exist has links from the root of the site.
    base = folder if parts.path.startswith("/") else page.parent
    path = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else page
    if path.is_dir():
        path /= "index.html"
    if not path.is_file():
        return "no such file"
    if not path.is_relative_to(folder):
        return "leads out of the site"
    if parts.fragment and path in pages and unquote(parts.fragment) not in pages[path].ids:
        return "no element with this id"
    return None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
