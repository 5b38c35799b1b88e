/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings that perf makes on this machine: the reader finds in them as many samples of each event as `perf script`,
 * and the same commands and modules. */
#include "profile/perfdata/processmaps.h"
#include "tests/profile/perfseen.h"

#define WORKLOAD "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; ls / >&2"

/* Runs a shell command that names files of the test only. Its output is owned by the caller; NULL if it fails. */
static char *run(const char *command)
{
	char *output = NULL;
	int status = 0;
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)command, NULL};
	gboolean ok =
	        g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL, &status, NULL);
	if (ok && g_spawn_check_wait_status(status, NULL))
		return output;
	g_free(output);
	return NULL;
}

/* Counts lines "name: " of perf script by name without modifiers, which it prints more of than the file has. */
static guint64 count_lines(const char *text, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	gsize length = strlen(name);
	guint64 n = 0;
	for (guint i = 0; lines[i] != NULL; i++) {
		const char *line = g_strstrip(lines[i]);
		n += strncmp(line, name, length) == 0 && line[length] == ':';
	}
	return n;
}

static void compare_with_perf(const Seen *seen, const char *script)
{
	for (guint i = 0; i < seen->summary.events->len; i++) {
		const PerfDataEvent *event = &g_array_index(seen->summary.events, PerfDataEvent, i);
		g_autofree char *name = g_strdup(event->name);
		const char *modifiers = strrchr(name, ':');
		if (modifiers != NULL && strspn(modifiers + 1, "ukhGHPp") == strlen(modifiers + 1))
			name[modifiers - name] = '\0';
		assert_int_equal(event->samples, count_lines(script, name));
	}
}

static void skip_without_perf(const char *command)
{
	print_message("skipped: perf is not there, or cannot record: %s\n", command);
	skip();
}

/* Records with these options, to a file or through a pipe, reads and compares. */
static void check(const char *options, gboolean as_pipe, Seen *seen)
{
	g_autofree char *folder = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "perf.data", NULL);
	g_autofree char *record = g_strdup_printf("perf record -q %s -o %s -- sh -c '%s' %s%s", options,
	        as_pipe ? "-" : path, WORKLOAD, as_pipe ? "> " : "", as_pipe ? path : "");
	g_autofree char *print = g_strdup_printf("perf script -F event -i %s%s", as_pipe ? "- < " : "", path);
	g_autofree char *recorded = run(record);
	g_autofree char *script = recorded != NULL ? run(print) : NULL;
	*seen = (Seen){0};
	gboolean ok = script != NULL && seen_read_file(seen, path);
	g_unlink(path);
	g_rmdir(folder);
	if (script == NULL)
		skip_without_perf(record);
	assert_true(ok);
	assert_int_not_equal(seen->summary.samples, 0);
	assert_int_equal(seen->summary.decode_errors, 0);
	assert_int_equal(seen->summary.unknown, 0);
	assert_int_equal(seen->summary.unknown_ids, 0);
	assert_non_null(seen->summary.machine);
	assert_true(seen->in_order);
	compare_with_perf(seen, script);
}

static void files_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock -F 999 -g", FALSE, &seen);
	assert_int_not_equal(seen.last_sample.sample.chain_length, 0);
	assert_string_equal(g_array_index(seen.summary.events, PerfDataEvent, 0).unit, "ns");
	assert_int_not_equal(seen.summary.build_ids->len, 0);
	seen_clear(&seen);
}

static void pipes_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock -F 999 -g", TRUE, &seen);
	assert_int_not_equal(seen.summary.by_type[64], 0);
	seen_clear(&seen);
}

static void compressed_files_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock -F 4999 -g -z", FALSE, &seen);
	assert_int_not_equal(seen.summary.by_type[81], 0);
	seen_clear(&seen);
}

static void compressed_pipes_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock -F 4999 -g -z", TRUE, &seen);
	assert_int_not_equal(seen.summary.by_type[81], 0);
	seen_clear(&seen);
}

static void recordings_with_user_stacks_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock:u -F 999 --call-graph dwarf,4096", FALSE, &seen);
	assert_int_not_equal(seen.last_sample.sample.user_registers.mask, 0);
	assert_int_not_equal(seen.last_sample.sample.user_stack_bytes, 0);
	seen_clear(&seen);
}

static void several_events_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	for (guint as_pipe = 0; as_pipe < 2; as_pipe++) {
		check("-e cpu-clock,page-faults -F 999 -g", as_pipe != 0, &seen);
		assert_true(seen.summary.events->len >= 2);
		assert_int_not_equal(g_array_index(seen.summary.events, PerfDataEvent, 1).samples, 0);
		seen_clear(&seen);
	}
}

static void tracepoints_have_the_samples_that_perf_finds(void **state)
{
	(void)state;
	Seen seen;
	for (guint as_pipe = 0; as_pipe < 2; as_pipe++) {
		check("-e sched:sched_process_exec,raw_syscalls:sys_enter -g", as_pipe != 0, &seen);
		assert_int_not_equal(seen.last_sample.sample.chain_length, 0);
		seen_clear(&seen);
	}
}

