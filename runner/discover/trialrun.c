/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialrun.h"

#include "runner/discover/trialclock.h"
#include "runner/frameworks/programwatch.h"

#include <stdlib.h>

#define BUILD_MS (30 * 60 * 1000)
/* A run may take so much CPU time; by the wall, so much times the load of a CPU, up to MAX_LOAD. */
#define RUN_MS (60 * 1000)
#define MAX_LOAD 8.
/* A run that is no longer is tried some more times, to see if it works for a fixed time. */
#define MAX_CLOCK_TRIAL_NS (2 * G_GINT64_CONSTANT(1000000000))

void trial_say(const Trial *trial, const char *format, ...)
{
	if (trial->progress == NULL)
		return;
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	trial->progress(trial->progress_data, text);
}

void trial_run_clear(TrialRun *run)
{
	g_free(run->failure);
	g_free(run->output);
	g_free(run->calibrating_path);
}
static gboolean look_at_programs(gpointer watch, GError **error)
{
	(void)error;
	program_watch_look(watch);
	return TRUE;
}

/* Runs it, looking at the programs that it executes. NULL on an error. */
static Child *run_watched(const ChildSpec *spec, TrialRun *run, GError **error)
{
	g_autoptr(ProgramMemory) memory = program_memory_new();
	g_autoptr(Child) child = child_prepare(spec, error);
	if (child == NULL)
		return NULL;
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	g_autoptr(ProgramWatch) watch = program_watch_new(child_pid(child), TRUE, memory);
	program_watch_timer(watch, watches);
	const ChildDuties duties = {look_at_programs, watch, (const ChildWatch *)(void *)watches->data, watches->len};
	child_release(child);
	if (!child_wait_all(&child, 1, &duties, error))
		return NULL;
	run->calibrating = program_watch_calibrating(watch, &run->calibrating_path);
	return g_steal_pointer(&child);
}

/* A build is not watched: it starts too many programs. */
static void run_child(const ChildSpec *spec, gboolean build, TrialRun *run)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Child) child = build ? child_run(spec, &error) : run_watched(spec, run, &error);
	if (child == NULL) {
		run->failure = g_strdup(error->message);
		run->output = g_strdup("");
		return;
	}
	const ChildResult *result = child_result(child);
	g_autofree char *trouble = child_describe_failure(result);
	run->output = g_strconcat(result->out->str, "\n", result->err->str, NULL);
	run->cpu_ns = result->user_ns + result->system_ns + result->orphan_cpu_ns;
	if (result->timed_out)
		run->failure = g_strdup_printf("did not end within %d s", (int)(spec->timeout_ms / 1000));
	else
		run->failure = trouble != NULL ? discover_failure_text(trouble, run->output) : NULL;
	run->timed_out = result->timed_out;
}

/* Users start `firebreak init` on machines that are busy, too: what it proposes is not to depend on that. */
gint64 trial_limit_ms(void)
{
	double load;
	if (getloadavg(&load, 1) != 1)
		return RUN_MS;
	return (gint64)(RUN_MS * CLAMP(load / g_get_num_processors(), 1, MAX_LOAD));
}

/* The words that start a program with more arguments; `before` (NULL = none) stand before its command. Owned by the
 * caller. */
static char **words_with(const DiscoveredProgram *program, char *const *before, char *const *more)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_auto(GStrv) command = discovered_program_command(program);
	if (before != NULL)
		g_strv_builder_addv(words, (const char **)before);
	g_strv_builder_addv(words, (const char **)command);
	if (more != NULL)
		g_strv_builder_addv(words, (const char **)more);
	return g_strv_builder_end(words);
}

static ChildSpec program_spec(const Trial *trial, char *const *argv, const char *cwd, gint64 timeout_ms)
{
	return (ChildSpec){
	        .argv = (const char *const *)argv,
	        .envp = (const char *const *)trial->place->run_environment,
	        .cwd = cwd,
	        .timeout_ms = timeout_ms,
	        .no_new_privileges = TRUE,
	        .keep_bytes = 1 << 20,
	};
}

void trial_run_words(const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more,
        gint64 timeout_ms, TrialRun *run)
{
	g_auto(GStrv) argv = words_with(program, before, more);
	g_autofree char *cwd = discover_file(trial->place, program->cwd);
	const ChildSpec spec = program_spec(trial, argv, cwd, timeout_ms);
	run_child(&spec, FALSE, run);
}

char *trial_clock_text(
        const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more, gint64 cpu_ns)
{
	g_auto(GStrv) argv = words_with(program, before, more);
	g_autofree char *cwd = discover_file(trial->place, program->cwd);
	const ChildSpec spec = program_spec(trial, argv, cwd, trial_limit_ms());
	if (cpu_ns > MAX_CLOCK_TRIAL_NS || !trial_works_for_a_time(&spec))
		return NULL;
	return g_strdup("it works until a time is over, so that a slower program does less in a run and costs the "
	                "same: give it arguments with which it does a fixed amount of work, or let it report its work "
	                "(`work: reported`)");
}

char *trial_build_failure(const Trial *trial, const char *command)
{
	const char *argv[] = {"/bin/sh", "-c", command, NULL};
	const ChildSpec spec = {
	        .argv = argv,
	        .envp = (const char *const *)trial->place->environment,
	        .cwd = trial->place->tree,
	        .timeout_ms = BUILD_MS,
	        .no_new_privileges = TRUE,
	        .keep_bytes = 256 << 10,
	};
	g_auto(TrialRun) run = {0};
	if (command != NULL)
		run_child(&spec, TRUE, &run);
	return g_steal_pointer(&run.failure);
}
