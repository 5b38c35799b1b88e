/* SPDX-License-Identifier: Apache-2.0 */
/* Real perf events on this process, on its first CPU; skipped, saying why, where they cannot be opened. */
#include "runner/record/eventset.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HZ 97

/* Events that every machine has which has any. */
static const RecorderEvent clock_event = {.spec = {.name = (char *)"cpu-clock",
                                                  .type = PERF_TYPE_SOFTWARE,
                                                  .config = PERF_COUNT_SW_CPU_CLOCK,
                                                  .exclude_kernel = TRUE},
        .frequency_hz = HZ};
static const RecorderEvent faults_event = {.spec = {.name = (char *)"page-faults:u",
                                                   .type = PERF_TYPE_SOFTWARE,
                                                   .config = PERF_COUNT_SW_PAGE_FAULTS,
                                                   .exclude_kernel = TRUE},
        .period = 1};
/* No machine has an event of this type. */
static const RecorderEvent strange_event = {
        .spec = {.name = (char *)"strange", .type = 0x7ffffff0, .exclude_kernel = TRUE}, .frequency_hz = HZ};

typedef struct {
	FindingList *findings;
	RecorderEvent events[3];
	RecorderPlan plan;
	GError *error;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->findings = finding_list_new();
	f->plan.stacks = RECORDER_FRAME_POINTERS;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	finding_list_free(f->findings);
	g_clear_error(&f->error);
	g_free(f);
	return 0;
}

static void add(Fixture *f, RecorderEvent event)
{
	f->events[f->plan.n_events++] = event;
	f->plan.events = f->events;
}

static void skip_without_events(const Fixture *f)
{
	PerfAbilities abilities;
	g_autoptr(GError) error = NULL;
	if (perf_probe(&abilities, f->findings, &error))
		return;
	print_message("skipped: %s\n", error->message);
	skip();
}

static EventSet *open_set(Fixture *f)
{
	static const int cpus[] = {0};
	return event_set_open(&f->plan, getpid(), cpus, G_N_ELEMENTS(cpus), f->findings, &f->error);
}

static EventSet *must_open(Fixture *f)
{
	skip_without_events(f);
	EventSet *set = open_set(f);
	if (set == NULL)
		fail_msg("%s", f->error->message);
	return set;
}

static void a_sample_is_of_the_event_with_its_identifier(void **state)
{
	Fixture *f = *state;
	add(f, clock_event);
	add(f, faults_event);
	g_autoptr(EventSet) set = must_open(f);
	assert_int_equal(set->events->len, 2);
	for (guint i = 0; i < 2; i++)
		assert_ptr_equal(event_set_find(set, event_set_get(set, i)->ids[0]), event_set_get(set, i));
	assert_null(event_set_find(set, G_MAXUINT64));
}

static void the_first_event_tells_of_maps_and_no_other_does(void **state)
{
	Fixture *f = *state;
	add(f, clock_event);
	add(f, faults_event);
	g_autoptr(EventSet) set = must_open(f);
	assert_true(event_set_get(set, 0)->attr.mmap2 && event_set_get(set, 0)->attr.comm);
	assert_false(event_set_get(set, 1)->attr.mmap2 || event_set_get(set, 1)->attr.comm);
}

/* Else the maps from before the region would lack. */
static void where_recording_starts_switched_off_one_more_event_is_always_on(void **state)
{
	Fixture *f = *state;
	f->plan.start_disabled = TRUE;
	add(f, clock_event);
	g_autoptr(EventSet) set = must_open(f);
	assert_int_equal(set->events->len, 2);
	assert_true(event_set_get(set, 0)->always_on && event_set_get(set, 0)->attr.enable_on_exec);
	assert_false(event_set_get(set, 1)->always_on || event_set_get(set, 1)->attr.enable_on_exec);
	assert_true(event_set_enable(set, TRUE, &f->error));
	assert_true(event_set_enable(set, FALSE, &f->error));
}

