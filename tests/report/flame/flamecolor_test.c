/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecolor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Relative luminance of sRGB, 0 black to 1 white (WCAG 2). */
static double luminance(FlameColor color)
{
	const guint8 channels[] = {color.red, color.green, color.blue};
	static const double weights[] = {.2126, .7152, .0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double c = channels[i] / 255.;
		sum += weights[i] * (c <= .04045 ? c / 12.92 : pow((c + .055) / 1.055, 2.4));
	}
	return sum;
}

static void no_evidence_is_grey_and_any_evidence_is_not(void **state)
{
	(void)state;
	FlameColor grey = flame_color_change(0), more = flame_color_change(.0001), less = flame_color_change(-.0001);
	assert_true(ABS(grey.red - grey.blue) < 10);
	assert_true(more.red > more.blue + 20);
	assert_true(less.blue > less.red + 10);
}

static void strength_grows_with_the_change_and_ends_at_one(void **state)
{
	(void)state;
	guint8 last = flame_color_change(0).blue;
	for (double strength = .05; strength < 1; strength += .1) {
		guint8 blue = flame_color_change(strength).blue;
		assert_true(blue < last);
		last = blue;
	}
	assert_int_equal(flame_color_change(1).blue, flame_color_change(7).blue);
	assert_int_equal(flame_color_change(NAN).blue, flame_color_change(0).blue);
}

static void black_text_is_readable_on_every_frame(void **state)
{
	(void)state;
	for (double strength = -1; strength <= 1; strength += .125)
		assert_true((luminance(flame_color_change(strength)) + .05) / .05 >= 4.5);
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++)
		assert_true(1.05 / (luminance(flame_color_verdict(verdict)) + .05) >= 4.5);
}

static gboolean same(FlameColor a, FlameColor b)
{
	return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static void modules_kernel_and_inlined_code_differ(void **state)
{
	(void)state;
	static const char *const names[] = {"catalog", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libz.so.1"};
	g_autoptr(StackTable) table = stack_table_new();
	FrameId frames[G_N_ELEMENTS(names)];
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		frames[i] = stack_table_frame_named(table, "f", names[i], FRAME_USER);
	g_autoptr(FlamePalette) palette = flame_palette_new(table);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		NameId module = stack_table_get_frame(table, frames[i])->module;
		FlameColor color = flame_palette_module(palette, module, FRAME_USER);
		assert_false(same(color, flame_palette_module(palette, module, FRAME_INLINED)));
		assert_false(same(color, flame_palette_module(palette, module, FRAME_KERNEL)));
		for (guint k = 0; k < i; k++)
			assert_false(same(color, flame_palette_module(palette,
			                                 stack_table_get_frame(table, frames[k])->module, FRAME_USER)));
	}
}

static void the_order_of_frames_does_not_choose_the_hue(void **state)
{
	(void)state;
	g_autoptr(StackTable) one = stack_table_new(), other = stack_table_new();
	FrameId a1 = stack_table_frame_named(one, "f", "a", FRAME_USER),
	        b1 = stack_table_frame_named(one, "f", "b", FRAME_USER);
	FrameId b2 = stack_table_frame_named(other, "f", "b", FRAME_USER),
	        a2 = stack_table_frame_named(other, "f", "a", FRAME_USER);
	g_autoptr(FlamePalette) first = flame_palette_new(one), second = flame_palette_new(other);
	assert_true(same(flame_palette_frame(first, stack_table_get_frame(one, a1)),
	        flame_palette_frame(second, stack_table_get_frame(other, a2))));
	assert_true(same(flame_palette_frame(first, stack_table_get_frame(one, b1)),
	        flame_palette_frame(second, stack_table_get_frame(other, b2))));
}

static FlameColor color_of(const StackTable *table, FlameColors colors, FrameId frame)
{
	g_autoptr(FlamePalette) palette = flame_palette_new_of(table, colors, FALSE);
	return flame_palette_frame(palette, stack_table_get_frame(table, frame));
}

static void a_scheme_says_one_thing_only(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId f = stack_table_frame_named(table, "f", "libc", FRAME_USER);
	FrameId f2 = stack_table_frame_named(table, "f", "catalog", FRAME_USER);
	FrameId kernel = stack_table_frame_named(table, "f", "kernel", FRAME_KERNEL);
	assert_false(same(color_of(table, FLAME_COLORS_MODULE, f), color_of(table, FLAME_COLORS_MODULE, f2)));
	assert_true(same(color_of(table, FLAME_COLORS_KIND, f), color_of(table, FLAME_COLORS_KIND, f2)));
	assert_false(same(color_of(table, FLAME_COLORS_KIND, f), color_of(table, FLAME_COLORS_KIND, kernel)));
	assert_true(same(color_of(table, FLAME_COLORS_HASH, f), color_of(table, FLAME_COLORS_HASH, kernel)));
	assert_true(same(color_of(table, FLAME_COLORS_HOT, f), color_of(table, FLAME_COLORS_HOT, kernel)));
}

static void every_scheme_has_a_name_of_its_own(void **state)
{
	(void)state;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < N_FLAME_COLORS; i++)
		assert_true(g_hash_table_add(seen, (gpointer)flame_colors_names[i]));
}

static void colours_are_written_in_hex(void **state)
{
	(void)state;
	char buffer[FLAME_COLOR_HEX_BYTES];
	assert_string_equal(flame_color_hex((FlameColor){0x0a, 0xff, 0x00}, buffer), "#0aff00");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(no_evidence_is_grey_and_any_evidence_is_not),
	        cmocka_unit_test(strength_grows_with_the_change_and_ends_at_one),
	        cmocka_unit_test(black_text_is_readable_on_every_frame),
	        cmocka_unit_test(modules_kernel_and_inlined_code_differ),
	        cmocka_unit_test(the_order_of_frames_does_not_choose_the_hue),
	        cmocka_unit_test(colours_are_written_in_hex),
	        cmocka_unit_test(a_scheme_says_one_thing_only),
	        cmocka_unit_test(every_scheme_has_a_name_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
