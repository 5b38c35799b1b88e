/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/configpage.h"

#include "cli/pages/manpage.h"
#include "runner/config/configkeys.h"

static const char description[] =
        "The file lies in the root of the repository and says how a commit is built, which benchmarks there are, and "
        "what about them gates. `firebreak init` writes a first one.\n\n"
        "It is YAML (so JSON is fine, too) without anchors, aliases, tags and merge keys. Unknown keys, wrong types "
        "and values out of range are errors, with file, line and column, and exit code 2.\n\n"
        "Builds and benchmarks never see the environment of the job, but for what `env` names.";

static const char kinds[] =
        "A text is plain or quoted and not empty. A command is a text, which runs in `/bin/sh -c`, or a list of "
        "program "
        "and arguments. A duration is a whole number and `ms`, `s`, `m` or `h`, from 1ms to 168h. A percentage is a "
        "number and a percent sign, from 0% to 100%. A boolean is `true` or `false`, not quoted.";

static const char example[] = "  version: 1\n"
                              "  build:\n"
                              "    command: cmake -S . -B build && cmake --build build -j2\n"
                              "  benchmarks:\n"
                              "    - name: parse-large\n"
                              "      command: [./build/bench, parse, data/large.json]\n"
                              "      gate:\n"
                              "        task-clock: {margin: 3%, pass_margin: 6%}\n"
                              "    - name: parse-counted\n"
                              "      command: [./build/bench, parse, data/small.json]\n"
                              "      engines: [callgrind]";

static const char *section_title(ConfigSection section)
{
	static const char *const titles[CONFIG_N_SECTIONS] = {
	        [CONFIG_IN_ROOT] = "The root",
	        [CONFIG_IN_BUILD] = "The build",
	        [CONFIG_IN_BASELINES] = "Stored baselines",
	        [CONFIG_IN_BENCHMARK] = "A benchmark",
	        [CONFIG_IN_GATE] = "The gate of a benchmark",
	        [CONFIG_IN_METRIC] = "The gate of a metric",
	        [CONFIG_IN_ACCEPT] = "An accepted regression",
	};
	return titles[section];
}

/* "benchmarks[].rounds (`auto` or integer; default `auto`)", and below it what it means. */
static void append_key(GString *page, const ConfigKey *key)
{
	g_autofree char *path = config_key_path(key), *kind = config_key_kind(key), *value = config_key_default(key),
	                *meaning = config_key_meaning(key);
	g_string_append(page, ".TP\n\\fB");
	man_append(page, path);
	g_string_append(page, "\\fR (");
	man_append(page, kind);
	if (key->required)
		g_string_append(page, "; required");
	else if (value != NULL) {
		g_string_append(page, "; default: ");
		man_append(page, value);
	}
	g_string_append(page, ")\n");
	man_append(page, meaning);
	g_string_append(page, key->in_defaults ? ". May also stand in \\fBdefaults\\fR.\n" : ".\n");
}

char *man_config(const char *version)
{
	GString *page = g_string_new(".\\\" Made from the table of keys. Changes go there.\n");
	g_string_append_printf(page, ".TH FIREBREAK.YML 5 \"\" \"firebreak %s\" \"File Formats\"\n", version);
	g_string_append(page, ".SH NAME\nfirebreak.yml \\- what firebreak builds, runs and gates\n.SH DESCRIPTION\n");
	man_append_blocks(page, description);
	g_string_append(page, ".SH KEYS\n");
	for (gsize i = 0; config_key(i) != NULL; i++) {
		const ConfigKey *key = config_key(i);
		if (i == 0 || config_key(i - 1)->section != key->section)
			g_string_append_printf(page, ".SS %s\n", section_title(key->section));
		append_key(page, key);
	}
	g_string_append(page, ".SH VALUES\n");
	man_append_blocks(page, kinds);
	g_string_append(page, ".SH EXAMPLE\n");
	man_append_blocks(page, example);
	g_string_append(page, ".SH SEE ALSO\n\\fBfirebreak\\fR(1), \\fBfirebreak\\-check\\fR(1), "
	                      "\\fBfirebreak\\-init\\fR(1)\n");
	return g_string_free(page, FALSE);
}
