/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamehues.h"

#include "report/flame/flamecolor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
	FlameColors colors;
	const char *name;
	FrameKind kind;
	FlameColor wanted;
} Case;

static void assert_colors(const Case *cases, gsize n, gboolean by_letters)
{
	for (gsize i = 0; i < n; i++) {
		FlameColor got = flame_hue(cases[i].colors, cases[i].name, cases[i].kind, by_letters);
		FlameColor wanted = cases[i].wanted;
		if (got.red != wanted.red || got.green != wanted.green || got.blue != wanted.blue)
			fail_msg("%s of %s: %d,%d,%d", cases[i].name, flame_colors_names[cases[i].colors], got.red,
			        got.green, got.blue);
	}
}

/* The values are those of pictures that flamegraph.pl made. */
static void colours_are_those_of_flamegraph_pl(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {FLAME_COLORS_HOT, "main", FRAME_USER, {243, 179, 42}},
	        {FLAME_COLORS_HOT, "read_word", FRAME_USER, {220, 69, 16}},
	        {FLAME_COLORS_HOT, "caf\xc3\xa9", FRAME_USER, {233, 130, 31}},
	        {FLAME_COLORS_HOT, "mod`func", FRAME_USER, {211, 29, 7}},
	        {FLAME_COLORS_HOT, "--", FRAME_USER, {160, 160, 160}},
	        {FLAME_COLORS_MEM, "main", FRAME_USER, {0, 228, 163}},
	        {FLAME_COLORS_IO, "main", FRAME_USER, {126, 126, 232}},
	        {FLAME_COLORS_RED, "main", FRAME_USER, {242, 112, 112}},
	        {FLAME_COLORS_GREEN, "main", FRAME_USER, {96, 242, 96}},
	        {FLAME_COLORS_BLUE, "main", FRAME_USER, {126, 126, 243}},
	        {FLAME_COLORS_YELLOW, "main", FRAME_USER, {217, 217, 65}},
	        {FLAME_COLORS_PURPLE, "main", FRAME_USER, {240, 126, 240}},
	        {FLAME_COLORS_AQUA, "main", FRAME_USER, {96, 207, 207}},
	        {FLAME_COLORS_ORANGE, "main", FRAME_USER, {240, 140, 0}},
	        {FLAME_COLORS_JAVA, "main", FRAME_USER, {242, 112, 112}},
	        {FLAME_COLORS_JAVA, "std::vec::push", FRAME_USER, {200, 200, 59}},
	        {FLAME_COLORS_JAVA, "do_sys_[k]", FRAME_USER, {217, 117, 0}},
	        {FLAME_COLORS_JAVA, "Ljava/lang/Foo:::bar_[j]", FRAME_USER, {69, 218, 69}},
	        {FLAME_COLORS_JAVA, "inl_[i]", FRAME_USER, {99, 210, 210}},
	        {FLAME_COLORS_JS, "/app/a.js:12", FRAME_USER, {64, 213, 64}},
	        {FLAME_COLORS_JS, "main", FRAME_USER, {242, 112, 112}},
	        {FLAME_COLORS_PERL, "Perl_run", FRAME_USER, {96, 242, 96}},
	        {FLAME_COLORS_PERL, "std::vec::push", FRAME_USER, {200, 200, 59}},
	        {FLAME_COLORS_PERL, "main", FRAME_USER, {242, 112, 112}},
	        {FLAME_COLORS_WAKEUP, "main", FRAME_USER, {96, 207, 207}},
	        {FLAME_COLORS_CHAIN, "wake_[w]", FRAME_USER, {108, 218, 218}},
	        {FLAME_COLORS_CHAIN, "main", FRAME_USER, {126, 126, 243}},
	};
	assert_colors(cases, G_N_ELEMENTS(cases), FALSE);
}

