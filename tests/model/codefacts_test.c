/* SPDX-License-Identifier: Apache-2.0 */
#include "model/codefacts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const FrameId zero = {0}, beyond = {2};

static void without_facts_nothing_is_known(void **state)
{
	(void)state;
	assert_int_equal(code_facts_identity(NULL, zero), CODE_UNKNOWN);
	assert_null(code_facts_place(NULL, 0, zero));
	code_facts_free(NULL);
}

static void new_facts_know_nothing(void **state)
{
	(void)state;
	g_autoptr(CodeFacts) facts = code_facts_new(2);
	assert_int_equal(code_facts_identity(facts, zero), CODE_UNKNOWN);
	assert_null(code_facts_place(facts, 0, zero));
	assert_null(code_facts_place(facts, 1, zero));
}

static void frames_beyond_the_facts_are_not_known(void **state)
{
	(void)state;
	g_autoptr(CodeFacts) facts = code_facts_new(2);
	facts->identity[1] = CODE_SAME;
	facts->places[1][1].hash = 7;
	assert_int_equal(code_facts_identity(facts, (FrameId){1}), CODE_SAME);
	assert_int_equal(code_facts_place(facts, 1, (FrameId){1})->hash, 7);
	assert_null(code_facts_place(facts, 0, (FrameId){1}));
	assert_int_equal(code_facts_identity(facts, beyond), CODE_UNKNOWN);
	assert_null(code_facts_place(facts, 1, beyond));
}

static void facts_of_no_frames_can_be_asked(void **state)
{
	(void)state;
	g_autoptr(CodeFacts) facts = code_facts_new(0);
	assert_int_equal(code_facts_identity(facts, zero), CODE_UNKNOWN);
}

static void sketches_are_similar_if_few_bits_differ(void **state)
{
	(void)state;
	const guint64 sketch = G_GUINT64_CONSTANT(0x123456789abcdef0);
	assert_true(code_sketches_similar(sketch, sketch));
	assert_true(code_sketches_similar(sketch, sketch ^ 0x3fff));
	assert_false(code_sketches_similar(sketch, sketch ^ 0x7fff));
	assert_false(code_sketches_similar(sketch, ~sketch));
}

static void a_sketch_that_is_not_known_is_like_none(void **state)
{
	(void)state;
	assert_false(code_sketches_similar(0, 0));
	assert_false(code_sketches_similar(1, 0));
	assert_false(code_sketches_similar(0, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_facts_nothing_is_known),
	        cmocka_unit_test(new_facts_know_nothing),
	        cmocka_unit_test(frames_beyond_the_facts_are_not_known),
	        cmocka_unit_test(facts_of_no_frames_can_be_asked),
	        cmocka_unit_test(sketches_are_similar_if_few_bits_differ),
	        cmocka_unit_test(a_sketch_that_is_not_known_is_like_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
