/* SPDX-License-Identifier: Apache-2.0 */
#include "model/canonical.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names_of_many_compilers_become_what_a_reader_knows(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	        {"hash_word", "hash_word"},
	        {"hash_word.constprop.0", "hash_word"},
	        {"hash_word.part.0.isra.12.cold", "hash_word"},
	        {"hash_word.cold.3", "hash_word"},
	        {"hash_word.lto_priv.0.constprop.1", "hash_word"},
	        {"hash_word.llvm.1234567890", "hash_word"},
	        {"memcpy@@GLIBC_2.14", "memcpy"},
	        {"memcpy@GLIBC_2.2.5", "memcpy"},
	        {"memcpy@plt", "memcpy@plt"},
	        {"inner.0", "inner.0"},
	        {"main.part", "main"},
	        {".part.0", ".part.0"},
	        {"", ""},
	        {"_Z3addii", "add"},
	        {"_ZN3geo5solveIdEEvT_", "geo::solve<double>"},
	        {"_ZN3geo5solveIdEEvT_.constprop.0", "geo::solve<double>"},
	        {"_ZN12_GLOBAL__N_16hiddenEv", "(anonymous namespace)::hidden"},
	        {"_ZNK3geo5shape4areaEv", "geo::shape::area"},
	        {"_ZN3geo5shapeC1Ei", "geo::shape::shape"},
	        {"_ZN3geo5shapeD0Ev", "geo::shape::~shape"},
	        {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back"},
	        /* Rust, before and after its second mangling */
	        {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
	        {"_ZN4core3fmt5write17h0123456789abcdefE.llvm.42", "core::fmt::write"},
	        {"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
	        /* numbers of what has no name */
	        {"_ZZ4mainENKUliE0_clEi", "main::{lambda(int)}::operator()"},
	        {"_ZZ4mainENK3$_1clEi", "main::$_::operator()"},
	        {"_RNCNvCs1234_7mycrate3foos_0B3_", "mycrate::foo::{closure}"},
	        {"_ZN7mycrate3foo28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "mycrate::foo::{{closure}}"},
	        /* what only looks mangled */
	        {"_Zebra", "_Zebra"},
	        {"_R", "_R"},
	        {"main.main", "main.main"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name = canonical_name(cases[i][0]);
		assert_string_equal(name, cases[i][1]);
	}
}

static void the_linkage_name_only_loses_its_suffixes(void **state)
{
	(void)state;
	g_autofree char *name = canonical_linkage_name("_ZN3geo5solveIdEEvT_.isra.0@@V1");
	assert_string_equal(name, "_ZN3geo5solveIdEEvT_");
}

static void a_very_long_name_is_not_demangled(void **state)
{
	(void)state;
	g_autofree char *digits = g_strnfill(200000, 'x');
	g_autofree char *mangled = g_strdup_printf("_Z200000%sv", digits);
	g_autofree char *name = canonical_name(mangled);
	assert_string_equal(name, mangled);
}

/* Each of its types is a pair of the one before, so the demangled name would have a million times as many bytes. */
static void a_name_that_grows_without_bound_stays_mangled(void **state)
{
	(void)state;
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	g_autoptr(GString) mangled = g_string_new("_Z1fI1AIiiES_IS0_S0_E");
	for (guint i = 1; i < 30; i++)
		g_string_append_printf(mangled, "S_IS%c_S%c_E", digits[i], digits[i]);
	g_string_append(mangled, "Evv");
	g_autofree char *name = canonical_name(mangled->str);
	assert_string_equal(name, mangled->str);
}

static void deep_nesting_does_not_exhaust_the_stack(void **state)
{
	(void)state;
	g_autofree char *pointers = g_strnfill(60000, 'P');
	g_autofree char *mangled = g_strdup_printf("_Z1fI%siEvv", pointers);
	g_autofree char *name = canonical_name(mangled);
	assert_non_null(name);
	assert_true(strlen(name) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_of_many_compilers_become_what_a_reader_knows),
	        cmocka_unit_test(the_linkage_name_only_loses_its_suffixes),
	        cmocka_unit_test(a_very_long_name_is_not_demangled),
	        cmocka_unit_test(a_name_that_grows_without_bound_stays_mangled),
	        cmocka_unit_test(deep_nesting_does_not_exhaust_the_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
