/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/proposal.h"

#include "runner/config/configdata.h"

#include <string.h>

#define MAX_NAME 64
#define CHECKSUM_LENGTH 16
#define FOUND_LINE "# found: "
#define CHECKSUM_LINE "# as proposed: "

static void benchmark_free(gpointer data)
{
	ProposedBenchmark *benchmark = data;
	g_free(benchmark->name);
	g_strfreev(benchmark->command);
	g_free(benchmark->cwd);
	g_free(benchmark->framework);
	g_free(benchmark->filter);
	g_free(benchmark->comment);
	g_free(benchmark->work_line);
	g_free(benchmark->left_out);
	g_free(benchmark);
}

Proposal *proposal_new(void)
{
	Proposal *proposal = g_new0(Proposal, 1);
	proposal->benchmarks = g_ptr_array_new_with_free_func(benchmark_free);
	proposal->remarks = g_ptr_array_new_with_free_func(g_free);
	proposal->looked = g_ptr_array_new_with_free_func(g_free);
	return proposal;
}

void proposal_free(Proposal *proposal)
{
	if (proposal == NULL)
		return;
	g_free(proposal->build);
	g_free(proposal->systems);
	g_free(proposal->found);
	g_ptr_array_unref(proposal->benchmarks);
	g_ptr_array_unref(proposal->remarks);
	g_ptr_array_unref(proposal->looked);
	g_free(proposal);
}

guint proposal_count(const Proposal *proposal)
{
	guint n = 0;
	for (guint i = 0; i < proposal->benchmarks->len; i++)
		n += ((const ProposedBenchmark *)g_ptr_array_index(proposal->benchmarks, i))->left_out == NULL;
	return n;
}

/* Names */

char *proposal_name(const char *text)
{
	g_autoptr(GString) name = g_string_new(NULL);
	for (; *text != '\0' && name->len < MAX_NAME; text++) {
		if (g_ascii_isalnum(*text) || *text == '_' || (*text == '.' && name->len > 0))
			g_string_append_c(name, *text);
		else if (name->len > 0 && name->str[name->len - 1] != '-')
			g_string_append_c(name, '-');
	}
	while (name->len > 0 && name->str[name->len - 1] == '-')
		g_string_truncate(name, name->len - 1);
	return name->len > 0 ? g_strdup(name->str) : g_strdup("benchmark");
}

static gboolean is_taken(const Proposal *proposal, const char *name)
{
	for (guint i = 0; i < proposal->benchmarks->len; i++)
		if (g_str_equal(((const ProposedBenchmark *)g_ptr_array_index(proposal->benchmarks, i))->name, name))
			return TRUE;
	return FALSE;
}

static char *free_name(const Proposal *proposal, const char *text)
{
	g_autofree char *wanted = proposal_name(text);
	if (!is_taken(proposal, wanted))
		return g_steal_pointer(&wanted);
	for (guint n = 2;; n++) {
		g_autofree char *name = g_strdup_printf("%.*s-%u", MAX_NAME - 6, wanted, n);
		if (!is_taken(proposal, name))
			return g_steal_pointer(&name);
	}
}

ProposedBenchmark *proposal_add(Proposal *proposal, const DiscoveredProgram *program, const char *case_name)
{
	ProposedBenchmark *benchmark = g_new0(ProposedBenchmark, 1);
	benchmark->name = free_name(proposal, case_name != NULL ? case_name : program->name);
	benchmark->command = discovered_program_command(program);
	benchmark->cwd = g_strdup(program->cwd);
	benchmark->framework = g_strdup(program->framework);
	g_ptr_array_add(proposal->benchmarks, benchmark);
	return benchmark;
}

/* Checksums */

static char *checksum(const char *text, gsize length)
{
	char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, length);
	sum[CHECKSUM_LENGTH] = '\0';
	return sum;
}

