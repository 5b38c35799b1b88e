/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/profiletotal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_profile_is_said_with_its_unit_or_another_name_and_its_event(void **state)
{
	static const struct {
		const char *event, *unit;
		guint64 samples, weight;
		gboolean counted;
		const char *wanted, *in_ticks;
	} cases[] = {
	        {"cpu-clock", "samples", 12345, 12345, FALSE, "12,345 samples of cpu-clock",
	                "12,345 ticks of cpu-clock"},
	        {"", "samples", 7, 7, FALSE, "7 samples", "7 ticks"},
	        {"", "samples", 1, 1, FALSE, "1 sample", "1 ticks"},
	        {"", "counts", 1400, 1400, TRUE, "1,400 counts", "1,400 ticks"},
	        {"cycles", "cycles", 1, 5000, FALSE, "5000 cycles in 1 sample", "5,000 ticks"},
	        {"cpu-clock:u", "ns", 1000, 2500000000, FALSE, "2.50 s of cpu-clock:u in 1,000 samples",
	                "2,500,000,000 ticks of cpu-clock:u"},
	        {"cycles", "cycles", 10, 5000000, FALSE, "5.00 M cycles in 10 samples", "5,000,000 ticks"},
	        {"page-faults", "count", 300, 300, TRUE, "300 of page-faults", "300 ticks of page-faults"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = profile_new(table, cases[i].event, cases[i].unit);
		FrameId frame = stack_table_frame_named(table, "f", NULL, FRAME_USER);
		StackId stack = stack_table_push(table, STACK_ROOT, frame);
		guint first = profile_add_run(profile), second = profile_add_run(profile);
		profile_add(profile, first, stack, (ProfileCell){1, 1});
		profile_add(profile, second, stack, (ProfileCell){cases[i].samples - 1, cases[i].weight - 1});
		g_autofree char *text = profile_total_text(profile, cases[i].counted, 1);
		g_autofree char *named = profile_total_named(profile, "ticks", 1);
		assert_string_equal(text, cases[i].wanted);
		assert_string_equal(named, cases[i].in_ticks);
	}
}

static void a_factor_multiplies_costs_and_no_samples(void **state)
{
	static const struct {
		const char *unit, *wanted, *in_ticks;
	} cases[] = {
	        {"samples", "5,000 samples", "5,000 ticks"},
	        {"counts", "5,000 counts", "5,000 ticks"},
	        {"ns", "5.00 µs in 40 samples", "5,000 ticks"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = profile_new(table, "", cases[i].unit);
		FrameId frame = stack_table_frame_named(table, "f", NULL, FRAME_USER);
		profile_add(profile, profile_add_run(profile), stack_table_push(table, STACK_ROOT, frame),
		        (ProfileCell){40, 10000});
		g_autofree char *text = profile_total_text(profile, FALSE, .5);
		g_autofree char *named = profile_total_named(profile, "ticks", .5);
		assert_string_equal(text, cases[i].wanted);
		assert_string_equal(named, cases[i].in_ticks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_profile_is_said_with_its_unit_or_another_name_and_its_event),
	        cmocka_unit_test(a_factor_multiplies_costs_and_no_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
