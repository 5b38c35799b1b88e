/* SPDX-License-Identifier: Apache-2.0 */
/* Runs under valgrind that are judged by files made by hand: those of a good run, and what is wrong with them. */
#include "runner/valgrind/valgrindjudge.h"

#include "core/durable.h"
#include "runner/valgrind/valgrindfiles.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* No processes have these numbers. */
#define MAIN_PID 50000000
#define MAIN "50000000"
#define OTHER "50000001"

#define LOG "==" MAIN "== Callgrind, a call-graph generating cache profiler\n"
#define SUMMARY "==" MAIN "== Events    : Ir\n==" MAIN "== Collected : 100\n"
#define OTHER_LOG "==" OTHER "== Callgrind, a call-graph generating cache profiler\n==" OTHER "== Events    : Ir\n"
#define HEAD "# callgrind format\nversion: 1\npid: 1\ncmd:  ./prog\npart: 1\n\n\n"
#define AT_END "desc: Trigger: Program termination\n"
#define BEFORE_FORK "desc: Trigger: --dump-before=_Fork\n"
#define COSTS "\nfn=main\n0 100\n\ntotals: 100\n"

typedef struct {
	char *recording, *dir;
	const char *kind;
	ConfigBenchmark *benchmark;
	ChildResult result;
	ValgrindImages *images;
	FindingList *findings;
	RunOutcome outcome;
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	static char *command[] = {(char *)"./prog", NULL};
	world->recording = g_dir_make_tmp("firebreak-judge-XXXXXX", NULL);
	world->dir = g_dir_make_tmp("firebreak-judge-XXXXXX", NULL);
	world->kind = VALGRIND_CALLGRIND;
	world->benchmark = config_benchmark_new();
	world->benchmark->name = g_strdup("one");
	world->benchmark->command = g_strdupv(command);
	world->benchmark->work = 1;
	world->result.out = g_string_new("");
	world->result.err = g_string_new("");
	world->findings = finding_list_new();
	world->images = valgrind_images_new(world->recording, world->kind, MAIN_PID, NULL);
	assert_non_null(world->images);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	run_outcome_clear(&world->outcome);
	valgrind_images_free(world->images);
	finding_list_free(world->findings);
	config_benchmark_free(world->benchmark);
	g_string_free(world->result.out, TRUE);
	g_string_free(world->result.err, TRUE);
	durable_remove_tree(world->recording, NULL);
	durable_remove_tree(world->dir, NULL);
	g_free(world->recording);
	g_free(world->dir);
	g_free(world);
	return 0;
}