char *proposal_fingerprint(const Discovery *discovery)
{
	g_autoptr(GString) all = g_string_new(NULL);
	g_autofree char *build = discovery_build_command(discovery, NULL);
	g_string_append_printf(all, "%s\n", build != NULL ? build : "");
	for (guint i = 0; i < discovery->builds->len; i++) {
		const DiscoveredBuild *row = g_ptr_array_index(discovery->builds, i);
		for (guint j = 0; j < row->programs->len; j++) {
			const DiscoveredProgram *program = g_ptr_array_index(row->programs, j);
			g_string_append_printf(all, "%s %s %s\n", program->program, program->cwd, program->reason);
		}
	}
	return checksum(all->str, all->len);
}

ConfigOrigin proposal_origin(const char *text, const char *found)
{
	const char *line = g_strrstr(text, "\n" CHECKSUM_LINE), *had = strstr(text, "\n" FOUND_LINE);
	if (line == NULL || had == NULL)
		return CONFIG_WRITTEN_BY_HAND;
	g_autofree char *sum = checksum(text, (gsize)(line + 1 - text));
	const char *said = line + strlen("\n" CHECKSUM_LINE);
	if (strncmp(said, sum, CHECKSUM_LENGTH) != 0 || !g_str_equal(said + CHECKSUM_LENGTH, "\n"))
		return CONFIG_WRITTEN_BY_HAND;
	return g_str_has_prefix(had + strlen("\n" FOUND_LINE), found) ? CONFIG_AS_PROPOSED : CONFIG_OUTDATED;
}

/* Text */

/* TRUE for a character that YAML allows nowhere, or takes for the end of a line (YAML 1.1, 5.1 and 5.4). */
static gboolean is_special(gunichar c)
{
	return (c < ' ' && c != '\n') || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
	       c == 0xfffe || c == 0xffff;
}

static gboolean has_special(const char *text)
{
	for (const char *c = text; *c != '\0'; c = g_utf8_next_char(c))
		if (is_special(g_utf8_get_char(c)))
			return TRUE;
	return FALSE;
}

/* In double quotes, as JSON has it too. */
static char *quoted(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_new("\"");
	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		if (c == '\n')
			g_string_append(out, "\\n");
		else if (is_special(c))
			g_string_append_printf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			g_string_append_printf(out, "\\%c", (char)c);
		else
			g_string_append_unichar(out, c);
	}
	g_string_append_c(out, '"');
	return g_string_free(out, FALSE);
}

/* A value as YAML: in quotes unless it is a plain word. */
static char *yaml_value(const char *text)
{
	static GRegex *plain;
	if (g_once_init_enter(&plain))
		g_once_init_leave(
		        &plain, g_regex_new("^(?!(true|false|null|yes|no|on|off)$)[A-Za-z./][A-Za-z0-9_./+=-]*$",
		                        G_REGEX_CASELESS | G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, NULL));
	return g_regex_match(plain, text, 0, NULL) ? g_strdup(text) : quoted(text);
}

/* On one line, as a comment can hold it. Owned by the caller. */
static char *one_line(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_new(NULL);
	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		g_string_append_unichar(out, c == '\n' || is_special(c) ? ' ' : c);
	}
	return g_string_free(out, FALSE);
}

static void add_comment(GString *out, const char *indent, const char *text)
{
	g_autofree char *line = one_line(text);
	g_string_append_printf(out, "%s# %s\n", indent, line);
}

static void add_key(GString *out, const char *indent, const char *key, const char *value)
{
	g_autofree char *text = value != NULL ? yaml_value(value) : NULL;
	if (text != NULL)
		g_string_append_printf(out, "%s    %s: %s\n", indent, key, text);
}

static void add_command(GString *out, const char *indent, char *const *command)
{
	g_string_append_printf(out, "%s    command: [", indent);
	for (guint i = 0; command[i] != NULL; i++) {
		g_autofree char *word = yaml_value(command[i]);
		g_string_append_printf(out, "%s%s", i > 0 ? ", " : "", word);
	}
	g_string_append(out, "]\n");
}

