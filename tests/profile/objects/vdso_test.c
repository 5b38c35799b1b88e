/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/vdso.h"

#include "core/error.h"
#include "tests/profile/chains.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A function of the vDSO as the dynamic linker knows it: where it is in the image. */
static guint64 offset_or_skip(const char *name)
{
	gsize size;
	const char *image = vdso_image(&size);
	void *library = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	const char *function = library != NULL ? dlsym(library, name) : NULL;
	if (image == NULL || function == NULL) {
		print_message("skipped: no vDSO with %s here\n", name);
		skip();
	}
	assert_true(function > image && function < image + size);
	return (guint64)(function - image);
}

static void functions_of_the_vdso_are_named(void **state)
{
	(void)state;
	ModuleSymbols symbols = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new();
	guint64 offset = offset_or_skip("__vdso_gettimeofday") + 4;
	const ModuleSymbolsRequest request = {.path = VDSO_PATH, .offsets = &offset, .n_offsets = 1};
	assert_true(symbol_child_resolve(child, &request, &symbols, &error));
	/* which is what the same code is exported as, too */
	assert_true(has_chain(&symbols, "gettimeofday"));
	module_symbols_clear(&symbols);
}

static void the_vdso_of_another_kernel_is_refused(void **state)
{
	(void)state;
	ModuleSymbols symbols = {0};
	g_autoptr(GError) error = NULL;
	const guint8 build_id[20] = {1};
	guint64 offset = offset_or_skip("__vdso_gettimeofday");
	const ModuleSymbolsRequest request = {
	        .path = VDSO_PATH, .build_id = build_id, .build_id_length = 20, .offsets = &offset, .n_offsets = 1};
	assert_false(module_symbols_resolve(&symbols, &request, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(functions_of_the_vdso_are_named),
	        cmocka_unit_test(the_vdso_of_another_kernel_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
