#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Forms of a result for other programs are read by parsers of another hand: JUnit XML, code quality, workflow commands,
# OpenMetrics, Markdown, and the formats of benchmark trackers, of a usual result and of one full of hostile names.
set -eu
build=$(dirname "$FIREBREAK")
for name in junit codequality githubcommands openmetrics benchinterchange summarymd comment; do
	program=$build/tests/${name}_test
	[ -x "$program" ] || { echo "skipped: $program is not built"; exit 77; }
	"$program" >/dev/null 2>&1 || { echo "$program fails"; exit 1; }
done
python3 - "$build" "$SOURCE_DIR/tests/golden/report/annotations.txt" <<'PY'
import html.parser, json, os, re, shutil, subprocess, sys
import xml.etree.ElementTree as ET

build, annotations = sys.argv[1:]
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def read(name):
    return open(os.path.join(build, "texts-" + name), encoding="utf-8", newline="").read()


def junit(text):
    root = ET.fromstring(text)
    suite, = root
    cases = list(suite)
    assert root.tag == "testsuites" and suite.tag == "testsuite"
    for element in (root, suite):
        assert int(element.get("tests")) == len(cases) > 0
        for word, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(word)) == sum(case.find(tag) is not None for case in cases), word
    names = [f"{case.get('name')}@{case.get('classname')}" for case in cases]
    assert len(set(names)) == len(names), "names are not unique"
    for case in cases:
        assert case.tag == "testcase" and case.get("classname")
        assert {child.tag for child in case} <= {"failure", "error", "skipped", "system-out"} and len(case) == 1
    assert not HIDDEN.search("".join(root.itertext()))
    return cases


def strict_json(text):
    def unique(pairs):
        assert len(dict(pairs)) == len(pairs), "a key twice"
        return dict(pairs)
    return json.loads(text, object_pairs_hook=unique, parse_constant=lambda word: sys.exit(f"{word} in JSON"))


def codequality(text):
    issues = strict_json(text)
    assert isinstance(issues, list) and not text.startswith("\ufeff")
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert re.fullmatch("[0-9a-f]{64}", issue["fingerprint"])
        path = issue["location"]["path"]
        assert path and not path.startswith(("/", "./")) and ".." not in path.split("/"), path
        assert type(issue["location"]["lines"]["begin"]) is int and issue["location"]["lines"]["begin"] >= 1
        assert not HIDDEN.search(issue["description"]) and "\n" not in issue["description"]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return issues


def workflow_commands(text):
    """As actions/runner reads them: a command, its properties, its message."""
    commands = []
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert found, line
        properties = dict(part.split("=", 1) for part in found[2].split(","))
        assert set(properties) <= {"file", "line", "title"} and "title" in properties, line
        assert ("file" in properties) == ("line" in properties)
        assert not HIDDEN.search(line) and len(found[3].encode()) <= 1024
        commands.append((found[1], properties, found[3]))
    for level in ("error", "warning", "notice"):
        assert sum(command[0] == level for command in commands) <= 8
    return commands


LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"'
SAMPLE = re.compile(r"(firebreak_[a-z_]+)(?:\{(%s(?:,%s)*)\})? (-?[0-9.]+(?:e[-+]?[0-9]+)?)" % (LABEL, LABEL))


def openmetrics(text):
    assert text.endswith("\n# EOF\n") and "\r" not in text
    families, units, series, family = {}, {}, set(), None
    for line in text.split("\n")[:-2]:
        if line.startswith("# TYPE "):
            family, kind = line[7:].split(" ")
            assert family not in families and kind in ("gauge", "stateset"), line
            families[family] = kind
        elif line.startswith("# UNIT "):
            name, units[name] = line[7:].split(" ")
            assert name == family and family.endswith("_" + units[name]), line
        elif line.startswith("# HELP "):
            assert line[7:].split(" ")[0] == family, line
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample and sample[1] == family, line
            labels = re.findall(LABEL, sample[2] or "")
            assert len({label.split("=")[0] for label in labels}) == len(labels), line
            assert (sample[1], tuple(sorted(labels))) not in series, line
            series.add((sample[1], tuple(sorted(labels))))
            if families[family] == "stateset":
                assert sample[3] in ("0", "1") and any(label.startswith(family + "=") for label in labels), line
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        print("not read by prometheus_client: it is not installed (apt install python3-prometheus-client)")
        return series
    read_there = sum(len(f.samples) for f in text_string_to_metric_families(text))
    assert read_there == len(series), (read_there, len(series))
    return series


