#!/usr/bin/env python3
"""A preprocessor of mdBook for docs/: it makes the generated parts of pages and directs relative links.

mdBook runs it as docs/book.toml says. `WARCORPUS` names the program; without it, the one in PATH is asked. Nothing that is made
here is stored, so no page can differ from the program that the book is built with.

- `<!-- generated: settings -->` stands for the settings of `warcorpus config`,
- `<!-- generated: commands -->` for the help of every command,
- `<!-- generated: columns -->` for the columns of all tables, from schemas/*.toml and docs/columns.md.

Pages are written for a reader of the repository. A relative link to a page of the book becomes a link in the book, one to any
other file of the repository becomes its address on the repository's server. A link to nothing ends the build.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
import tomllib

ROOT = Path(__file__).resolve().parent.parent

# Files outside of docs/ that are pages of the book, and the pages that include them.
INCLUDED = {"CHANGELOG.md": "changelog.md", "benches/README.md": "benchmarks.md"}


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    chapters = list(chapters_of(book.get("items", book.get("sections"))))
    pages = {chapter["source_path"]: chapter["name"] for chapter in chapters}
    if forgotten := {page.name for page in (ROOT / "docs").glob("*.md")} - {*pages, "SUMMARY.md"}:
        sys.exit(f"docs/SUMMARY.md lacks {', '.join(sorted(forgotten))}")
    for chapter in chapters:
        chapter["content"] = directed(generated(chapter["content"]), chapter["source_path"], pages)
    json.dump(book, sys.stdout)


def chapters_of(items):
    for item in items:
        if isinstance(item, dict) and (chapter := item.get("Chapter")):
            if chapter["source_path"]:
                yield chapter
            yield from chapters_of(chapter["sub_items"])


# Generated parts


def generated(text):
    parts = {"settings": settings, "commands": commands, "columns": columns}
    return re.sub(r"<!-- generated: (\w+) -->", lambda marker: parts[marker[1]](), text)


def told(*arguments):
    """What the program prints."""
    program = os.environ.get("WARCORPUS", "warcorpus")
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def commands():
    """A section for each command. The list of commands is that of `warcorpus --help`."""
    overview = told("--help")
    listed = re.search(r"^Commands:\n(.*?)\n\n", overview, re.S | re.M)[1]
    names = re.findall(r"^  ([a-z-]+) ", listed, re.M)
    parts = [f"```text\n{overview}```"]
    for name in names:
        if name != "help":
            parts.append(f"## `{name}`\n\n```text\n{told(name, '--help')}```")
    return "\n\n".join(parts)


def settings():
    """A heading for each section and for each group of settings that share a comment."""
    # The comment at the top of the file is about the file.
    lines = told("config").split("\n\n", 1)[1].splitlines()
    written, comment, section, group = [], [], "", []

    def close():
        if group:
            names, values, about = [name for name, _ in group], [value for _, value in group], comment_of_group
            anchors = "".join(f'<span id="{section}.{name}"></span>' for name in names[1:])
            titles = ", ".join(f"`{section}.{name}`" for name in names)
            written.append(f"### {titles} {{#{section}.{names[0]}}}\n")
            defaults = ", ".join(f"`{value}`" for value in values)
            written.append(f"{anchors}Default: {defaults}\n\n{prose(about)}\n")
            group.clear()

    comment_of_group = []
    for line in lines:
        if line.startswith("#"):
            if group:
                close()
            comment.append(line[1:].removeprefix(" "))
        elif heading := re.fullmatch(r"\[(\w+)\]", line):
            close()
            section = heading[1]
            written.append(f"## `[{section}]` {{#{section}}}\n\n{prose(comment)}\n")
            comment = []
        elif pair := re.fullmatch(r"(\w+) = (.*)", line):
            if comment:
                comment_of_group, comment = comment, []
            group.append((pair[1], pair[2]))
        elif line:
            sys.exit(f"`warcorpus config` has a line that is no setting: {line}")
    close()
    return "\n".join(written)


def prose(comment):
    """The lines of a comment as Markdown: lines with deeper indentation are items of a list."""
    text = ""
    for line in comment:
        if item := re.match(r"  (\S.*?)  +(\S.*)", line):
            text += f"\n- {item[1]}: {item[2]}"
        else:
            text += f" {line.strip()}" if text else line.strip()
    # Names and values are code already or stand in quotation marks; of the rest, nothing is markup.
    parts = re.split(r'(`[^`]*`|"[^"\n]*")', text)
    parts[1::2] = [part if part.startswith("`") else f"`{part}`" for part in parts[1::2]]
    parts[0::2] = [re.sub(r"([<>*_\[\]{}|])", r"\\\1", part) for part in parts[0::2]]
    text = "".join(parts)
    page = r"\b(docs|benches)/([\w-]+\.md)"
    return re.sub(page, lambda m: f"[{m[2]}]({'' if m[1] == 'docs' else '../benches/'}{m[2]})", text.replace("\\_", "_"))


def columns():
    """A table for each schema: column and type, meaning."""
    types = types_of_columns()
    parts = []
    for name in ["documents", "paragraphs", "signals", "pii", "texts", "changes"]:
        schema = tomllib.loads((ROOT / "schemas" / f"{name}.toml").read_text())
        parts.append(f"## `{name}` {{#{name}}}\n\n| column | meaning |\n| --- | --- |")
        for column, meaning in schema["columns"].items():
            meaning = re.sub(r"([<>*|\[\]])", r"\\\1", meaning)
            # Name and type share a cell, so that the meaning has room on a phone.
            parts.append(f"| `{column}`<br>{types.get((name, column), '')} | {meaning} |")
        parts.append("")
    return "\n".join(parts)


def types_of_columns():
    """(table, column) → type, as docs/columns.md lists them below the heading of each table."""
    types, tables = {}, []
    for line in (ROOT / "docs/columns.md").read_text().splitlines():
        if line.startswith("## "):
            tables = re.findall(r"`(\w+)`", line)
        elif row := re.fullmatch(r"\| (\w[^|`]*) \| (`.*) \|", line):
            for column in re.findall(r"`(\w+)`", row[2]):
                types.update({(table, column): row[1] for table in tables})
    return types


# Links


def directed(text, page, pages):
    """The text with the targets of its relative links replaced. A link that is named after a file gets the name of the page."""
    parts = re.split(r"(^(?:```|~~~~).*?^(?:```|~~~~)$|`[^`\n]+`)", text, flags=re.S | re.M)
    included = {name: Path(file).parent for file, name in INCLUDED.items()}
    folder = included.get(page, Path("docs"))

    def link(found):
        return f"]({target(found[1], folder, page, pages)})"

    def named(found):
        name = os.path.normpath(folder / found[2].partition("#")[0])
        name = INCLUDED.get(name, name.removeprefix("docs/"))
        return f"[{pages.get(name, found[1])}]({found[2]})"

    # The text between code is even; a link whose text is code alone ends there, too.
    parts[0::2] = [re.sub(r"\[([\w/]+\.md)\]\(([^)\s]+)\)", named, part) for part in parts[0::2]]
    parts[0::2] = [re.sub(r"\]\(([^)\s]+)\)", link, part) for part in parts[0::2]]
    return "".join(parts)


def target(link, folder, page, pages):
    path, hash_, fragment = link.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return link
    file = os.path.normpath(folder / path)
    fragment = hash_ + fragment
    if file in INCLUDED:
        return INCLUDED[file] + fragment
    if file.startswith("docs/"):
        name = file.removeprefix("docs/")
        if name in pages:
            return ("index.md" if name == "README.md" else name) + fragment
        if not name.endswith(".md") and (ROOT / file).is_file():
            return name
    if not (ROOT / file).exists():
        sys.exit(f"docs/{page}: {link} leads to nothing")
    if fragment and fragment[1:] not in anchors(ROOT / file):
        sys.exit(f"docs/{page}: {file} has no heading for {fragment}")
    kind = "tree" if (ROOT / file).is_dir() else "blob"
    return f"{repository()}/{kind}/main/{file}{fragment}"


def anchors(file):
    """The anchors that the repository's server makes of the headings of a Markdown file."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", file.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def repository():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["repository"]


main()
