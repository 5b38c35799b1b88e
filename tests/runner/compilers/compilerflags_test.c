/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerflags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The arguments that come out, joined by blanks. */
static char *joined(CompilerKind kind, const char *source, guint layout, const char *arguments)
{
	static const char *const names[] = {[COMPILER_C] = "x86_64-linux-gnu-gcc",
	        [COMPILER_CLANG] = "arm-none-eabi-clang",
	        [COMPILER_RUST] = "rustc"};
	const CompilerPlan plan = {
	        .kind = kind, .name = kind != COMPILER_NONE ? names[kind] : "ld", .source = source, .layout = layout};
	g_auto(GStrv) words = g_strsplit(arguments, " ", -1);
	g_autoptr(GPtrArray) all = compiler_arguments(&plan, words);
	return g_strjoinv(" ", (char **)all->pdata);
}

#define POINTERS "-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -falign-functions=32"

static void what_is_a_compiler_is_told_by_its_name(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		CompilerKind kind;
	} cases[] = {{"cc", COMPILER_C}, {"c++", COMPILER_C}, {"gcc", COMPILER_C}, {"g++-12", COMPILER_C},
	        {"gcc-4.9", COMPILER_C}, {"x86_64-linux-gnu-gcc-12", COMPILER_C}, {"clang", COMPILER_CLANG},
	        {"clang++-15", COMPILER_CLANG}, {"rustc", COMPILER_RUST}, {"go", COMPILER_GO},
	        {"go-1.19", COMPILER_NONE}, {"gofmt", COMPILER_NONE}, {"gcc-ar", COMPILER_NONE},
	        {"gcc-ar-12", COMPILER_NONE}, {"clang-tidy", COMPILER_NONE}, {"clang-format-14", COMPILER_NONE},
	        {"ccache", COMPILER_NONE}, {"-12", COMPILER_NONE}, {"12", COMPILER_NONE}, {"", COMPILER_NONE}};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(compiler_kind(cases[i].name), cases[i].kind);
}

static void a_compile_step_keeps_its_flags_and_gets_what_profiling_needs(void **state)
{
	(void)state;
	g_autofree char *text = joined(COMPILER_C, "/src", 0, "-O3 -fomit-frame-pointer -c a.c -o a.o");
	assert_string_equal(text, "-O3 -fomit-frame-pointer -c a.c -o a.o -g " POINTERS " -ffile-prefix-map=/src=.");
}

static void a_link_step_gets_a_build_id_and_is_not_stripped(void **state)
{
	(void)state;
	g_autofree char *text = joined(COMPILER_C, NULL, 0, "-s -Wl,-s a.o -o a");
	assert_string_equal(text, "a.o -o a -g " POINTERS " -Wl,--build-id");
}

static void a_file_that_is_called_like_an_option_stays(void **state)
{
	(void)state;
	g_autofree char *text = joined(COMPILER_C, NULL, 0, "a.o -o -s");
	assert_string_equal(text, "a.o -o -s -g " POINTERS " -Wl,--build-id");
}

static void a_level_of_debug_information_stays(void **state)
{
	(void)state;
	static const char *const kept[] = {"-g3", "-g", "-ggdb", "-g1", "-gdwarf-4", "-g0 -g2"};
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++) {
		g_autofree char *arguments = g_strdup_printf("%s -c a.c", kept[i]);
		g_autofree char *text = joined(COMPILER_C, NULL, 0, arguments);
		g_autofree char *expected = g_strdup_printf("%s " POINTERS, arguments);
		assert_string_equal(text, expected);
	}
}

static void none_and_details_alone_are_no_debug_information(void **state)
{
	(void)state;
	static const char *const lacking[] = {"-g0", "-g -g0", "-gz", "-gno-record-gcc-switches", "-ggdb0"};
	for (gsize i = 0; i < G_N_ELEMENTS(lacking); i++) {
		g_autofree char *arguments = g_strdup_printf("%s -c a.c", lacking[i]);
		g_autofree char *text = joined(COMPILER_C, NULL, 0, arguments);
		g_autofree char *expected = g_strdup_printf("%s -g " POINTERS, arguments);
		assert_string_equal(text, expected);
	}
}

