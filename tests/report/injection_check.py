# SPDX-License-Identifier: Apache-2.0
"""Reads what every output makes of hostile texts with the parsers of others.

    injection_check.py PROGRAM [SINK...]
    injection_check.py --terminal FILE...

PROGRAM is injection_test, which writes an output for each text. What a parser finds in the output of a hostile text
must have the same shape as in that of a harmless one: the same elements with the same attributes, the same nodes of
Markdown, the same keys of JSON, the same fields of a message. FILEs are text for a terminal. So nothing in a name became anything but text. Beside
that, each kind of output has rules of its own.
"""
import ctypes, functools, gzip, html.parser, json, os, re, shutil, subprocess, sys, tempfile, time, zlib
import xml.etree.ElementTree as ET

# Characters that no reader would see as they are, in any output for people: controls, direction, zero width, separators.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")


class Foreign(Exception):
    """Something that is not ours."""


def want(condition, message):
    if not condition:
        raise Foreign(message)


def visible(text):
    found = HIDDEN.search(text)
    want(not found, f"{found and ascii(found[0])} in {found and ascii(text[max(0, found.start() - 20):found.end() + 20])}")


# --- XML and HTML

LINKS = {"href", "src", "action", "formaction", "data", "poster", "background", "{http://www.w3.org/1999/xlink}href"}


def attribute(tag, name, value):
    """The part of an attribute that belongs to the shape."""
    want(not name.lower().startswith("on"), f"a handler: {name}={value!r}")
    visible(value.replace("\n", " ").replace("\t", " "))
    if name in LINKS:
        want(re.fullmatch(r"#[\w.-]*|[\w.-]+\.svg|[\w][\w.-]*|data:,", value), f"<{tag} {name}={value!r}>")
    if name in ("style", "class", "rel", "type", "http-equiv", "xmlns", "target"):
        want(re.fullmatch(r"[\w\s:;.%#(),'/*+-]*", value) and ("//" not in value or name == "xmlns"), f"<{tag} {name}={value!r}>")
    return name


def xml_shape(root, full):
    shape = []
    for element in root.iter():
        want(isinstance(element.tag, str), f"no element: {element!r}")
        names = tuple(sorted(attribute(element.tag, name, value) for name, value in element.items()))
        shape.append((element.tag, names) if full else element.tag)
        name = element.tag.rsplit("}")[-1]
        if name == "script":
            shape.append(script(element.text, element.get("type")))
        elif name == "style":
            shape.append(element.text)
        elif element.text:
            visible(element.text)
    return shape


def script(text, kind):
    if kind == "application/json":
        want(not re.search("[<>&\x7f-\U0010ffff]", text or ""), "a character with a meaning in a block of data")
        return json_shape(strict_json(text))
    return text


def svg(text):
    from lxml import etree
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(text, parser)
    want(root.getroottree().docinfo.doctype == "", "a document type")
    shape = xml_shape(root, True)
    want([e.tag for e in ET.fromstring(text).iter()] == [e[0] for e in shape if isinstance(e, tuple) and len(e) == 2 and isinstance(e[1], tuple)],
         "expat sees other elements than libxml2")
    return shape


@functools.lru_cache(100000)
def start_tag(tag, attributes):
    """The shape of a start tag, most of which are the same in all pages, and what stands in it if that is no HTML."""
    names = sorted(attribute(tag, name, value or "") for name, value in attributes)
    shape = (tag, tuple(name for name in names if name != "title"))  # a name that is cut has one
    return shape, (tag, dict(attributes).get("type")) if tag in ("script", "style") else None


