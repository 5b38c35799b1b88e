# SPDX-License-Identifier: Apache-2.0
"""Reads what `firebreak export` writes, by the formats' own documents and without a line of firebreak's, and prints it
as folded stacks: `PART stack;of;names VALUE...`. Whatever a format forbids ends it with a message.

    python3 exported.py pprof|speedscope|firefox FILE
"""
import gzip
import json
import sys


def check(condition, message):
    if not condition:
        sys.exit("not valid: " + message)


# --- pprof: the wire format of protocol buffers, then profile.proto
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        check(shift <= 70, "a number of more than ten bytes")
        if byte < 0x80:
            return value, at


def fields(data):
    """{number: [value, ...]}: integers, or bytes."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            check(key & 7 == 2, "wire type %d" % (key & 7))
            length, at = varint(data, at)
            check(at + length <= len(data), "a field that is cut off")
            value, at = data[at : at + length], at + length
        found.setdefault(key >> 3, []).append(value)
    return found


def packed(parts):
    numbers = []
    for part in parts:
        at = 0
        while at < len(part):
            number, at = varint(part, at)
            numbers.append(number - (1 << 64) if number >> 63 else number)
    return numbers


def by_id(messages):
    rows = {}
    for message in messages:
        row = fields(message)
        check(row[1][0] != 0 and row[1][0] not in rows, "an id that is 0 or there twice")
        rows[row[1][0]] = row
    return rows


def read_pprof(path):
    data = gzip.open(path).read()
    check(open(path, "rb").read()[4:8] == b"\0\0\0\0", "a time in the header of gzip")
    profile = fields(data)
    strings = [text.decode("utf-8") for text in profile[6]]
    check(strings[0] == "", "the first string is not empty")
    types = [fields(entry) for entry in profile[1]]
    print("types", *("%s/%s" % (strings[t[1][0]], strings[t[2][0]]) for t in types))
    functions, locations = by_id(profile[5]), by_id(profile[4])
    mappings = by_id(profile.get(3, []))
    for location in locations.values():
        check(2 not in location or location[2][0] in mappings, "a location of no mapping")
    for mapping in mappings.values():
        print("mapping", strings[mapping[5][0]])
    for time in profile.get(9, []):
        print("time", time)
    for number in packed(profile.get(13, [])):
        print("comment", strings[number])
    for sample in profile[2]:
        sample = fields(sample)
        values = packed(sample[2])
        check(len(values) == len(types), "a sample with %d values" % len(values))
        names = []
        for number in packed(sample[1]):
            lines = [fields(line)[1][0] for line in locations[number][4]]
            names += [strings[functions[line].get(2, [0])[0]] for line in lines]
        labels = [fields(label) for label in sample.get(3, [])]
        part = ",".join("%s=%s" % (strings[l[1][0]], strings[l[2][0]]) for l in labels) or "-"
        print(part, ";".join(reversed(names)), *values)


# --- speedscope
def read_speedscope(path):
    root = json.load(open(path, encoding="ascii"))
    check(root["$schema"] == "https://www.speedscope.app/file-format-schema.json", "the schema")
    frames = root["shared"]["frames"]
    check(0 <= root["activeProfileIndex"] < len(root["profiles"]), "the active profile")
    for profile in root["profiles"]:
        check(profile["type"] == "sampled" and profile["unit"] in ("none", "nanoseconds", "bytes"), "type or unit")
        samples, weights = profile["samples"], profile["weights"]
        check(len(samples) == len(weights), "samples without weight")
        check(all(weight > 0 for weight in weights), "a weight that is not above 0")
        check(profile["endValue"] - profile["startValue"] == sum(weights), "endValue is not the sum of the weights")
        print("unit", profile["unit"])
        for stack, weight in zip(samples, weights):
            check(all(0 <= row < len(frames) for row in stack), "a frame that is not there")
            print(profile["name"], ";".join(frames[row]["name"] for row in stack), weight)


# --- the Firefox Profiler
def table_of(holder, name):
    table = holder[name]
    for column, cells in table.items():
        if isinstance(cells, list):
            check(len(cells) == table["length"], "%s.%s has %d rows" % (name, column, len(cells)))
    return table


def read_firefox(path):
    root = json.load(open(path, encoding="ascii"))
    check(root["meta"]["preprocessedProfileVersion"] == 60, "the version")
    check(root["meta"]["categories"][0]["color"] == "grey", "no category that is the default")
    shared = root["shared"]
    texts, functions = shared["stringArray"], table_of(shared, "funcTable")
    resources, sources = table_of(shared, "resourceTable"), table_of(shared, "sources")
    stacks, frames = table_of(shared, "stackTable"), table_of(shared, "frameTable")
    for resource, source in zip(functions["resource"], functions["source"]):
        check(-1 <= resource < resources["length"], "a resource that is not there")
        check(source is None or 0 <= source < sources["length"], "a source that is not there")
    for i, (prefix, frame) in enumerate(zip(stacks["prefix"], stacks["frame"])):
        check(prefix is None or 0 <= prefix < i, "a stack before its prefix")
        check(0 <= frame < frames["length"], "a frame that is not there")
    for thread in root["threads"]:
        samples = table_of(thread, "samples")
        check(all(delta >= 0 for delta in samples["timeDeltas"]), "time that goes back")
        print("unit", samples["weightType"])
        for stack, weight in zip(samples["stack"], samples["weight"]):
            names = []
            while stack is not None:
                names.append(texts[functions["name"][frames["func"][stacks["frame"][stack]]]])
                stack = stacks["prefix"][stack]
            print(thread["name"], ";".join(reversed(names)), weight)


sys.stdout.reconfigure(encoding="utf-8")
{"pprof": read_pprof, "speedscope": read_speedscope, "firefox": read_firefox}[sys.argv[1]](sys.argv[2])
