#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The command of docs/FLAMEGRAPHS.md makes a still image of a picture, with its colours and texts.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
command -v rsvg-convert >/dev/null || skip_all "rsvg-convert is not installed (librsvg2-bin)"
cd "$WORK" || exit 1

command=$(sed -n 's/^    \(rsvg-convert .*\)$/\1/p' "$SOURCE_DIR/docs/FLAMEGRAPHS.md")
check "the documents have a command" test -n "$command"
printf 'main;slow %s\nmain;keep 400\n' 300 >./base && printf 'main;slow %s\nmain;keep 400\n' 900 >./head

# still BASE HEAD: flame.png of the differential picture, by that command.
still() { "$FIREBREAK" diff -o flame.svg "$1" -- "$2" && sh -c "$command"; }
# colours NAME: the number of pixels of the image that are orange, blue, and as dark as text.
colours() {
	python3 - <<'PY'
import struct, zlib
data = open("flame.png", "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, packed = 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at : at + 8])
    body = data[at + 8 : at + 8 + size]
    if kind == b"IHDR":
        width, height, depth, form = struct.unpack(">IIBB", body[:10])
    packed += body if kind == b"IDAT" else b""
    at += 12 + size
assert depth == 8 and form in (2, 6), "eight bits of red, green and blue, and perhaps alpha"
step = 4 if form == 6 else 3
raw, line, rows = zlib.decompress(packed), step * width, [bytearray(step * width)]
for y in range(height):
    how, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1 : (y + 1) * (line + 1)])
    above = rows[-1]
    for x in range(line):
        a, b, c = (row[x - step] if x >= step else 0), above[x], (above[x - step] if x >= step else 0)
        p = a + b - c
        paeth = min((a, b, c), key=lambda one: abs(p - one))
        row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
    rows.append(row)
pixels = [tuple(row[x : x + 3]) for row in rows[1:] for x in range(0, line, step)]
print(width, sum(r > 200 and b < 120 for r, g, b in pixels), sum(b > 200 and r < 170 for r, g, b in pixels), sum(max(p) < 70 for p in pixels))
PY
}
check "it makes an image" still base head
read -r width orange blue dark < <(colours)
check "as wide as it says" is "$width" 1200
check "with the colour of what is slower" test "$orange" -gt 5000
check "more of it than of the other" test "$orange" -gt "$((4 * blue))"
check "and with texts" test "$dark" -gt 500
check "the other way round" still head base
read -r width orange blue dark < <(colours)
check "it is blue" test "$blue" -gt 5000
check "and not orange" test "$blue" -gt "$((4 * orange))"
finish
