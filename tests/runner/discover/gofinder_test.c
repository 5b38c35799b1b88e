/* SPDX-License-Identifier: Apache-2.0 */
#include "discoverfixture.h"

static const char bench[] = "package p\nimport \"testing\"\n"
                            "func BenchmarkParse(b *testing.B) {}\nfunc BenchmarkWrite(b *testing.B) {}\n";
static const char plain[] = "package p\nfunc TestParse(t *testing.T) {}\n";

static void functions_are_counted(void **state)
{
	(void)state;
	assert_int_equal(go_benchmarks(bench), 2);
	assert_int_equal(go_benchmarks(plain), 0);
	assert_int_equal(go_benchmarks("// func BenchmarkX(b *testing.B)\n"), 0);
	assert_int_equal(go_benchmarks("func Benchmarking(b *testing.B) {}\n"), 0);
}

static void packages_with_benchmarks_become_test_binaries(void **state)
{
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "go.mod", "module example.org/tools/words/v2\n\ngo 1.18\n");
	put(place, "words_test.go", bench);
	put(place, "plain/plain_test.go", plain);
	put(place, "inner/deep/a_test.go", bench);
	put(place, "inner/deep/b_test.go", bench);
	put(place, "vendor/x/x_test.go", bench);
	put(place, "other/go.mod", "module other\n");
	put(place, "other/other_test.go", bench);
	assert_true(find_go(place, ".", found));
	assert_int_equal(programs(found), 2);
	const DiscoveredProgram *root = program_named(found, "words"), *deep = program_named(found, "deep");
	assert_string_equal(root->framework, "go");
	assert_string_equal(root->build, "go test -c -o words.test .");
	assert_string_equal(deep->build, "go test -c -o inner/deep/deep.test ./inner/deep");
	/* `go test` runs in the folder of the package, where its data is */
	assert_string_equal(deep->cwd, "inner/deep");
	g_auto(GStrv) command = discovered_program_command(deep);
	assert_string_equal(command[0], "./deep.test");
	assert_non_null(strstr(deep->reason, "4 functions"));
}

static void a_module_below_is_built_in_its_folder(void **state)
{
	const DiscoverPlace *place = *state;
	put(place, "go/go.mod", "module m\n");
	put(place, "go/sub/a_test.go", bench);
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_string_equal(program_named(found, "sub")->build, "(cd go && go test -c -o sub/sub.test ./sub)");
	assert_string_equal(program_named(found, "sub")->program, "go/sub/sub.test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(functions_are_counted),
	        TEST(packages_with_benchmarks_become_test_binaries),
	        TEST(a_module_below_is_built_in_its_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