class Page(html.parser.HTMLParser):
    """Elements as a browser's tokenizer finds them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.shape, self.within = [], None

    def updatepos(self, i, j):
        return j  # lines are not counted

    def handle_starttag(self, tag, attributes):
        shape, self.within = start_tag(tag, tuple(attributes))
        self.shape.append(shape)

    def handle_endtag(self, tag):
        self.shape.append("/" + tag)
        self.within = None

    def handle_data(self, data):
        if self.within and self.within[0] == "script":
            self.shape.append(script(data, self.within[1]))
        elif self.within:
            self.shape.append(data)
        else:
            visible(data)

    def handle_comment(self, data):
        raise Foreign(f"a comment: {data!r}")

    def handle_decl(self, declaration):
        want(declaration.lower() == "doctype html", f"a declaration: {declaration!r}")

    def handle_pi(self, data):
        raise Foreign(f"an instruction: {data!r}")

    def unknown_decl(self, data):
        raise Foreign(f"a declaration: {data!r}")


def page(text):
    from lxml import etree
    reader = Page()
    reader.feed(text.decode())
    reader.close()
    tree = etree.fromstring(text, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    want(not [e for e in tree.iter() if not isinstance(e.tag, str)], "libxml2 finds a comment or an instruction")
    return reader.shape, [e.tag for e in tree.iter()]


# --- JSON

def strict_json(text):
    def unique(pairs):
        want(len(dict(pairs)) == len(pairs), "a key twice")
        return dict(pairs)

    def constant(word):
        raise Foreign(f"{word} in JSON")
    return json.loads(text, object_pairs_hook=unique, parse_constant=constant)


def json_shape(value):
    """Keys and types; lists of numbers and texts by their types."""
    if isinstance(value, dict):
        return {key: json_shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [json_shape(part) for part in value]
    return "text" if isinstance(value, str) else "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def ascii_json(text):
    want(re.fullmatch(rb"[\n\x20-\x7e]*", text), "bytes that are not printable ASCII")
    return strict_json(text)


def plain_json(text):
    return json_shape(ascii_json(text))


def schema_json(name):
    def read(text):
        import jsonschema
        value = ascii_json(text)
        if name not in schemas:
            path = os.path.join(os.environ["SOURCE_DIR"], "docs/schema", name)
            schemas[name] = jsonschema.Draft202012Validator(json.load(open(path)))
        # it takes a tenth of a second, and the keys and types of all are compared with those that keep to it
        looked_at = zlib.crc32(text) % 16 == 0
        error = next(schemas[name].iter_errors(value), None) if looked_at else None
        want(error is None, f"not by its schema: {error and error.message[:200]}")
        return json_shape(value)
    return read


schemas = {}


def codequality(text):
    issues = ascii_json(text)
    for issue in issues:
        path = issue["location"]["path"]
        want(path and not path.startswith(("/", "./")) and ".." not in path.split("/"), f"path {path!r}")
        visible(issue["description"])
        want("\n" not in issue["description"], "a newline in a description")
    want(len({issue["fingerprint"] for issue in issues}) == len(issues), "fingerprints are not unique")
    return json_shape(issues)


def own_keys(text):
    """JSON whose keys are foreign."""
    value = ascii_json(text)
    names = [name for benchmark, metrics in value.items() for name in (benchmark, *metrics)]
    visible("".join(names))
    return [[json_shape(metric) for metric in metrics.values()] for metrics in value.values()]


def smaller(text):
    entries = ascii_json(text)
    for entry in entries:
        visible("".join(entry[key] for key in ("name", "unit")) + entry["extra"].replace("\n", ""))
    return json_shape(entries)


# --- Markdown

NODES = re.compile(r"<(/?[a-z_]+)((?: [\w:]+=\"[^\"]*\")*)\s*/?>")
# Texts that forges look for in rendered text outside of code.
REFERENCES = re.compile(r"(?i)(?:^|[^\w`])(?:@[a-z0-9]|#\d|![0-9\"]|\$\d|%[0-9\"]|~[\w\"]|&\d|:[a-z0-9_+-]+:|\[\[(?!\u200b)|\^\[)"
                        r"|gh-\d|www\.\w|\w://\w|\w@\w[\w-]*\.\w|[0-9a-f]{40}@|@[0-9a-f]{7}")


# Where links of a review may lead: places of the diff, the code at a commit, and files of the output folder.
FORGE = "https://forge.example/"
REVIEW_LINKS = re.compile(FORGE + r"(o/r/pull/12/files#diff-[0-9a-f]{64}([LR]\d+)?|o/r/-/merge_requests/3/diffs#[0-9a-f]{40}(_\d+_\d+)?"
                          r"|o/r/(-/)?blob/[0-9a-f]{7,64}/[\w.~%/-]+#L\d+|artifacts/2|file/[\w.~%-]+)")
MARKER = " firebreak-comment: firebreak "


@functools.lru_cache(None)
def cmark_libraries():
    """The libraries of the program cmark-gfm: to start it for each text takes a hundred times as long as its work."""
    lines = subprocess.run(["ldd", shutil.which("cmark-gfm")], stdout=subprocess.PIPE, check=True).stdout.decode()
    paths = {name: ctypes.CDLL(path) for name, path in re.findall(r"lib(cmark-gfm(?:-extensions)?)\.so\S* => (\S+)", lines)}
    core, extensions = paths["cmark-gfm"], paths["cmark-gfm-extensions"]
    extensions.cmark_gfm_core_extensions_ensure_registered()
    for name in ("parser_new", "find_syntax_extension", "parser_finish", "parser_get_syntax_extensions", "render_xml", "render_html"):
        getattr(core, "cmark_" + name).restype = ctypes.c_void_p
    return core, ctypes.CDLL(None)


UNSAFE = 1 << 17  # CMARK_OPT_UNSAFE of cmark-gfm.h: raw HTML is let through


def cmark(text, form, extensions):
    """`text` as cmark-gfm writes it: "xml", or "html" with raw HTML let through."""
    core, libc = cmark_libraries()
    options = ctypes.c_int(UNSAFE if form == "html" else 0)
    parser = ctypes.c_void_p(core.cmark_parser_new(options))
    for name in extensions:
        core.cmark_parser_attach_syntax_extension(parser, ctypes.c_void_p(core.cmark_find_syntax_extension(name.encode())))
    core.cmark_parser_feed(parser, text, ctypes.c_size_t(len(text)))
    root = ctypes.c_void_p(core.cmark_parser_finish(parser))
    if form == "html":
        written = core.cmark_render_html(root, options, ctypes.c_void_p(core.cmark_parser_get_syntax_extensions(parser)))
    else:
        written = core.cmark_render_xml(root, options)
    output = ctypes.string_at(written)
    libc.free(ctypes.c_void_p(written))
    core.cmark_node_free(root)
    core.cmark_parser_free(parser)
    return output


def markdown(text, linked):
    """The nodes as cmark-gfm finds them; raw HTML and code are part of the shape where they are ours."""
    visible(text.decode().replace("\n", ""))
    tree = ET.fromstring(cmark(text, "xml", ("table", "autolink", "strikethrough", "tasklist")))
    shape, plain = [], []
    for node in tree.iter():
        tag = node.tag.rsplit("}")[-1]
        if tag == "text":
            plain.append(node.text or "")
            continue  # as many nodes as there are characters with a meaning
        if shape and plain:
            references("".join(plain))
            plain = []
        want(tag not in ("image", "footnote_reference", "footnote_definition"), f"a {tag}")
        want(tag != "link" or linked and REVIEW_LINKS.fullmatch(node.get("destination")) and not node.get("title"), f"a link: {node.attrib}")
        own = node.text if tag in ("html_block", "html_inline") else None
        shape.append((tag, node.get("level"), node.get("type"), own and re.sub(r">[^<]*", ">", own)))
    references("".join(plain))
    return shape


def references(text):
    found = REFERENCES.search(text)
    want(not found, f"a reference: {found and ascii(found[0])} in {ascii(text[:200])}")


def cut_markdown(text):
    """The part of it that is left out depends on the length of the text, so only the kinds of nodes are its shape."""
    return [sorted(set(map(str, part))) for part in summary_markdown(text)]


def linked_markdown(text):
    """A file has a link or not by its name, but there is always one to the output folder."""
    return [sorted(set(map(str, part))) for part in summary_markdown(text, True)]


def summary_markdown(text, linked=False):
    shape = markdown(text, linked)
    elements = Rendered(linked)
    elements.feed(cmark(text, "html", ("table", "autolink")).decode())
    elements.close()
    want(not elements.open, f"open elements: {elements.open}")
    return shape, elements.shape


class Rendered(html.parser.HTMLParser):
    """The elements of rendered Markdown, with raw HTML let through."""
    updatepos = Page.updatepos
    ALLOWED = set("h2 p br code pre strong ul li table thead tbody tr th td details summary".split())
    LANGUAGES = {"language-sh", "language-text", "language-yaml"}

    def __init__(self, linked):
        super().__init__()
        self.open, self.shape, self.linked = [], [], linked

    def is_ours(self, tag, name, value):
        if tag == "a":
            return name == "href" and REVIEW_LINKS.fullmatch(value)
        return name == "align" or tag == "code" and name == "class" and value in self.LANGUAGES

    def handle_starttag(self, tag, attributes):
        want(tag in self.ALLOWED or tag == "a" and self.linked, f"<{tag}>")
        want(all(self.is_ours(tag, name, value) for name, value in attributes), f"attributes of <{tag}>: {attributes}")
        self.shape.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        want(tag == "br" or self.open.pop() == tag, f"</{tag}>")

    def handle_comment(self, data):
        want(data == MARKER and not self.shape, f"a comment: {data!r}")


# --- CI systems

def junit(text):
    from lxml import etree
    root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True))
    cases = list(root.iter("testcase"))
    names = [(case.get("name"), case.get("classname")) for case in cases]
    want(len(set(names)) == len(names), "names are not unique")
    want(all(case.get("classname") for case in cases), "a testcase without a class name")
    for element in (root, root[0]):
        want(int(element.get("tests")) == len(cases), "the number of tests is wrong")
    if "junit" not in schemas:
        schemas["junit"] = etree.RelaxNG(etree.fromstring(JUNIT))
    want(schemas["junit"].validate(root), str(schemas["junit"].error_log))
    return xml_shape(root, True)


# The elements on which readers of JUnit XML agree, as far as we write them.
JUNIT = """<grammar xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
<define name="counts"><attribute name="name"><value>firebreak</value></attribute>
 <attribute name="tests"><data type="unsignedInt"/></attribute><attribute name="failures"><data type="unsignedInt"/></attribute>
 <attribute name="errors"><data type="unsignedInt"/></attribute><attribute name="skipped"><data type="unsignedInt"/></attribute></define>
