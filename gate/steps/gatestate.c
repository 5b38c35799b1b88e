/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatestate.h"

#include "compare/endings.h"
#include "core/git/repodiff.h"

#include <string.h>

/* "==1234==    by 0x1094D6: main (bench.c:3)": valgrind's own account of what the first line says already. */
static gboolean is_of_valgrind(const char *line)
{
	return g_str_has_prefix(line, "==") && g_ascii_isdigit(line[2]);
}

/* The line of an output that most likely says what is wrong: the first with "error", else the last. */
static const char *telling_line(char *const *lines)
{
	const char *last = NULL;
	for (; *lines != NULL; lines++) {
		if (strstr(*lines, "error") != NULL || strstr(*lines, "Error") != NULL)
			return *lines;
		last = **lines != '\0' && !is_of_valgrind(*lines) ? *lines : last;
	}
	return last;
}

/* The first line is the reason, with the line of the output below it that tells most; all of it, such as the compiler's
 * output, is said once on stderr. */
void gate_add_failure(Gate *gate, const char *benchmark, const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(g_strchomp(error->message), "\n", -1);
	const char *detail = lines[1] != NULL ? telling_line(lines + 1) : NULL;
	g_autofree char *text = g_strconcat(lines[0], detail != NULL ? ": " : NULL, detail, NULL);
	/* once there are folders for trees, all rules of the gate itself have been read */
	ResultReason *reason = ending_add_failure(gate->result, benchmark, error, gate->arena != NULL, text);
	for (char **line = lines; *line != NULL; line++)
		reason->said = talk_line(gate->request->talk, *line);
}

void gate_add_findings(Gate *gate, const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		finding_add(gate->result->findings, finding->severity, finding->code, finding->benchmark, "%s",
		        finding->text);
	}
}

void gate_progress(const Gate *gate, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	talk_progress(gate->request->talk, text);
}

/* A check without that knowledge is a check all the same. */
void gate_read_change(Gate *gate)
{
	g_autoptr(GError) error = NULL;
	if (!gate->two_sides)
		return;
	g_clear_pointer(&gate->change, line_changes_free);
	gate->change =
	        repo_line_changes(gate->repo, gate->choices[SIDE_BASE].tree, gate->choices[SIDE_HEAD].tree, &error);
	if (gate->change == NULL)
		finding_add(gate->result->findings, FINDING_WARNING, "change_unknown", NULL,
		        "the edited lines are unknown, so no function is shown as edited in this change: %s",
		        error->message);
}