static void switches_are_among_the_records(void **state)
{
	(void)state;
	Seen seen;
	check("-e cpu-clock -F 999 --switch-events --group --sample-cpu --data", FALSE, &seen);
	assert_non_null(strstr(seen.log->str, "switch@"));
	seen_clear(&seen);
}

static void counters_in_samples_are_skipped(void **state)
{
	(void)state;
	Seen seen;
	check("-c 100000 -e '{cpu-clock,page-faults}' -s -d -g", FALSE, &seen);
	assert_int_not_equal(seen.last_sample.sample.chain_length, 0);
	seen_clear(&seen);
}

/* One line per sample: command, process, thread, address and module. */
typedef struct {
	ProcessMaps *maps;
	GPtrArray *lines;
} Placed;

static gboolean begin_placing(gpointer data, const PerfDataSummary *summary, GError **error)
{
	(void)error;
	((Placed *)data)->maps = process_maps_new(summary->build_ids);
	return TRUE;
}

/* perf leaves out the name of the reference symbol after that of the kernel. */
static void place_record(gpointer data, const PerfDataRecord *record)
{
	Placed *placed = data;
	const char *path = "[unknown]";
	guint module;
	guint64 offset;
	if (record->kind != PERF_DATA_SAMPLE) {
		process_maps_apply(placed->maps, record);
		return;
	}
	gboolean in_kernel = record->cpu_mode == PERF_DATA_CPU_KERNEL;
	if (process_maps_find(placed->maps, in_kernel ? -1 : record->pid, record->sample.ip, &module, &offset))
		path = process_maps_module(placed->maps, module)->path;
	if (g_str_has_prefix(path, "[kernel.kallsyms]"))
		path = "[kernel.kallsyms]";
	const char *command = process_maps_command(placed->maps, record->pid, record->tid);
	g_ptr_array_add(
	        placed->lines, g_strdup_printf("%s %d/%d %" G_GINT64_MODIFIER "x (%s)", command != NULL ? command : "?",
	                               record->pid, record->tid, record->sample.ip, path));
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of perf script, with single blanks. */
static GPtrArray *perf_lines(const char *script)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) lines = g_strsplit(script, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		g_auto(GStrv) words = g_strsplit(g_strstrip(lines[i]), " ", -1);
		GString *line = g_string_new(NULL);
		for (guint j = 0; words[j] != NULL; j++)
			if (*words[j] != '\0')
				g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", words[j]);
		if (line->len > 0)
			g_ptr_array_add(out, g_string_free(line, FALSE));
		else
			g_string_free(line, TRUE);
	}
	return out;
}

static void commands_and_modules_are_those_that_perf_finds(void **state)
{
	(void)state;
	static const PerfDataVisitor visitor = {.begin = begin_placing, .record = place_record};
	Placed placed = {.lines = g_ptr_array_new_with_free_func(g_free)};
	g_autofree char *folder = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "perf.data", NULL);
	g_autofree char *record = g_strdup_printf("perf record -q -e cpu-clock -F 4999 -o %s -- sh -c '"
	                                          "for k in 1 2 3 4; do (%s; ls -l /usr/bin >&2) & done; wait'",
	        path, WORKLOAD);
	g_autofree char *print = g_strdup_printf("perf script -F comm,pid,tid,ip,dso -i %s", path);
	g_autofree char *recorded = run(record);
	g_autofree char *script = recorded != NULL ? run(print) : NULL;
	gboolean ok = script != NULL && perfdata_read(path, &visitor, &placed, NULL, NULL);
	g_unlink(path);
	g_rmdir(folder);
	if (script == NULL)
		skip_without_perf(record);
	assert_true(ok);
	g_autoptr(GPtrArray) expected = perf_lines(script);
	assert_int_equal(placed.lines->len, expected->len);
	g_ptr_array_sort(placed.lines, compare_lines);
	g_ptr_array_sort(expected, compare_lines);
	for (guint i = 0; i < expected->len; i++)
		assert_string_equal(placed.lines->pdata[i], expected->pdata[i]);
	g_ptr_array_unref(placed.lines);
	process_maps_free(placed.maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(files_have_the_samples_that_perf_finds),
	        cmocka_unit_test(pipes_have_the_samples_that_perf_finds),
	        cmocka_unit_test(compressed_files_have_the_samples_that_perf_finds),
	        cmocka_unit_test(compressed_pipes_have_the_samples_that_perf_finds),
	        cmocka_unit_test(recordings_with_user_stacks_have_the_samples_that_perf_finds),
	        cmocka_unit_test(several_events_have_the_samples_that_perf_finds),
	        cmocka_unit_test(tracepoints_have_the_samples_that_perf_finds),
	        cmocka_unit_test(switches_are_among_the_records),
	        cmocka_unit_test(counters_in_samples_are_skipped),
	        cmocka_unit_test(commands_and_modules_are_those_that_perf_finds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