<define name="outcome"><optional><attribute name="message"><text/></attribute></optional><text/></define>
<start><element name="testsuites"><ref name="counts"/><element name="testsuite"><ref name="counts"/>
 <oneOrMore><element name="testcase"><attribute name="name"><data type="string"><param name="minLength">1</param></data></attribute>
  <attribute name="classname"><data type="string"><param name="minLength">1</param></data></attribute>
  <optional><attribute name="file"/></optional>
  <choice><element name="failure"><ref name="outcome"/></element><element name="error"><ref name="outcome"/></element>
   <element name="skipped"><ref name="outcome"/></element><element name="system-out"><text/></element></choice>
 </element></oneOrMore></element></element></start></grammar>"""


def annotations(text):
    """Workflow commands as the runner reads them; also what others take for one, anywhere in a line."""
    lines = text.decode().split("\n")
    want(lines.pop() == "", "no newline at the end")
    shape = []
    for line in lines:
        visible(line)
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        want(found, f"no command of ours: {line!r}")
        pairs = [part.split("=", 1) for part in found[2].split(",")]
        want([name for name, _ in pairs] in (["title"], ["file", "line", "title"]), f"properties {found[2]!r}")
        properties = dict(pairs)
        want(properties["title"].startswith("firebreak%3A "), f"title {properties['title']!r}")
        path = properties.get("file", "x")
        want(not path.startswith("/") and ".." not in path.split("/") and properties.get("line", "1").isdigit(), f"path {path!r}")
        want(len(found[3].encode()) <= 1024, "a message that is too long")
        want(not re.search(r"##(?:\[|vso\[|teamcity\[)", line), f"a command of another system: {line!r}")
        shape.append(found[1])
    return shape


def dotenv(text):
    """Variables as GitLab reads them: up to the first =, and $ is expanded."""
    lines = text.decode().split("\n")
    want(lines.pop() == "" and len(text) < 5000, "no newline at the end, or too long")
    visible("".join(lines))
    want("$" not in text.decode(), "something that would be expanded")
    return [line.split("=", 1)[0] for line in lines]


LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"'
SAMPLE = re.compile(r"(firebreak_[a-z_]+)(?:\{(%s(?:,%s)*)\})? (-?[0-9.]+(?:e[-+]?[0-9]+)?)" % (LABEL, LABEL))


def openmetrics(text):
    text = text.decode()
    visible(text.replace("\n", ""))
    want(text.endswith("\n# EOF\n") and text.count("\n# EOF\n") == 1, "the end")
    shape = []
    for line in text.split("\n")[:-2]:
        sample = SAMPLE.fullmatch(line)
        want(line.startswith("# ") or sample, f"no sample: {line!r}")
        shape.append((sample[1],) if sample else line)
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    families = list(text_string_to_metric_families(text))
    samples = [(sample.name, sorted(sample.labels)) for family in families for sample in family.samples]
    want(len(samples) == sum(isinstance(part, tuple) for part in shape), "its parser reads another number of samples")
    return shape, samples


# --- text

COLOURS = re.compile("\033\\[(?:0|1|2|31|32|33|1;31|1;32|1;33)m")


def terminal(text):
    """Bytes, and no other escape sequence than our colours, which are off again at the end."""
    rest = COLOURS.sub("", text.decode())
    bad = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", rest.replace("\t", ""))
    want(not bad, f"byte {bad and ascii(bad[0])}")
    visible(rest.replace("\t", "").replace("\n", ""))
    command = re.search(r"(?m)^\s*::|##(?:\[|vso\[|teamcity\[)", rest)
    want(not command, f"a command of a CI system: {command and rest[command.start():command.end() + 40]!r}")
    colours = COLOURS.findall(text.decode())
    want(not colours or colours[-1] == "\033[0m", "a colour that stays on")
    return len(colours)


def narrow_terminal(text):
    """Which columns are left out depends on the width of the text."""
    terminal(text)


TERMINAL_LINKS = re.compile("\033\\]8;;[A-Za-z0-9._~:/%-]*\033\\\\")


def short_terminal(text):
    """The same with links (OSC 8), whose targets are files of the output folder; each ends where it began."""
    links = TERMINAL_LINKS.findall(text.decode())
    want(len(links) % 2 == 0, "a link that stays open")
    narrow_terminal(TERMINAL_LINKS.sub("", text.decode()).encode())


def line_terminal(text):
    """Where no line is wrapped, texts must not add lines."""
    return terminal(text), text.count(b"\n")


def folded(columns):
    def read(text):
        want(text.endswith(b"\n") and b"\r" not in text, "the end of a line")
        want(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text), "a control character")
        shape = []
        for line in text[:-1].split(b"\n"):
            found = re.fullmatch(rb"(.+?)((?: \d+){%d})" % columns, line)
            want(found, f"no stack: {line!r}")
            want(not re.search(rb" \d+(\.\d+)?$", found[1]), f"one column more: {line!r}")
            frames = found[1].split(b";")
            want(all(frame and frame == frame.strip() for frame in frames), f"an empty frame: {line!r}")
            shape.append((len(frames), found[2]))
        return sorted(shape)
    return read


# --- profiles of other tools

PROFILE = """syntax = "proto3";
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
 repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
 int64 drop_frames = 7; int64 keep_frames = 8; int64 time_nanos = 9; int64 duration_nanos = 10;
 ValueType period_type = 11; int64 period = 12; repeated int64 comment = 13; int64 default_sample_type = 14; }
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Mapping { uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4; int64 filename = 5;
 int64 build_id = 6; bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9; bool has_inline_frames = 10; }
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; bool is_folded = 5; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
"""


def pprof(text):
    """As protoc decodes it: fields that it does not know, or text that is not UTF-8, are errors."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "profile.proto"), "w") as file:
            file.write(PROFILE)
        done = subprocess.run(["protoc", "-I", folder, "--decode=Profile", os.path.join(folder, "profile.proto")],
                              input=gzip.decompress(text), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    want(done.returncode == 0 and not done.stderr, done.stderr.decode())
    shape = []
    for line in done.stdout.decode().split("\n"):
        want(not re.match(r"\s*\d+", line), f"an unknown field: {line!r}")
        shape.append(re.match(r"\s*\w*(?: \{)?", line)[0])
    return [name for name in shape if name != "string_table"]


# Where texts are equal they are one entry of a table, and which ones are equal is not part of the shape.
def speedscope(text):
    value = strict_json(text)
    want(re.fullmatch(rb"[\n\x20-\x7e]*", text), "bytes that are not printable ASCII")
    for profile in value["profiles"]:
        want(all(0 <= frame < len(value["shared"]["frames"]) for stack in profile["samples"] for frame in stack), "a frame that is not there")
    value["shared"]["frames"] = len(value["shared"]["frames"])
    return json_shape(value)


def firefox(text):
    value = strict_json(text)
    want(re.fullmatch(rb"[\n\x20-\x7e]*", text), "bytes that are not printable ASCII")
    strings = value["shared"].pop("stringArray")
    want(all(isinstance(string, str) for string in strings), "a string that is none")
    return json_shape(value)


# By the name of the output; those of a check that is an error begin with "error-".
READERS = {
    "report.json": schema_json("report-1.json"), "report.html": page, "flame.svg": svg, "diff.svg": svg,
    "summary.md": summary_markdown, "comment.md": summary_markdown, "cut.md": cut_markdown, "github.md": linked_markdown,
    "gitlab.md": linked_markdown, "junit.xml": junit,
    "codequality.json": codequality, "annotations.txt": annotations, "verdict.env": dotenv, "metrics.txt": openmetrics,
    "bmf.json": own_keys, "smaller.json": smaller, "narrow.terminal": narrow_terminal, "short.terminal": short_terminal, "wide.terminal": line_terminal,
    "top.terminal": line_terminal, "calls.terminal": line_terminal, "diff.terminal": line_terminal,
    "top.json": schema_json("top-1.json"), "diff.json": plain_json, "one.folded": folded(1), "two.folded": folded(2),
    "diff.folded": folded(2), "profile.pprof": pprof, "profile.speedscope": speedscope, "profile.firefox": firefox,
}


def outputs(program, sink, which):
    process = subprocess.Popen([program, sink, which], stdout=subprocess.PIPE)
    while True:
        head = process.stdout.readline()
        if not head:
            break
        text, output = (int(word) for word in head.split())
        yield process.stdout.read(text), process.stdout.read(output)
        process.stdout.read(1)
    if process.wait() != 0:
        sys.exit(f"{program} {sink} {which} fails")


HARMLESS_LENGTHS = 140  # so many harmless texts are there for their lengths only


def check(program, sink):
    """The number of texts that were tried, and the part of them that came through."""
    read, shapes, n, found = READERS[sink.removeprefix("error-")], [], 0, []
    for i, (_, output) in enumerate(outputs(program, sink, "harmless")):
        if i % 8 and i < HARMLESS_LENGTHS and read in (pprof, summary_markdown, cut_markdown, linked_markdown):
            continue  # a process each, and their shapes do not depend on lengths
        shape = read(output)
        if shape not in shapes:
            shapes.append(shape)
    for text, output in outputs(program, sink, "hostile"):
        n += 1
        try:
            shape = read(output)
            if shape not in shapes:
                found.append((text, "another shape than that of harmless texts" + difference(shape, shapes)))
        except Foreign as error:
            found.append((text, str(error)))
        except Exception as error:
            found.append((text, f"not read: {type(error).__name__}: {error}"))
    return n, found


def difference(shape, shapes):
    """The first thing that is different from the shape that is most like it."""
    def common(a, b):
        return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    texts = [repr(other) for other in shapes]
    mine = repr(shape)
    best = max((common(mine, other) for other in texts), default=0)
    return f": ...{mine[max(0, best - 60):best + 100]}..."


def main():
    program, names = sys.argv[1], sys.argv[2:]
    if program == "--terminal":
        return [terminal(open(name, "rb").read()) for name in names]
    wanted = subprocess.run([program, "list"], stdout=subprocess.PIPE, check=True).stdout.decode().split()
    read = {sink.removeprefix("error-") for sink in wanted}
    if read != set(READERS):
        sys.exit(f"no reader, or no output: {read ^ set(READERS)}")
    bad = 0
    for sink in names or wanted:
        begin = time.time()
        n, found = check(program, sink)
        bad += len(found)
        print(f"{sink:20} {n:5} texts, {len(found)} that are more than text" + (f" ({time.time() - begin:.1f} s)" if names else ""), flush=True)
        for text, message in found[:int(os.environ.get("SHOWN", 5))]:
            print(f"  {text[:120]!r}: {message[:600]}")
    sys.exit(1 if bad else 0)


main()