static void members_of_a_group_follow_its_leader(void **state)
{
	Fixture *f = *state;
	RecorderEvent leader = clock_event, member = faults_event;
	leader.spec.group = member.spec.group = 1;
	add(f, leader);
	add(f, member);
	g_autoptr(EventSet) set = must_open(f);
	assert_int_equal(event_set_get(set, 1)->leader, 0);
	assert_true(event_set_get(set, 0)->attr.disabled);
	assert_false(event_set_get(set, 1)->attr.disabled);
}

static void a_name_says_that_only_user_mode_is_recorded(void **state)
{
	Fixture *f = *state;
	RecorderEvent unsaid = clock_event;
	unsaid.spec.exclude_kernel = FALSE;
	add(f, unsaid);
	g_autoptr(EventSet) set = must_open(f);
	assert_string_equal(event_set_get(set, 0)->name, "cpu-clock:u");
}

static void waits_are_recorded_by_switches(void **state)
{
	Fixture *f = *state;
	add(f, clock_event);
	add(f, (RecorderEvent){.off_cpu = TRUE});
	skip_without_events(f);
	g_autoptr(EventSet) set = open_set(f);
	if (set == NULL) { /* an event of the kernel, which not everybody may open */
		print_message("skipped: %s\n", f->error->message);
		skip();
	}
	assert_true(event_set_get(set, 1)->off_cpu);
	assert_string_equal(event_set_get(set, 1)->name, "offcpu-time");
	assert_true(event_set_get(set, 0)->attr.context_switch);
}

static void an_event_that_is_refused_is_an_error_that_names_it(void **state)
{
	Fixture *f = *state;
	add(f, strange_event);
	skip_without_events(f);
	assert_null(open_set(f));
	assert_int_equal(f->error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(f->error->message, "strange"));
}

static void an_event_that_may_be_the_clock_is_it_where_it_is_refused(void **state)
{
	Fixture *f = *state;
	RecorderEvent replaced = strange_event;
	replaced.or_clock = TRUE;
	add(f, replaced);
	g_autoptr(EventSet) set = must_open(f);
	assert_true(g_str_has_prefix(event_set_get(set, 0)->name, "cpu-clock"));
	assert_int_equal(event_set_get(set, 0)->attr.sample_freq, HZ);
	assert_true(finding_has(f->findings, "sampled_by_clock"));
}

/* The kernel would take the period for one of every single happening. */
static void a_period_that_is_not_told_does_not_go_beside_a_frequency(void **state)
{
	Fixture *f = *state;
	RecorderEvent seldom = faults_event;
	seldom.period = 100;
	add(f, clock_event);
	add(f, seldom);
	assert_null(open_set(f));
	assert_int_equal(f->error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(f->error->message, "page-faults:u"));
}

static void samples_of_a_fixed_period_alone_do_not_tell_it(void **state)
{
	Fixture *f = *state;
	RecorderEvent seldom = faults_event;
	seldom.period = 100;
	add(f, seldom);
	g_autoptr(EventSet) set = must_open(f);
	assert_false(event_set_get(set, 0)->attr.sample_type & PERF_SAMPLE_PERIOD);
	assert_int_equal(event_set_get(set, 0)->attr.sample_period, 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_sample_is_of_the_event_with_its_identifier),
	        TEST(the_first_event_tells_of_maps_and_no_other_does),
	        TEST(where_recording_starts_switched_off_one_more_event_is_always_on),
	        TEST(members_of_a_group_follow_its_leader),
	        TEST(a_name_says_that_only_user_mode_is_recorded),
	        TEST(waits_are_recorded_by_switches),
	        TEST(an_event_that_is_refused_is_an_error_that_names_it),
	        TEST(an_event_that_may_be_the_clock_is_it_where_it_is_refused),
	        TEST(a_period_that_is_not_told_does_not_go_beside_a_frequency),
	        TEST(samples_of_a_fixed_period_alone_do_not_tell_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