def bmf(text):
    root = strict_json(text)
    for benchmark in root.values():
        for metric in benchmark.values():
            assert set(metric) <= {"value", "lower_value", "upper_value"} and "value" in metric
            assert metric.get("lower_value", metric["value"]) <= metric["value"] <= metric.get("upper_value", metric["value"])
    return root


def smaller(text):
    entries = strict_json(text)
    for entry in entries:
        assert set(entry) <= {"name", "unit", "value", "range", "extra"}
        assert isinstance(entry["value"], (int, float)) and all(isinstance(entry[k], str) for k in ("name", "unit", "extra"))
    assert len({entry["name"] for entry in entries}) == len(entries)
    return entries


class Elements(html.parser.HTMLParser):
    """Counts elements, and knows which a summary may have."""
    ALLOWED = set("h2 p br a code pre strong ul li table thead tbody tr th td details summary".split())
    ATTRIBUTES = {("align", "right"), ("class", "language-sh"), ("class", "language-text"), ("class", "language-yaml")}

    def __init__(self):
        super().__init__()
        self.open, self.counts = [], {}

    def handle_starttag(self, tag, attributes):
        assert tag in self.ALLOWED, f"<{tag}>"
        assert all(pair in self.ATTRIBUTES or pair[0] == "href" for pair in attributes), attributes
        assert tag != "a" or attributes[0][1].startswith(("https://github.com/example/", "https://gitlab.example/group/")), attributes
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "br":
            assert self.open.pop() == tag, tag

    def handle_comment(self, data):
        assert data == " firebreak-comment: firebreak " and not self.counts, f"a comment: {data}"


def markdown(text):
    """As forges render it, with raw HTML let through."""
    if shutil.which("cmark-gfm") is None:
        print("Markdown is not rendered: cmark-gfm is not installed (apt install cmark-gfm)")
        return None
    extensions = [word for name in ("table", "autolink", "strikethrough") for word in ("-e", name)]
    page = subprocess.run(["cmark-gfm", "--unsafe", *extensions], input=text.encode(), stdout=subprocess.PIPE, check=True)
    elements = Elements()
    elements.feed(page.stdout.decode())
    elements.close()
    assert not elements.open, elements.open
    return elements.counts


assert [c.get("name") for c in junit(read("sample.junit.xml")) if c.find("failure") is not None] == ["task-clock (perf)", "functions"]
hostile = junit(read("hostile.junit.xml"))
assert any("</testcase><script>" in c.get("classname") for c in hostile), "a hostile name was lost"
assert [i["location"]["path"] for i in codequality(read("sample.codequality.json"))] == ["src/catalog.c"] * 2
assert any(i["location"]["path"] == "firebreak.yml" for i in codequality(read("hostile.codequality.json")))
assert workflow_commands(open(annotations, encoding="utf-8").read())[1][1]["file"] == "src/catalog.c"
workflow_commands(read("hostile.annotations.txt"))
assert len(openmetrics(read("sample.metrics.txt"))) > 20
assert len(openmetrics(read("hostile.metrics.txt"))) > 100
assert bmf(read("sample.bmf.json"))["catalog"]["task-clock"]["value"] == 429445800
assert len(bmf(read("hostile.bmf.json"))) > 10
assert [e["name"] for e in smaller(read("sample.smaller.json"))][0] == "catalog: task-clock"
assert len(smaller(read("hostile.smaller.json"))) > 10
counts = markdown(read("hostile.summary.md"))
assert counts is None or counts["details"] > 10 and counts["h2"] == 1, counts
counts = markdown(read("cut.summary.md"))
assert counts is None or counts["details"] == counts["summary"] and counts["table"] > 1, counts
comments = sorted(name[len("texts-"):] for name in os.listdir(build) if re.fullmatch(r"texts-comment-\w+\.md", name))
assert len(comments) >= 10, comments
for name in comments + ["cut.comment.md"]:
    text = read(name)
    counts = markdown(text)
    assert text.startswith("<!-- firebreak-comment: firebreak -->\n## ") and len(text.encode()) <= 64000, name
    assert counts is None or counts["h2"] == 1 and counts.get("details") == counts.get("summary"), (name, counts)
    assert counts is None or counts.get("table", 0) == len(re.findall(r"(?m)^\|--", text)), (name, counts)
print("all of them are read by others")
PY
