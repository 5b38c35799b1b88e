/* SPDX-License-Identifier: Apache-2.0 */
/* Names of events and what they stand for, with a made-up machine below a temporary folder in place of "/". */
#include "runner/events/eventparse.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/events/tracefs.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	char *root;
	GArray *specs;
	GError *error;
} Fixture;

static void add_file(const Fixture *f, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(f->root, path, NULL);
	g_autofree char *folder = g_path_get_dirname(full);
	g_mkdir_with_parents(folder, 0700);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void clear_spec(gpointer spec)
{
	perf_event_spec_clear(spec);
}

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->root = g_dir_make_tmp("firebreak-events-XXXXXX", NULL);
	f->specs = g_array_new(FALSE, FALSE, sizeof(PerfEventSpec));
	g_array_set_clear_func(f->specs, clear_spec);
#define CPU "sys/bus/event_source/devices/cpu/"
	add_file(f, CPU "type", "4\n");
	add_file(f, CPU "format/event", "config:0-7,32-35\n");
	add_file(f, CPU "format/umask", "config:8-15\n");
	add_file(f, CPU "format/any", "config:21\n");
	add_file(f, CPU "format/ldlat", "config1:0-15\n");
	add_file(f, CPU "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
#define EVENTS "sys/kernel/tracing/events/"
	add_file(f, EVENTS "sched/sched_switch/id", "316\n");
	add_file(f, EVENTS "probe_bench/parse/id", "2001\n");
	add_file(f, "sys/kernel/tracing/uprobe_events", "p:probe_bench/parse /srv/bench:0x1130\n");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	durable_remove_tree(f->root, NULL);
	g_array_unref(f->specs);
	g_clear_error(&f->error);
	g_free(f->root);
	g_free(f);
	return 0;
}

static const PerfEventSpec *get(const Fixture *f, guint index)
{
	assert_true(index < f->specs->len);
	return &g_array_index(f->specs, PerfEventSpec, index);
}

static void parse(Fixture *f, const char *text)
{
	g_array_set_size(f->specs, 0);
	gboolean ok = perf_events_parse_at(f->root, text, f->specs, NULL, &f->error);
	if (!ok)
		print_message("%s: %s\n", text, f->error->message);
	assert_true(ok);
}

static void names_stand_for_the_kernels_numbers(void **state)
{
	Fixture *f = *state;
	static const struct {
		const char *text, *unit;
		guint32 type;
		guint64 config;
	} cases[] = {
	        {"cycles", "cycles", PERF_TYPE_HARDWARE, 0},
	        {"cpu-cycles", "cycles", PERF_TYPE_HARDWARE, 0},
	        {"instructions", "instructions", PERF_TYPE_HARDWARE, 1},
	        {"branch-misses", "count", PERF_TYPE_HARDWARE, 5},
	        {"ref-cycles", "cycles", PERF_TYPE_HARDWARE, 9},
	        {"cpu-clock", "ns", PERF_TYPE_SOFTWARE, 0},
	        {"task-clock", "ns", PERF_TYPE_SOFTWARE, 1},
	        {"faults", "count", PERF_TYPE_SOFTWARE, 2},
	        {"cs", "count", PERF_TYPE_SOFTWARE, 3},
	        {"major-faults", "count", PERF_TYPE_SOFTWARE, 6},
	        {"L1-dcache-load-misses", "count", PERF_TYPE_HW_CACHE, 0x10000},
	        {"LLC-stores", "count", PERF_TYPE_HW_CACHE, 0x102},
	        {"dTLB-prefetch-misses", "count", PERF_TYPE_HW_CACHE, 0x10203},
	        {"node-loads", "count", PERF_TYPE_HW_CACHE, 0x6},
	        {"r1a8", "count", PERF_TYPE_RAW, 0x1a8},
	        {"rFFFFFFFFFFFFFFFF", "count", PERF_TYPE_RAW, G_MAXUINT64},
	        {"cpu/event=0x3c/", "count", PERF_TYPE_RAW, 0x3c},
	        /* bit 8 of the event number lies at bit 32 */
	        {"cpu/event=0x13c,umask=1,any/", "count", PERF_TYPE_RAW, 1ull << 32 | 1 << 21 | 1 << 8 | 0x3c},
	        {"cpu/config=0x1234/", "count", PERF_TYPE_RAW, 0x1234},
	        {"sched:sched_switch", "count", PERF_TYPE_TRACEPOINT, 316},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		parse(f, cases[i].text);
		assert_int_equal(f->specs->len, 1);
		assert_string_equal(get(f, 0)->name, cases[i].text);
		assert_string_equal(get(f, 0)->unit, cases[i].unit);
		assert_int_equal(get(f, 0)->type, cases[i].type);
		assert_int_equal(get(f, 0)->config, cases[i].config);
	}
}

static void every_listed_name_can_be_parsed(void **state)
{
	Fixture *f = *state;
	guint n = 0;
	for (const char *const *name = perf_event_names(); *name != NULL; name++, n++)
		parse(f, *name);
	assert_true(n > 50);
}

static void an_abbreviation_stands_for_its_terms(void **state)
{
	Fixture *f = *state;
	parse(f, "cpu/mem-loads,ldlat=30/");
	assert_int_equal(get(f, 0)->config, 0x1cd);
	assert_int_equal(get(f, 0)->config1, 3 | 30);
	parse(f, "cpu/mem-loads,name=loads/u");
	assert_string_equal(get(f, 0)->name, "loads:u");
}

static void modifiers_leave_the_other_modes_out(void **state)
{
	Fixture *f = *state;
	parse(f, "cycles:u,cycles:k,cycles:uk,cycles,cpu/event=1/ppu");
	assert_true(!get(f, 0)->exclude_user && get(f, 0)->exclude_kernel && get(f, 0)->exclude_hv);
	assert_true(get(f, 1)->exclude_user && !get(f, 1)->exclude_kernel);
	assert_true(!get(f, 2)->exclude_user && !get(f, 2)->exclude_kernel && get(f, 2)->exclude_hv);
	assert_true(!get(f, 3)->exclude_user && !get(f, 3)->exclude_kernel && !get(f, 3)->exclude_hv);
	assert_int_equal(get(f, 4)->precise, 2);
	assert_true(get(f, 4)->exclude_kernel);
	assert_string_equal(get(f, 4)->name, "cpu/event=1/ppu");
}

static void groups_have_numbers_and_share_modifiers(void **state)
{
	Fixture *f = *state;
	parse(f, "cpu-clock,{cycles,instructions:k}:u,{r1,cpu/event=1,umask=2/}");
	assert_int_equal(f->specs->len, 5);
	assert_int_equal(get(f, 0)->group, 0);
	assert_true(get(f, 1)->group != 0);
	assert_int_equal(get(f, 1)->group, get(f, 2)->group);
	assert_int_equal(get(f, 3)->group, get(f, 4)->group);
	assert_int_not_equal(get(f, 1)->group, get(f, 3)->group);
	assert_string_equal(get(f, 1)->name, "cycles:u");
	assert_string_equal(get(f, 2)->name, "instructions:ku");
	assert_true(!get(f, 2)->exclude_kernel && !get(f, 2)->exclude_user);
}

static void a_second_list_gets_other_groups(void **state)
{
	Fixture *f = *state;
	parse(f, "{cycles,instructions}");
	assert_true(perf_events_parse_at(f->root, "{page-faults,cpu-clock}", f->specs, NULL, NULL));
	assert_int_not_equal(get(f, 0)->group, get(f, 2)->group);
}

static void a_probe_in_user_code_needs_no_kernel_mode(void **state)
{
	Fixture *f = *state;
	parse(f, "probe_bench:parse,sched:sched_switch,context-switches,page-faults");
	assert_false(get(f, 0)->in_kernel_only);
	assert_true(get(f, 1)->in_kernel_only);
	assert_true(get(f, 2)->in_kernel_only);
	assert_false(get(f, 3)->in_kernel_only);
}

static void what_is_unknown_is_refused_with_the_nearest_known(void **state)
{
	Fixture *f = *state;
	static const struct {
		const char *text, *said;
	} cases[] = {
	        {"cycels", "unknown event \"cycels\"; did you mean \"cycles\"?"},
	        {"L1-dcache-load-mises", "did you mean \"L1-dcache-load-misses\"?"},
	        {"bananas", "`perf list` prints what there is"},
	        {"rxyz", "unknown event \"rxyz\""},
	        {"r11112222333344445", "unknown event"},
	        {"sched:sched_swich", "did you mean \"sched:sched_switch\"?"},
	        {"schd:sched_switch", "did you mean \"sched:...\"?"},
	        {"..:sched", "unknown tracepoint"},
	        {"cpux/event=1/", "unknown PMU \"cpux\"; did you mean \"cpu\"?"},
	        {"cpu/evnt=1/", "unknown term \"evnt\"; did you mean \"event\"?"},
	        {"cpu/mem-load/", "did you mean \"mem-loads\"?"},
	        {"cpu/event=x/", "\"x\" is not a number"},
	        {"cpu/umask=0x100/", "the term \"umask\" cannot take this value (its bits are config:8-15)"},
	        {"cpu/../type=1/", "unknown term"},
	        {"cycles:z", "unknown modifier \"z\""},
	        {"cycles:S", "modifier S) is not supported"},
	        {"cycles:pppp", "at most three p"},
	        {"{cycles", "is not closed"},
	        {"{cycles,{instructions}}", "an event group cannot hold another"},
	        {"sched:*", "patterns are not supported"},
	        {"mem:0x1000:rw", "breakpoints (mem:...) are not supported"},
	        {"off-cpu", "unknown event \"off-cpu\""},
	        {"cycles,,instructions", "an event has no name"},
	        {"", "an event has no name"},
	        {"/", "has no terms"},
	        {"//", "unknown PMU"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_clear_error(&f->error);
		gboolean ok = perf_events_parse_at(f->root, cases[i].text, f->specs, NULL, &f->error);
		if (ok || strstr(f->error->message, cases[i].said) == NULL)
			print_message("%s: %s\n", cases[i].text, ok ? "was taken" : f->error->message);
		assert_false(ok);
		assert_non_null(strstr(f->error->message, cases[i].said));
		assert_int_equal(f->error->code, FIREBREAK_ERROR_USAGE);
	}
}

static void a_list_that_is_refused_adds_nothing(void **state)
{
	Fixture *f = *state;
	parse(f, "cycles");
	assert_false(perf_events_parse_at(f->root, "instructions,bananas", f->specs, NULL, &f->error));
	assert_int_equal(f->specs->len, 1);
}

static void endless_lists_are_refused(void **state)
{
	Fixture *f = *state;
	g_autoptr(GString) text = g_string_new("cycles");
	for (guint i = 0; i < 100; i++)
		g_string_append(text, ",cycles");
	assert_false(perf_events_parse_at(f->root, text->str, f->specs, NULL, &f->error));
	assert_non_null(strstr(f->error->message, "more than 64 events"));
}

static void tracepoints_without_tracefs_come_with_the_remedy(void **state)
{
	Fixture *f = *state;
	assert_false(perf_events_parse_at("/nonexistent", "sched:sched_switch", f->specs, NULL, &f->error));
	assert_int_equal(f->error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(f->error->message, "mount -t tracefs"));
}

static void tracefs_that_is_mounted_for_others_is_not_to_be_mounted(void **state)
{
	Fixture *f = *state;
	g_autofree char *mounts = g_build_filename(f->root, "proc", "self", "mounts", NULL);
	g_autofree char *folder = g_path_get_dirname(mounts);
	assert_non_null(strstr(tracefs_remedy(f->root), "mount -t tracefs"));
	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	assert_true(g_file_set_contents(mounts, "nodev /sys/kernel/tracing tracefs rw,relatime 0 0\n", -1, NULL));
	assert_null(strstr(tracefs_remedy(f->root), "mount -t tracefs"));
	assert_non_null(strstr(tracefs_remedy(f->root), "it is mounted, but not for this user"));
}

static void a_machine_without_counters_has_no_unit_of_them(void **state)
{
	Fixture *f = *state;
	assert_false(perf_events_parse_at("/nonexistent", "cpu/event=0x3c/", f->specs, NULL, &f->error));
	assert_int_equal(f->error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(f->error->message, "virtual machines often have no hardware counters"));
}

static void waits_are_named_like_events(void **state)
{
	Fixture *f = *state;
	static const char *const lists[] = {"cpu-clock,off-cpu", "offcpu-time,cpu-clock"};
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
		gboolean off_cpu = FALSE;
		g_array_set_size(f->specs, 0);
		assert_true(perf_events_parse_at(f->root, lists[i], f->specs, &off_cpu, &f->error));
		assert_true(off_cpu);
		assert_int_equal(f->specs->len, 1);
	}
	gboolean off_cpu = FALSE;
	assert_false(perf_events_parse_at(f->root, "{cpu-clock,off-cpu}", f->specs, &off_cpu, &f->error));
	assert_non_null(strstr(f->error->message, "cannot be in a group"));
}

static void one_event_by_two_names_is_the_same(void **state)
{
	Fixture *f = *state;
	parse(f, "page-faults,faults,page-faults:u,cpu-clock");
	assert_true(perf_event_spec_equal(get(f, 0), get(f, 1)));
	assert_false(perf_event_spec_equal(get(f, 0), get(f, 2)));
	assert_false(perf_event_spec_equal(get(f, 0), get(f, 3)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(names_stand_for_the_kernels_numbers),
	        TEST(every_listed_name_can_be_parsed),
	        TEST(an_abbreviation_stands_for_its_terms),
	        TEST(modifiers_leave_the_other_modes_out),
	        TEST(groups_have_numbers_and_share_modifiers),
	        TEST(a_second_list_gets_other_groups),
	        TEST(a_probe_in_user_code_needs_no_kernel_mode),
	        TEST(what_is_unknown_is_refused_with_the_nearest_known),
	        TEST(a_list_that_is_refused_adds_nothing),
	        TEST(endless_lists_are_refused),
	        TEST(tracepoints_without_tracefs_come_with_the_remedy),
	        TEST(tracefs_that_is_mounted_for_others_is_not_to_be_mounted),
	        TEST(a_machine_without_counters_has_no_unit_of_them),
	        TEST(waits_are_named_like_events),
	        TEST(one_event_by_two_names_is_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