static void with_hash_they_are_too(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {FLAME_COLORS_HOT, "main", FRAME_USER, {247, 83, 46}},
	        {FLAME_COLORS_HOT, "read_word", FRAME_USER, {248, 184, 47}},
	        {FLAME_COLORS_HOT, "caf\xc3\xa9", FRAME_USER, {245, 93, 44}},
	        {FLAME_COLORS_HOT, "mod`func", FRAME_USER, {253, 172, 53}},
	        {FLAME_COLORS_HOT, "--", FRAME_USER, {160, 160, 160}},
	        {FLAME_COLORS_MEM, "main", FRAME_USER, {0, 232, 76}},
	        {FLAME_COLORS_IO, "main", FRAME_USER, {101, 101, 236}},
	        {FLAME_COLORS_RED, "main", FRAME_USER, {219, 79, 79}},
	        {FLAME_COLORS_GREEN, "main", FRAME_USER, {71, 219, 71}},
	        {FLAME_COLORS_BLUE, "main", FRAME_USER, {101, 101, 223}},
	        {FLAME_COLORS_YELLOW, "main", FRAME_USER, {194, 194, 57}},
	        {FLAME_COLORS_PURPLE, "main", FRAME_USER, {213, 101, 213}},
	        {FLAME_COLORS_AQUA, "main", FRAME_USER, {71, 184, 184}},
	        {FLAME_COLORS_ORANGE, "main", FRAME_USER, {213, 113, 0}},
	        {FLAME_COLORS_JAVA, "main", FRAME_USER, {219, 79, 79}},
	        {FLAME_COLORS_JAVA, "std::vec::push", FRAME_USER, {210, 210, 62}},
	        {FLAME_COLORS_JAVA, "do_sys_[k]", FRAME_USER, {243, 143, 0}},
	        {FLAME_COLORS_JAVA, "Ljava/lang/Foo:::bar_[j]", FRAME_USER, {87, 234, 87}},
	        {FLAME_COLORS_JAVA, "inl_[i]", FRAME_USER, {99, 210, 210}},
	        {FLAME_COLORS_JS, "/app/a.js:12", FRAME_USER, {80, 227, 80}},
	        {FLAME_COLORS_JS, "main", FRAME_USER, {219, 79, 79}},
	        {FLAME_COLORS_PERL, "Perl_run", FRAME_USER, {102, 247, 102}},
	        {FLAME_COLORS_PERL, "std::vec::push", FRAME_USER, {210, 210, 62}},
	        {FLAME_COLORS_PERL, "main", FRAME_USER, {219, 79, 79}},
	        {FLAME_COLORS_WAKEUP, "main", FRAME_USER, {71, 184, 184}},
	        {FLAME_COLORS_CHAIN, "wake_[w]", FRAME_USER, {70, 183, 183}},
	        {FLAME_COLORS_CHAIN, "main", FRAME_USER, {101, 101, 223}},
	};
	assert_colors(cases, G_N_ELEMENTS(cases), TRUE);
}

static void the_kind_of_a_frame_is_as_good_as_a_note_in_its_name(void **state)
{
	(void)state;
	FlameColor kernel = flame_hue(FLAME_COLORS_JAVA, "do_sys_open", FRAME_KERNEL, FALSE);
	FlameColor orange = flame_hue(FLAME_COLORS_ORANGE, "do_sys_open", FRAME_USER, FALSE);
	assert_true(kernel.red == orange.red && kernel.green == orange.green && kernel.blue == orange.blue);
	FlameColor user = flame_hue(FLAME_COLORS_JAVA, "do_sys_open", FRAME_USER, FALSE);
	assert_false(kernel.green == user.green && kernel.blue == user.blue);
}

static void bytes_that_are_no_text_have_a_colour(void **state)
{
	(void)state;
	FlameColor one = flame_hue(FLAME_COLORS_HOT, "\xff\xfe", FRAME_USER, FALSE);
	FlameColor other = flame_hue(FLAME_COLORS_HOT, "\xff\xfe", FRAME_USER, TRUE);
	assert_true(one.red >= 205 && other.red >= 205);
	assert_true(flame_hue(FLAME_COLORS_HOT, "", FRAME_USER, TRUE).red >= 205);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(colours_are_those_of_flamegraph_pl),
	        cmocka_unit_test(with_hash_they_are_too),
	        cmocka_unit_test(the_kind_of_a_frame_is_as_good_as_a_note_in_its_name),
	        cmocka_unit_test(bytes_that_are_no_text_have_a_colour),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
