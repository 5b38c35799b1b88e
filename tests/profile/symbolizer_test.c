/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolizer.h"

#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void modules_and_addresses_are_added_once(void **state)
{
	(void)state;
	static const guint8 id_a[20] = {1}, id_b[20] = {2};
	g_autoptr(SymbolChild) child = symbol_child_new();
	g_autoptr(Symbolizer) symbolizer = symbolizer_new(child);
	guint a = symbolizer_add_module(symbolizer, "/x", id_a, 20);
	guint b = symbolizer_add_module(symbolizer, "/x", id_b, 20);
	guint c = symbolizer_add_module(symbolizer, "/x", NULL, 0);
	assert_true(a != b && b != c && a != c);
	assert_int_equal(symbolizer_add_module(symbolizer, "/x", id_a, 20), a);
	guint32 first = symbolizer_add_address(symbolizer, a, 16);
	guint32 second = symbolizer_add_address(symbolizer, b, 16);
	assert_int_not_equal(first, second);
	assert_int_equal(symbolizer_add_address(symbolizer, a, 16), first);
	assert_int_equal(symbolizer_n_addresses(symbolizer), 2);
	assert_int_equal(symbolizer_address_module(symbolizer, second), b);
}

static void addresses_get_their_own_names_whatever_their_order(void **state)
{
	(void)state;
	static const char *const names[] = {"zeta", "alpha", "main"};
	static const char source[] = "volatile int sink;\n"
	                             "__attribute__((noinline)) void alpha(void) { sink++; }\n"
	                             "__attribute__((noinline)) void zeta(void) { sink--; }\n"
	                             "int main(void) { alpha(); zeta(); return 0; }\n";
	g_autofree char *folder = new_folder();
	g_autofree char *path = compile(folder, "gcc", "-O2", "example.c", source, "example");
	if (path == NULL) {
		remove_folder(folder);
		print_message("skipped: no working gcc\n");
		skip();
	}
	g_autoptr(SymbolChild) child = symbol_child_new();
	g_autoptr(Symbolizer) symbolizer = symbolizer_new(child);
	guint module = symbolizer_add_module(symbolizer, path, NULL, 0);
	guint32 rows[G_N_ELEMENTS(names)];
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		rows[i] = symbolizer_add_address(symbolizer, module, find_function(path, names[i]).offset);
	guint32 nameless = symbolizer_add_address(symbolizer, module, 0);
	symbolizer_resolve(symbolizer);
	remove_folder(folder);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		guint n;
		const SymbolFrame *frames = symbolizer_frames(symbolizer, rows[i], &n);
		assert_int_equal(n, 1);
		assert_string_equal(frames[0].name, names[i]);
	}
	/* where there are none, there is no place of them either: the module may have no frames at all */
	guint n;
	assert_null(symbolizer_frames(symbolizer, nameless, &n));
	assert_int_equal(n, 0);
	SymbolizerReport report = symbolizer_report(symbolizer, module);
	assert_null(report.failure);
	assert_int_equal(report.n_addresses, 4);
	assert_int_equal(report.n_unresolved, 1);
}

static void a_module_that_cannot_be_read_says_why(void **state)
{
	(void)state;
	guint n;
	g_autoptr(SymbolChild) child = symbol_child_new();
	g_autoptr(Symbolizer) symbolizer = symbolizer_new(child);
	guint gone = symbolizer_add_module(symbolizer, "/nowhere/libgone.so", NULL, 0);
	guint nameless = symbolizer_add_module(symbolizer, NULL, NULL, 0);
	guint32 address = symbolizer_add_address(symbolizer, gone, 16);
	symbolizer_add_address(symbolizer, nameless, 16);
	symbolizer_resolve(symbolizer);
	symbolizer_frames(symbolizer, address, &n);
	assert_int_equal(n, 0);
	SymbolizerReport report = symbolizer_report(symbolizer, gone);
	assert_non_null(strstr(report.failure, "/nowhere/libgone.so"));
	assert_int_equal(report.n_unresolved, 1);
	assert_null(symbolizer_report(symbolizer, nameless).failure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(modules_and_addresses_are_added_once),
	        cmocka_unit_test(addresses_get_their_own_names_whatever_their_order),
	        cmocka_unit_test(a_module_that_cannot_be_read_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
