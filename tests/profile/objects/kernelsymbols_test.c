/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/kernelsymbols.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static KernelSymbols *read_text(const char *text)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("firebreak-test-XXXXXX", &path, NULL);
	assert_true(fd >= 0 && g_close(fd, NULL));
	assert_true(g_file_set_contents(path, text, -1, NULL));
	KernelSymbols *symbols = kernel_symbols_new(path);
	g_unlink(path);
	return symbols;
}

static void an_address_belongs_to_the_function_before_it(void **state)
{
	(void)state;
	g_autoptr(KernelSymbols) symbols = read_text("ffffffff81000100 T vfs_read\n"
	                                             "ffffffff81000000 t do_idle\n"
	                                             "ffffffff81000200 D some_data\n"
	                                             "garbage\n"
	                                             "ffffffffc0000000 t ext4_map\t[ext4]\n");
	static const struct {
		guint64 address;
		const char *name, *module;
	} cases[] = {
	        {0xffffffff81000000, "do_idle", ""},
	        {0xffffffff810000ff, "do_idle", ""},
	        {0xffffffff81000250, "vfs_read", ""},
	        {0xffffffffc0000010, "ext4_map", "ext4"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *module = NULL;
		assert_string_equal(kernel_symbols_find(symbols, cases[i].address, &module), cases[i].name);
		assert_string_equal(module, cases[i].module);
	}
	const char *module;
	assert_null(kernel_symbols_find(symbols, 0x1000, &module));
}

static void of_several_names_the_global_one_is_shown(void **state)
{
	(void)state;
	const char *module;
	g_autoptr(KernelSymbols) symbols = read_text("ffffffff81000100 t a_local\n"
	                                             "ffffffff81000100 T __x64_sys_read\n"
	                                             "ffffffff81000100 T vfs_read\n"
	                                             "ffffffff81000100 t zz_local\n");
	assert_string_equal(kernel_symbols_find(symbols, 0xffffffff81000110, &module), "vfs_read");
}

static void an_address_far_past_the_last_function_has_no_name(void **state)
{
	(void)state;
	const char *module;
	g_autoptr(KernelSymbols) symbols = read_text("ffffffff81000100 T vfs_read\n");
	assert_non_null(kernel_symbols_find(symbols, 0xffffffff81000fff, &module));
	assert_null(kernel_symbols_find(symbols, 0xffffffffc0000000, &module));
}

static void a_kernel_that_lies_elsewhere_does_not_fit(void **state)
{
	(void)state;
	g_autoptr(KernelSymbols) symbols = read_text("ffffffff81000000 T _text\nffffffffc0000000 t _text\t[ext4]\n");
	g_autoptr(KernelSymbols) missing = kernel_symbols_new("/nowhere/kallsyms");
	assert_true(kernel_symbols_fit(symbols, "_text", 0xffffffff81000000));
	assert_false(kernel_symbols_fit(symbols, "_text", 0xffffffff91000000));
	assert_true(kernel_symbols_fit(symbols, "_stext", 0xffffffff91000000));
	assert_true(kernel_symbols_fit(missing, "_text", 0xffffffff91000000));
}

static void hidden_addresses_and_missing_files_give_no_names(void **state)
{
	(void)state;
	const char *module;
	g_autoptr(KernelSymbols) hidden = read_text("0000000000000000 T vfs_read\n");
	g_autoptr(KernelSymbols) missing = kernel_symbols_new("/nowhere/kallsyms");
	assert_null(kernel_symbols_find(hidden, 0xffffffff81000000, &module));
	assert_null(kernel_symbols_find(missing, 0xffffffff81000000, &module));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_address_belongs_to_the_function_before_it),
	        cmocka_unit_test(of_several_names_the_global_one_is_shown),
	        cmocka_unit_test(an_address_far_past_the_last_function_has_no_name),
	        cmocka_unit_test(a_kernel_that_lies_elsewhere_does_not_fit),
	        cmocka_unit_test(hidden_addresses_and_missing_files_give_no_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
