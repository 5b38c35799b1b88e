#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints every text of the sources that a user can see, one per line, as FILE:LINE: TEXT; `./dev words` runs it.

These are the literals with two words or more in the C sources of the product, neighbours joined as the compiler joins
them: messages, findings, advice, help rows, headings of pictures and pages."""
import re, subprocess, sys

FOLDERS = "core model profile runner baselines compare report gate cli".split()
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|#[ \t]*include[^\n]*|\'(?:\\.|[^\'\\\n])*\'|"(?:\\.|[^"\\\n])*"|\S', re.S)


def texts(path):
    """Literals of a source with the number of their first line."""
    source = open(path, encoding="utf-8").read()
    first, parts = 0, []
    for token in TOKEN.finditer(source):
        word = token.group()
        if word.startswith('"'):
            first = first if parts else source.count("\n", 0, token.start()) + 1
            parts.append(word[1:-1])
        elif parts and not word.startswith("/*"):
            yield first, "".join(parts)
            parts = []


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--",
                             *[folder + "/*.c" for folder in FOLDERS]], capture_output=True, text=True, check=True)
    for path in sorted(listed.stdout.split()):
        for line, text in texts(path):
            if re.search(r"[A-Za-z]{2,} +[A-Za-z%`]", text):
                print(f"{path}:{line}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