static void a_compiler_that_is_asked_about_itself_is_left_alone(void **state)
{
	(void)state;
	static const char *const questions[] = {
	        "--version", "-dumpmachine", "-v", "-print-prog-name=ld", "-dumpversion a.c", "-### a.c", "-o a"};
	for (gsize i = 0; i < G_N_ELEMENTS(questions); i++) {
		g_autofree char *text = joined(COMPILER_C, "/src", 3, questions[i]);
		assert_string_equal(text, questions[i]);
	}
}

static void a_layout_shuffles_the_functions_of_a_link(void **state)
{
	(void)state;
	g_autofree char *compiled = joined(COMPILER_C, NULL, 12, "-c a.c");
	g_autofree char *linked = joined(COMPILER_C, NULL, 12, "-fuse-ld=gold a.o");
	assert_string_equal(compiled, "-c a.c -g " POINTERS " -ffunction-sections");
	/* of two linkers the last one counts */
	assert_string_equal(linked,
	        "-fuse-ld=gold a.o -g " POINTERS
	        " -ffunction-sections -Wl,--build-id -fuse-ld=lld -Wl,--shuffle-sections=.text*=12");
}

static void clang_is_told_not_to_mind_and_other_machines_lack_an_option(void **state)
{
	(void)state;
	g_autofree char *text = joined(COMPILER_CLANG, NULL, 0, "a.o");
	assert_string_equal(
	        text, "a.o -Qunused-arguments -g -fno-omit-frame-pointer -falign-functions=32 -Wl,--build-id");
}

static void rustc_keeps_names_and_lines(void **state)
{
	(void)state;
	g_autofree char *bare = joined(COMPILER_RUST, "/src", 3, "--crate-name a a.rs -C strip=debuginfo");
	g_autofree char *full = joined(COMPILER_RUST, NULL, 0, "a.rs -C debuginfo=2");
	g_autofree char *none = joined(COMPILER_RUST, NULL, 0, "a.rs -Cdebuginfo=0");
	assert_string_equal(bare, "--crate-name a a.rs -C strip=debuginfo -C force-frame-pointers=yes -C strip=none "
	                          "-C llvm-args=-align-all-functions=6 -C debuginfo=1 --remap-path-prefix=/src=.");
	assert_string_equal(full, "a.rs -C debuginfo=2 -C force-frame-pointers=yes -C strip=none "
	                          "-C llvm-args=-align-all-functions=6");
	assert_string_equal(none, "a.rs -Cdebuginfo=0 -C force-frame-pointers=yes -C strip=none "
	                          "-C llvm-args=-align-all-functions=6 -C debuginfo=1");
}

/* LLVM ends with an error if the option comes twice, and cranelift if it comes at all. */
static void rustc_aligns_functions_where_it_can(void **state)
{
	(void)state;
	static const char *const own[] = {"a.rs -C debuginfo=2 -C llvm-args=-align-all-functions=5",
	        "a.rs -C debuginfo=2 -Zcodegen-backend=cranelift"};
	for (gsize i = 0; i < G_N_ELEMENTS(own); i++) {
		g_autofree char *text = joined(COMPILER_RUST, NULL, 0, own[i]),
		                *wanted = g_strconcat(own[i], " -C force-frame-pointers=yes -C strip=none", NULL);
		assert_string_equal(text, wanted);
	}
}

static void another_program_is_handed_its_arguments(void **state)
{
	(void)state;
	g_autofree char *text = joined(COMPILER_NONE, "/src", 1, "-s a.c");
	assert_string_equal(text, "-s a.c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_a_compiler_is_told_by_its_name),
	        cmocka_unit_test(a_compile_step_keeps_its_flags_and_gets_what_profiling_needs),
	        cmocka_unit_test(a_link_step_gets_a_build_id_and_is_not_stripped),
	        cmocka_unit_test(a_file_that_is_called_like_an_option_stays),
	        cmocka_unit_test(a_level_of_debug_information_stays),
	        cmocka_unit_test(none_and_details_alone_are_no_debug_information),
	        cmocka_unit_test(a_compiler_that_is_asked_about_itself_is_left_alone),
	        cmocka_unit_test(a_layout_shuffles_the_functions_of_a_link),
	        cmocka_unit_test(clang_is_told_not_to_mind_and_other_machines_lack_an_option),
	        cmocka_unit_test(rustc_keeps_names_and_lines),
	        cmocka_unit_test(rustc_aligns_functions_where_it_can),
	        cmocka_unit_test(another_program_is_handed_its_arguments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