/* The lines of one entry, each after `indent`. */
static void add_entry(GString *out, const char *indent, const ProposedBenchmark *benchmark)
{
	g_autofree char *name = yaml_value(benchmark->name);
	g_string_append_printf(out, "%s  - name: %s\n", indent, name);
	add_command(out, indent, benchmark->command);
	if (!g_str_equal(benchmark->cwd, "."))
		add_key(out, indent, "cwd", benchmark->cwd);
	add_key(out, indent, "framework", benchmark->framework);
	add_key(out, indent, "filter", benchmark->filter);
	if (benchmark->timeout_s > 0)
		g_string_append_printf(out, "%s    timeout: %" G_GINT64_FORMAT "s\n", indent, benchmark->timeout_s);
	if (benchmark->rounds > 0)
		g_string_append_printf(out, "%s    rounds: %u\n", indent, benchmark->rounds);
	if (benchmark->counted)
		g_string_append_printf(out, "%s    engines: [callgrind]\n", indent);
}

static void add_benchmark(GString *out, const ProposedBenchmark *benchmark)
{
	if (benchmark->left_out != NULL) {
		g_autofree char *why = g_strdup_printf("left out: %s", benchmark->left_out);
		add_comment(out, "  ", why);
		add_entry(out, "  #", benchmark);
		return;
	}
	g_auto(GStrv) lines = g_strsplit(benchmark->comment != NULL ? benchmark->comment : "", "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		add_comment(out, "  ", *line);
	add_entry(out, "", benchmark);
}

/* A command of plain words stays as it is, and lines stay lines, unless YAML cannot hold them. */
static void add_build_command(GString *out, const char *command)
{
	g_autofree char *valid = g_utf8_make_valid(command, -1);
	if (g_regex_match_simple("^[A-Za-z./(][\\w ./=+,&()'@-]*$", valid, G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0)) {
		g_string_append_printf(out, "  command: %s\n", valid);
		return;
	}
	if (has_special(valid)) {
		g_autofree char *value = quoted(valid);
		g_string_append_printf(out, "  command: %s\n", value);
		return;
	}
	g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
	g_string_append(out, "  command: |\n");
	for (char **line = lines; *line != NULL; line++)
		g_string_append_printf(out, "    %s\n", *line);
}

static void add_build(GString *out, const Proposal *proposal)
{
	if (proposal->build == NULL)
		return;
	g_string_append(out, "build:\n"
	                     "  # flags stay the project's own; compilers found in PATH add frame pointers and debug "
	                     "information\n");
	add_build_command(out, proposal->build);
}

/* The entry that stands there if there is nothing to propose. */
static void add_example(GString *out)
{
	g_string_append(out, "  # a fixed amount of work, from 0.3 to 2 seconds of CPU time, that exits with 0\n"
	                     "  - name: main\n"
	                     "    command: [" CONFIG_EXAMPLE_PROGRAM ", some, argument]\n"
	                     "    # engines: [callgrind]  # gate on instruction counts under valgrind instead of "
	                     "CPU time\n");
}

char *proposal_text(const Proposal *proposal)
{
	g_autoptr(GString) out =
	        g_string_new("# Benchmarks that `firebreak check` gates; `man firebreak.yml` has all keys.\n");
	g_autofree char *origin = g_strdup_printf("Proposed by `firebreak init`, which looked at %s. Edit as you like.",
	        proposal->systems != NULL ? proposal->systems : "");
	if (proposal->systems != NULL)
		add_comment(out, "", origin);
	for (guint i = 0; i < proposal->remarks->len; i++)
		add_comment(out, "", g_ptr_array_index(proposal->remarks, i));
	for (guint i = 0; i < proposal->looked->len && proposal_count(proposal) == 0; i++)
		add_comment(out, "", g_ptr_array_index(proposal->looked, i));
	g_string_append_printf(out, FOUND_LINE "%s\nversion: 1\n", proposal->found != NULL ? proposal->found : "");
	add_build(out, proposal);
	g_string_append(out, "benchmarks:\n");
	if (proposal_count(proposal) == 0)
		add_example(out);
	for (guint i = 0; i < proposal->benchmarks->len; i++)
		add_benchmark(out, g_ptr_array_index(proposal->benchmarks, i));
	g_autofree char *sum = checksum(out->str, out->len);
	g_string_append_printf(out, CHECKSUM_LINE "%s\n", sum);
	return g_strdup(out->str);
}
