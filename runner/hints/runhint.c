/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/hints/runhint.h"

#include "runner/config/configlookup.h"
#include "runner/hints/outputhint.h"
#include "runner/hints/starthint.h"

#include <errno.h>
#include <string.h>

/* Exit codes of a shell that cannot start a command. */
enum { SHELL_REFUSED = 126, SHELL_NOT_FOUND = 127 };
/* A benchmark works longer than this, also one that an interpreter starts. */
#define IDLE_CPU_NS 50e6
/* A program that only prints why it does not work is through in this time. */
#define STARTED_CPU_NS 5e6
/* Instructions in the time of an idle run, one in each nanosecond. */
#define IDLE_INSTRUCTIONS 50000000

/* Puts a clause after the first line of a failure. */
static void add_clause(RunOutcome *outcome, const char *clause)
{
	g_auto(GStrv) lines = g_strsplit(outcome->failure, "\n", 2);
	g_free(outcome->failure);
	outcome->failure = g_strconcat(lines[0], "; ", clause, lines[1] != NULL ? "\n" : NULL, lines[1], NULL);
}

/* The errno of a program that could not be started, by exec, by valgrind or by a shell; 0 = it was started. */
static int start_error(const ConfigBenchmark *benchmark, const ChildResult *result, const char *failure)
{
	if (result->exec_errno == 0 && strstr(failure, "could not be started under valgrind") != NULL)
		return strstr(failure, g_strerror(EACCES)) != NULL ? EACCES : ENOENT;
	if (result->exec_errno != 0 || !config_command_is_text(benchmark))
		return result->exec_errno;
	return result->exit_code == SHELL_NOT_FOUND ? ENOENT : result->exit_code == SHELL_REFUSED ? EACCES : 0;
}

/* Standard error tells more; much of what goes wrong is on standard output all the same. */
static Complaint complaint_of_run(const ChildResult *result)
{
	Complaint complaint = complaint_of(result->err->str);
	return complaint.kind != COMPLAINT_NONE ? complaint : complaint_of(result->out->str);
}

static void hint_of_failure(const RunRequest *request, const ChildResult *result, RunOutcome *outcome)
{
	const ConfigBenchmark *benchmark = request->benchmark;
	const StartPlace place = {request->side->tree_dir, benchmark->cwd};
	g_autofree char *program = config_program(benchmark), *clause = NULL;
	int error = start_error(benchmark, result, outcome->failure);
	if (error != 0) {
		clause = start_hint(&place, program, error);
	} else {
		g_auto(Complaint) complaint = complaint_of_run(result);
		if (complaint.kind == COMPLAINT_MISSING_FILE || complaint.kind == COMPLAINT_USAGE)
			clause = complaint_remedy(&complaint, place.tree, place.cwd);
	}
	if (clause != NULL)
		add_clause(outcome, clause);
}

/* The CPU time below which a run that complains so has done nothing else. A program that says that it had nothing to do
 * did nothing, however long it took to start; of one that misses a file nobody knows if it can do without. */
static double idle_ns(ComplaintKind kind)
{
	return kind == COMPLAINT_USAGE || kind == COMPLAINT_NOTHING_RAN ? IDLE_CPU_NS : STARTED_CPU_NS;
}

/* Where base prints the same, it may be harmless: what head alone prints is judged with its cost
 * (compare/comparison/complaints.h). */
static void hint_of_success(const RunRequest *request, const ChildResult *result, gboolean timed, FindingList *findings,
        RunOutcome *outcome)
{
	const ConfigBenchmark *benchmark = request->benchmark;
	g_auto(Complaint) complaint = complaint_of_run(result);
	outcome->complaints = g_ptr_array_new_with_free_func(g_free);
	complaint_lines(result->err->str, outcome->complaints);
	complaint_lines(result->out->str, outcome->complaints);
	if (complaint.kind == COMPLAINT_NONE)
		return;
	g_autofree char *remedy = complaint_remedy(&complaint, request->side->tree_dir, benchmark->cwd);
	g_autofree char *told = g_strdup_printf("%s prints \"", request->side->name);
	double used_ns = (double)(result->user_ns + result->system_ns);
	if (timed && used_ns < idle_ns(complaint.kind))
		run_outcome_fail(outcome, "prints_error", FALSE,
		        "printed \"%s\", exited with 0 and used %.0f ms of CPU time, so that nothing was measured; %s; "
		        "if "
		        "that is intended, set `error_output: allow`",
		        complaint.line, used_ns / 1e6, remedy);
	else if (!finding_has_of(findings, "prints_error", benchmark->name, told))
		finding_add(findings, FINDING_WARNING, "prints_error", benchmark->name,
		        "%s prints \"%s\" and exits with 0; %s", request->side->name, complaint.line, remedy);
}

void run_hint(const RunRequest *request, const ChildResult *result, gboolean timed, FindingList *findings,
        RunOutcome *outcome)
{
	if (request->trusted)
		return;
	if (outcome->failure_code == NULL && !request->benchmark->error_output)
		hint_of_success(request, result, timed, findings, outcome);
	else if (g_strcmp0(outcome->failure_code, "benchmark_failed") == 0)
		hint_of_failure(request, result, outcome);
}

void run_hint_counted(const RunRequest *request, const ChildResult *result, guint64 instructions, RunOutcome *outcome)
{
	g_auto(Complaint) complaint = complaint_of_run(result);
	gboolean tells = complaint.kind == COMPLAINT_USAGE || complaint.kind == COMPLAINT_NOTHING_RAN;
	if (request->trusted || request->benchmark->error_output || !tells || instructions >= IDLE_INSTRUCTIONS)
		return;
	g_autofree char *remedy = complaint_remedy(&complaint, request->side->tree_dir, request->benchmark->cwd);
	run_outcome_fail(outcome, "prints_error", FALSE,
	        "printed \"%s\", exited with 0 and did %" G_GUINT64_FORMAT
	        " instructions, so that nothing was measured; %s; if that is intended, set `error_output: allow`",
	        complaint.line, instructions, remedy);
}