/* Opens a file as valgrind does, and writes to it. */
static void put(const World *world, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(world->recording, name, NULL);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A program that ran alone and ended well leaves this. */
static void put_good(const World *world)
{
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
}

static void judge(World *world)
{
	const Side side = {.name = "base", .tree_dir = world->dir};
	const RunRequest request = {.benchmark = world->benchmark, .side = &side};
	g_autoptr(GError) error = NULL;
	assert_true(valgrind_images_update(world->images, NULL));
	const ValgrindRun run = {
	        .request = &request,
	        .kind = world->kind,
	        .recording = world->recording,
	        .dir = world->dir,
	        .result = &world->result,
	        .main_pid = MAIN_PID,
	        .images = world->images,
	        .findings = world->findings,
	};
	if (!valgrind_judge(&run, &world->outcome, &error))
		fail_msg("%s", error->message);
}

/* The run fails with that code, and says that. */
static void assert_fails(World *world, const char *code, const char *word)
{
	judge(world);
	assert_string_equal(world->outcome.failure_code != NULL ? world->outcome.failure_code : "", code);
	if (strstr(world->outcome.failure, word) == NULL)
		fail_msg("not said: %s; but %s", word, world->outcome.failure);
}

static void a_run_that_left_whole_files_is_good(void **state)
{
	World *world = *state;
	put_good(world);
	judge(world);
	if (world->outcome.failure_code != NULL)
		fail_msg("%s: %s", world->outcome.failure_code, world->outcome.failure);
}

static void a_run_without_counts_is_lost_data(void **state)
{
	World *world = *state;
	assert_fails(world, "data_lost", "left no counts");
}

static void a_process_without_a_dump_is_lost_data(void **state)
{
	World *world = *state;
	put_good(world);
	put(world, "callgrind-log." OTHER, OTHER_LOG);
	assert_fails(world, "data_lost", "1 of its 2 processes left no counts");
}

static void a_dump_of_nobody_is_lost_data(void **state)
{
	World *world = *state;
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
	put(world, "callgrind." OTHER, HEAD AT_END COSTS);
	assert_fails(world, "data_lost", "the log of a process that counted is gone");
}

static void a_dump_that_is_cut_off_is_lost_data(void **state)
{
	World *world = *state;
	put_good(world);
	put(world, "callgrind." MAIN, HEAD AT_END "\nfn=main\n0 100\n");
	assert_fails(world, "data_lost", "the dump of a process is cut off");
}

static void a_part_that_is_missing_is_lost_data(void **state)
{
	World *world = *state;
	put_good(world);
	put(world, "callgrind." MAIN ".2", HEAD BEFORE_FORK COSTS);
	assert_fails(world, "data_lost", "part 1 is missing");
}

static void a_log_without_its_end_is_lost_data(void **state)
{
	World *world = *state;
	put(world, "callgrind-log." MAIN, LOG);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
	assert_fails(world, "data_lost", "log of a process is incomplete");
}

static void a_log_that_was_put_in_the_place_of_another_is_lost_data(void **state)
{
	World *world = *state;
	g_autofree char *log = g_build_filename(world->recording, "callgrind-log." MAIN, NULL);
	put_good(world);
	assert_int_equal(g_unlink(log), 0);
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	assert_fails(world, "data_lost", "somebody removed, moved or opened files that valgrind wrote");
}

/* It has the costs of the original once more. */
static void a_copy_that_nobody_saw_being_made_is_lost_data(void **state)
{
	World *world = *state;
	put_good(world);
	put(world, "callgrind-log." OTHER, OTHER_LOG);
	put(world, "callgrind." OTHER, HEAD AT_END COSTS);
	assert_fails(world, "data_lost", "made a copy of itself unseen");
}

static void a_copy_whose_original_dumped_before_is_good(void **state)
{
	World *world = *state;
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	put(world, "callgrind." MAIN ".1", HEAD BEFORE_FORK COSTS);
	put(world, "callgrind." MAIN,
	        "# callgrind format\nversion: 1\npid: 1\ncmd:  ./prog\npart: 2\n\n\n" AT_END COSTS);
	put(world, "callgrind-log." OTHER, OTHER_LOG);
	put(world, "callgrind." OTHER, HEAD AT_END COSTS);
	judge(world);
	assert_null(world->outcome.failure_code);
}

static void a_process_that_crashed_has_done_only_a_part_of_its_work(void **state)
{
	World *world = *state;
	put(world, "callgrind-log." MAIN,
	        LOG "==" MAIN "== Process terminating with default action of signal 11 (SIGSEGV)\n" SUMMARY);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
	assert_fails(world, "benchmark_failed", "one of its processes (./prog) was killed by SIGSEGV");
	assert_non_null(strstr(world->outcome.failure, "terminating with default action"));
}

static void a_program_must_not_choose_what_is_counted(void **state)
{
	World *world = *state;
	put(world, "callgrind-log." MAIN, LOG "client request: code 43540001,  addr 0x0,  len 0\n" SUMMARY);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
	assert_fails(world, "data_lost", "CALLGRIND_ZERO_STATS");
}

static void a_region_is_chosen_by_such_requests(void **state)
{
	World *world = *state;
	world->benchmark->measure = MEASURE_REGION;
	put(world, "callgrind-log." MAIN, LOG "client request: code 43540001,  addr 0x0,  len 0\n" SUMMARY);
	put(world, "callgrind." MAIN, HEAD AT_END COSTS);
	judge(world);
	assert_null(world->outcome.failure_code);
}

static void what_is_no_file_in_the_place_of_a_dump_is_lost_data(void **state)
{
	World *world = *state;
	g_autofree char *path = g_build_filename(world->recording, "callgrind." MAIN, NULL);
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_fails(world, "data_lost", "is in the place of a dump but no file");
}

static void processes_with_the_numbers_of_others_are_lost_data(void **state)
{
	World *world = *state;
	put_good(world);
	put(world, "callgrind-log.1", OTHER_LOG);
	assert_fails(world, "data_lost", "starts a container");
}

static void a_program_that_fails_is_told_with_what_it_said(void **state)
{
	World *world = *state;
	put_good(world);
	world->result.exit_code = 3;
	g_string_append(world->result.err, "no such table\n");
	assert_fails(world, "benchmark_failed", "no such table");
}

/* valgrind itself could not start it. */
static void a_program_that_left_no_log_was_not_started(void **state)
{
	World *world = *state;
	world->result.exit_code = 1;
	g_string_append(world->result.err, "valgrind: ./prog: wrong ELF executable class\n");
	assert_fails(world, "benchmark_failed", "could not be started under valgrind");
}

static void a_timeout_is_not_tried_again(void **state)
{
	World *world = *state;
	world->result.timed_out = TRUE;
	world->result.exit_code = -1;
	world->result.signal = SIGTERM;
	judge(world);
	assert_string_equal(world->outcome.failure_code, "timeout");
	assert_false(world->outcome.retry);
}

static void processes_that_had_to_be_killed_are_escaped_work(void **state)
{
	World *world = *state;
	put_good(world);
	world->result.orphans = world->result.orphans_killed = 2;
	assert_fails(world, "escaped_work", "left processes behind (2)");
}

/* Later ones are most likely consequences of the first. */
static void the_first_thing_that_is_wrong_is_told(void **state)
{
	World *world = *state;
	world->result.exit_code = 3;
	put(world, "callgrind-log." MAIN, LOG SUMMARY);
	judge(world);
	assert_string_equal(world->outcome.failure_code, "benchmark_failed");
}

static void a_region_in_which_nothing_was_counted_is_missing(void **state)
{
	World *world = *state;
	world->benchmark->measure = MEASURE_REGION;
	put_good(world);
	put(world, "callgrind." MAIN, HEAD AT_END "\ntotals: 0\n");
	assert_fails(world, "region_missing", "counted nothing");
}

static void heap_memory_of_a_process_that_was_not_written_is_lost_data(void **state)
{
	World *world = *state;
	world->kind = VALGRIND_DHAT;
	put(world, "dhat-log." MAIN,
	        "==" MAIN "== DHAT, a dynamic heap analysis tool\n==" MAIN "== Total:     1 bytes in 1 blocks\n");
	put(world, "dhat." MAIN, "{\"dhatFileVersion\":2\n");
	assert_fails(world, "data_lost", "the dump of a process is cut off");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_run_that_left_whole_files_is_good),
	        TEST(a_run_without_counts_is_lost_data),
	        TEST(a_process_without_a_dump_is_lost_data),
	        TEST(a_dump_of_nobody_is_lost_data),
	        TEST(a_dump_that_is_cut_off_is_lost_data),
	        TEST(a_part_that_is_missing_is_lost_data),
	        TEST(a_log_without_its_end_is_lost_data),
	        TEST(a_log_that_was_put_in_the_place_of_another_is_lost_data),
	        TEST(a_copy_that_nobody_saw_being_made_is_lost_data),
	        TEST(a_copy_whose_original_dumped_before_is_good),
	        TEST(a_process_that_crashed_has_done_only_a_part_of_its_work),
	        TEST(a_program_must_not_choose_what_is_counted),
	        TEST(a_region_is_chosen_by_such_requests),
	        TEST(what_is_no_file_in_the_place_of_a_dump_is_lost_data),
	        TEST(processes_with_the_numbers_of_others_are_lost_data),
	        TEST(a_program_that_fails_is_told_with_what_it_said),
	        TEST(a_program_that_left_no_log_was_not_started),
	        TEST(a_timeout_is_not_tried_again),
	        TEST(processes_that_had_to_be_killed_are_escaped_work),
	        TEST(the_first_thing_that_is_wrong_is_told),
	        TEST(a_region_in_which_nothing_was_counted_is_missing),
	        TEST(heap_memory_of_a_process_that_was_not_written_is_lost_data),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
