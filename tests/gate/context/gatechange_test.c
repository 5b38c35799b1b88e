/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of a change, as a result has them. */
#include "gate/context/gatechange.h"

#include "tests/gate/fixture/gatefixture.h"

static const CheckResult *check(GateFixture *f, gboolean has_out)
{
	g_autofree char *out = g_build_filename(f->root, "out", NULL);
	f->request.out_dir = has_out ? out : NULL;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_put(f, "work.c", "int main;\n");
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	f->request.out_dir = NULL;
	return f->result;
}

static void files_that_the_change_edits_are_counted(void **state)
{
	const CheckResult *result = check(*state, TRUE);
	assert_non_null(result->changed);
	assert_int_equal(result->changed->n_files, 2);
}

static void no_code_of_unknown_place_is_called_edited(void **state)
{
	assert_int_equal(check(*state, TRUE)->changed->n_measured_files, 0);
}

static void without_a_place_for_outputs_nothing_is_looked_for(void **state)
{
	assert_null(check(*state, FALSE)->changed);
}

static void base_against_base_changes_nothing(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	assert_null(check(f, TRUE)->changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(files_that_the_change_edits_are_counted),
	        GATE_TEST(no_code_of_unknown_place_is_called_edited),
	        GATE_TEST(without_a_place_for_outputs_nothing_is_looked_for),
	        GATE_TEST(base_against_base_changes_nothing),
	};
	return run_gate_tests(tests);
}
