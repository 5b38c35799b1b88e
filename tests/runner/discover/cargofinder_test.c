/* SPDX-License-Identifier: Apache-2.0 */
#include "discoverfixture.h"

static void benches_are_copied_to_a_name_without_a_hash(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	put(place, "Cargo.toml",
	        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2018\"\n"
	        "[[bench]]\nname = \"whole-file\"\nharness = false\n");
	put(place, "src/lib.rs", "pub fn f() {}\n");
	put(place, "benches/whole-file.rs", "use criterion::criterion_group;\ncriterion_main!(a);\n");
	put(place, "examples/tour.rs", "fn main() {}\n");
	put(place, "examples/speed-bench.rs", "fn main() {}\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 2);
	const DiscoveredProgram *bench = program_named(found, "whole-file");
	assert_string_equal(bench->framework, "criterion");
	assert_string_equal(bench->program, "target/bench/whole_file");
	assert_true(strstr(bench->build, "\ncargo bench --no-run --bench whole-file ") != NULL);
	assert_string_equal(program_named(found, "speed-bench")->build, "cargo build --release --example speed-bench");
}

static void libtest_gets_a_compiler_that_knows_it(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	put(place, "Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n");
	put(place, "src/lib.rs", "#![feature(test)]\nmod inner;\n");
	put(place, "src/inner.rs", "#[bench]\nfn f(b: &mut test::Bencher) {}\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	const DiscoveredProgram *lib = program_named(found, "demo");
	assert_string_equal(lib->framework, "libtest");
	assert_true(strstr(lib->build, "\ncargo +nightly bench --no-run --lib ") != NULL ||
	            strstr(lib->build, "\nRUSTC_BOOTSTRAP=1 cargo bench --no-run --lib ") != NULL);
}

/* The command that builds #[bench] where the project chooses its compiler by a file of that name and text. Owned by the
 * caller. */
static char *libtest_build(const DiscoverPlace *place, const char *file, const char *text)
{
	put(place, "Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n");
	put(place, "src/lib.rs", "#![feature(test)]\n#[bench]\nfn f(b: &mut test::Bencher) {}\n");
	put(place, file, text);
	g_autoptr(Discovery) found = discover(place, NULL);
	g_autofree char *path = discover_file(place, file);
	g_unlink(path);
	return g_strdup(program_named(found, "demo")->build);
}

/* TRUE if rustup has the compiler of that name, which it demands where a project chooses it. */
static gboolean has_compiler(const DiscoverPlace *place, const char *name)
{
	const char *argv[] = {"cargo", name, "--version", NULL};
	g_autofree char *version = discover_ask(place, ".", argv, NULL);
	return version != NULL;
}

/* `cargo +nightly` took the newest nightly in place of the one that the project had chosen. */
static void the_compiler_that_the_project_chooses_stays(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	if (!has_compiler(place, "+nightly") || !has_compiler(place, "+stable")) {
		print_message("skipped: rustup has no stable and nightly compiler\n");
		skip();
	}
	g_autofree char *keyed = libtest_build(place, "rust-toolchain.toml", "[toolchain]\nchannel = \"nightly\"\n");
	g_autofree char *plain = libtest_build(place, "rust-toolchain", "nightly\n");
	g_autofree char *stable = libtest_build(place, "rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n");
	assert_non_null(strstr(keyed, "\ncargo bench --no-run --lib "));
	assert_non_null(strstr(plain, "\ncargo bench --no-run --lib "));
	assert_non_null(strstr(stable, "\nRUSTC_BOOTSTRAP=1 cargo bench --no-run --lib "));
}

static void a_folder_with_a_blank_is_one_word(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	put(place, "my crate/Cargo.toml",
	        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2018\"\n"
	        "[[bench]]\nname = \"all\"\nharness = false\n");
	put(place, "my crate/src/lib.rs", "pub fn f() {}\n");
	put(place, "my crate/benches/all.rs", "fn main() {}\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_string_equal(program_named(found, "all")->build,
	        "mkdir -p 'my crate/target/bench'\n"
	        "cargo bench --manifest-path 'my crate/Cargo.toml' --no-run --bench all "
	        "--message-format=json-render-diagnostics > 'my crate/target/bench/all.json'\n"
	        "cp \"$(sed -n 's/.*\"test\":true},\"features\".*\"executable\":\"\\([^\"]*\\)\".*/\\1/p' "
	        "'my crate/target/bench/all.json')\" 'my crate/target/bench/all'");
}

/* Cargo builds the program for the bench, and which of both comes first in the folder is chance. */
static void a_program_of_the_same_name_is_not_taken_for_the_bench(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	put(place, "Cargo.toml",
	        "[package]\nname = \"same\"\nversion = \"0.1.0\"\nedition = \"2018\"\n"
	        "[[bench]]\nname = \"same\"\nharness = false\n");
	put(place, "src/main.rs", "fn main() { println!(\"the program\") }\n");
	put(place, "benches/same.rs", "fn main() { println!(\"the bench\") }\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	g_autofree char *build = discovery_build_command(found, NULL);
	g_autofree char *script = g_strdup_printf("(%s) >&2 && %s", build, program_named(found, "same")->program);
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	g_autofree char *failure = NULL, *out = discover_ask(place, ".", argv, &failure);
	if (out == NULL)
		fail_msg("%s", failure);
	assert_string_equal(out, "the bench\n");
}

static void without_a_benchmark_it_says_what_it_looked_at(void **state)
{
	NEEDS("cargo");
	const DiscoverPlace *place = *state;
	put(place, "Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2018\"\n");
	put(place, "src/lib.rs", "pub fn f() {}\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_true(g_str_has_prefix(looked(found), "Cargo in .: 1 target: demo; none is named like a benchmark"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(benches_are_copied_to_a_name_without_a_hash),
	        TEST(libtest_gets_a_compiler_that_knows_it),
	        TEST(the_compiler_that_the_project_chooses_stays),
	        TEST(a_folder_with_a_blank_is_one_word),
	        TEST(a_program_of_the_same_name_is_not_taken_for_the_bench),
	        TEST(without_a_benchmark_it_says_what_it_looked_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
