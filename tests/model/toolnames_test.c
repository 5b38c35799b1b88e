/* SPDX-License-Identifier: Apache-2.0 */
#include "model/toolnames.h"

#include "tests/profile/readers.h"

static void assert_cut(const char *name, const char *expected)
{
	g_autofree char *cut = g_strndup(name, tool_name_without_arguments(name, strlen(name)));
	assert_string_equal(cut, expected);
}

static void an_argument_list_is_cut(void **state)
{
	(void)state;
	assert_cut("base(BasicType) const", "base");
	assert_cut(".run()V", ".run");
	assert_cut("foo<Vec::<usize>>(Vec<usize>)", "foo<Vec::<usize>>");
	assert_cut("main", "main");
}

static void parentheses_in_brackets_are_no_argument_list(void **state)
{
	(void)state;
	assert_cut("std::function<void (int, int)>::swap(int)", "std::function<void (int, int)>::swap");
	assert_cut("{lambda(int, int)#2}::run() const", "{lambda(int, int)#2}::run");
	assert_cut("[(foo)]::bar()", "[(foo)]::bar");
	assert_cut("apply<(A)3>(int)", "apply<(A)3>");
}

static void the_arrow_of_a_function_type_closes_no_bracket(void **state)
{
	(void)state;
	assert_cut("call<fn(u8) -> u8>(x)", "call<fn(u8) -> u8>");
}

static void types_of_go_methods_and_anonymous_namespaces_stay(void **state)
{
	(void)state;
	assert_cut("net/http.(*Client).Do", "net/http.(*Client).Do");
	assert_cut("(anonymous namespace)::parse(char const*)", "(anonymous namespace)::parse");
	assert_cut("a::(anonymous namespace)::b(int)", "a::(anonymous namespace)::b");
}

static void operators_keep_their_signs(void **state)
{
	(void)state;
	assert_cut("std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()");
	assert_cut("operator<(A const&, B const&)", "operator<");
	assert_cut("std::operator<< <char>(int)", "std::operator<< <char>");
	assert_cut("Ptr::operator->() const", "Ptr::operator->");
	assert_cut("my_operator(int)", "my_operator");
}

static void a_name_is_never_cut_to_nothing(void **state)
{
	(void)state;
	assert_cut("(int)", "(int)");
	assert_cut("((((", "((((");
}

static void assert_begins(const char *name, const char *expected)
{
	assert_string_equal(name + tool_name_after_type(name, strlen(name)), expected);
}

static void the_type_in_front_of_a_template_function_is_told(void **state)
{
	(void)state;
	assert_begins("void a::b<int>::c<d e>", "a::b<int>::c<d e>");
	assert_begins("unsigned long f<int>", "f<int>");
	assert_begins("std::pair<int, int> (anonymous namespace)::f<int>", "(anonymous namespace)::f<int>");
	assert_begins("void std::operator<< <char>", "std::operator<< <char>");
}

static void a_name_without_a_type_begins_where_it_begins(void **state)
{
	(void)state;
	assert_begins("main", "main");
	assert_begins("", "");
	assert_begins("operator new", "operator new");
	assert_begins("a::operator unsigned int", "a::operator unsigned int");
	assert_begins("(anonymous namespace)::parse", "(anonymous namespace)::parse");
	assert_begins("<a as b>::c", "<a as b>::c");
}

static void assert_mended(const char *name, const char *expected)
{
	g_autoptr(GString) mended = g_string_new(NULL);
	assert_true(tool_name_mend_rust(name, strlen(name), mended));
	assert_string_equal(mended->str, expected);
}

static void half_demangled_rust_names_are_mended(void **state)
{
	(void)state;
	assert_mended("std::sys::unix::fs::File::open::hb90e1c1c787080f0", "std::sys::unix::fs::File::open");
	assert_mended("_$LT$std..fs..ReadDir$u20$as$u20$core..iter..Iterator$GT$::next::hc14f1750ca79129b",
	        "<std::fs::ReadDir as core::iter::Iterator>::next");
	assert_mended(
	        "a::drop_in_place$LT$$u5b$u8$u3b$$u20$4$u5d$$GT$::h0123456789abcdef", "a::drop_in_place<[u8; 4]>");
	assert_mended(
	        "_$LT$$RF$T$C$$BP$U$GT$::f$LP$$RP$$SP$$u7b$$u7d$$u7e$$u27$::h0123456789abcdef", "<&T,*U>::f()@{}~'");
}

static void names_without_a_rust_hash_are_left_alone(void **state)
{
	(void)state;
	g_autoptr(GString) mended = g_string_new("untouched");
	static const char *const names[] = {"a$LT$b", "x::hb90e1c1c787080f", "x::hb90e1c1c787080fz", "h", ""};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		assert_false(tool_name_mend_rust(names[i], strlen(names[i]), mended));
	assert_string_equal(mended->str, "untouched");
}

static void the_kernel_is_known_by_its_files(void **state)
{
	(void)state;
	static const char *const kernel[] = {"[kernel.kallsyms]", "[nf_conntrack]", "/lib/modules/x/build/vmlinux",
	        "/usr/lib/debug/boot/vmlinux-5.4.14-cloudflare-2020.1.11", "/lib/modules/6.1/ext4.ko",
	        "[kernel.kallsyms].init.text"};
	static const char *const user[] = {"[unknown]", "[heap]", "[stack]", "[stack:17]", "[vdso]", "[vsyscall]",
	        "[anon:libc]", "/usr/bin/x", "/vmlinux/prog", "vmlinux+5", ""};
	for (guint i = 0; i < G_N_ELEMENTS(kernel); i++)
		assert_true(tool_file_is_kernel(kernel[i], strlen(kernel[i])));
	for (guint i = 0; i < G_N_ELEMENTS(user); i++)
		assert_false(tool_file_is_kernel(user[i], strlen(user[i])));
}

static void generated_code_is_known_by_its_files(void **state)
{
	(void)state;
	static const char *const jit[] = {"/tmp/perf-4711.map", "/root/.debug/jit/x/jitted-4711-3.so"};
	static const char *const other[] = {"/tmp/perf-.map", "/tmp/perf-12.so", "/usr/lib/jitted.so", "/tmp/perf-1"};
	for (guint i = 0; i < G_N_ELEMENTS(jit); i++)
		assert_true(tool_file_is_jit(jit[i], strlen(jit[i])));
	for (guint i = 0; i < G_N_ELEMENTS(other); i++)
		assert_false(tool_file_is_jit(other[i], strlen(other[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_argument_list_is_cut),
	        cmocka_unit_test(parentheses_in_brackets_are_no_argument_list),
	        cmocka_unit_test(the_arrow_of_a_function_type_closes_no_bracket),
	        cmocka_unit_test(types_of_go_methods_and_anonymous_namespaces_stay),
	        cmocka_unit_test(operators_keep_their_signs),
	        cmocka_unit_test(a_name_is_never_cut_to_nothing),
	        cmocka_unit_test(the_type_in_front_of_a_template_function_is_told),
	        cmocka_unit_test(a_name_without_a_type_begins_where_it_begins),
	        cmocka_unit_test(half_demangled_rust_names_are_mended),
	        cmocka_unit_test(names_without_a_rust_hash_are_left_alone),
	        cmocka_unit_test(the_kernel_is_known_by_its_files),
	        cmocka_unit_test(generated_code_is_known_by_its_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
