/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/proposal.h"

#include "runner/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Discovery *made_up(void)
{
	Discovery *discovery = discovery_new();
	DiscoveredBuild *build = discovered_build_new("Make", ".");
	build->build = g_strdup("make -j2");
	discovered_program_explain(
	        discovered_build_add(build, "fast", "bin/fast", "data", NULL), "bin/fast", "a target");
	g_ptr_array_add(discovery->builds, build);
	return discovery;
}

static Proposal *propose(const Discovery *discovery)
{
	Proposal *proposal = proposal_new();
	const DiscoveredBuild *build = g_ptr_array_index(discovery->builds, 0);
	const DiscoveredProgram *program = g_ptr_array_index(build->programs, 0);
	proposal->build = discovery_build_command(discovery, NULL);
	proposal->found = proposal_fingerprint(discovery);
	ProposedBenchmark *whole = proposal_add(proposal, program, NULL);
	whole->comment = g_strdup("two\nlines: # of it");
	ProposedBenchmark *one = proposal_add(proposal, program, "BM_Sort<int>/8");
	one->framework = g_strdup("google-benchmark");
	one->filter = g_strdup("^BM_\"Sort\"\\.$");
	ProposedBenchmark *failed = proposal_add(proposal, program, "fast");
	failed->left_out = g_strdup("exited with 1:\nusage");
	return proposal;
}

static void the_text_is_a_valid_configuration(void **state)
{
	(void)state;
	g_autoptr(Discovery) discovery = made_up();
	g_autoptr(Proposal) proposal = propose(discovery);
	g_autofree char *text = proposal_text(proposal);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", &error);
	if (config == NULL)
		fail_msg("%s\n%s", error->message, text);
	assert_int_equal(config->benchmarks->len, 2);
	assert_string_equal(config->build_command[2], "make -j2 bin/fast");
	const ConfigBenchmark *whole = config->benchmarks->pdata[0], *one = config->benchmarks->pdata[1];
	assert_string_equal(whole->command[0], "../bin/fast");
	assert_string_equal(whole->cwd, "data");
	assert_string_equal(one->filter, "^BM_\"Sort\"\\.$");
}

static void a_framework_needs_no_gate(void **state)
{
	(void)state;
	g_autoptr(Discovery) discovery = made_up();
	g_autoptr(Proposal) proposal = propose(discovery);
	ProposedBenchmark *one = g_ptr_array_index(proposal->benchmarks, 1);
	g_free(one->framework);
	one->framework = g_strdup("go");
	g_autofree char *text = proposal_text(proposal);
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	assert_non_null(config);
	const ConfigBenchmark *whole = config->benchmarks->pdata[0], *go = config->benchmarks->pdata[1];
	assert_false(whole->gates_given);
	assert_false(go->gates_given);
}

static void without_a_benchmark_it_is_an_example(void **state)
{
	(void)state;
	g_autoptr(Proposal) proposal = proposal_new();
	g_autofree char *text = proposal_text(proposal);
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	assert_non_null(config);
	assert_false(config_is_filled_in(config, NULL));
}

/* The parser reads from the file the texts that were written to it. */
static void strange_names_come_back_as_they_were(void **state)
{
	(void)state;
	static const char *const names[] = {"a b", "it's \"so\"", "$HOME `x` \\", "-dash", "n\303\244chst",
	        "line\nfeed", "tab\tand\rreturn", "bell\a\177", "next\302\205line\342\200\250", "key: value # no",
	        "\360\237\230\200", "null", "{a, b}", "1e3", "*.c", "&x", "!y", "%z", "@at", "bom\357\273\277"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Discovery) discovery = discovery_new();
		DiscoveredBuild *build = discovered_build_new("Make", ".");
		g_autofree char *word = discovery_quote_path(names[i]);
		g_autofree char *command = g_strdup_printf("cc -o %s x.c", word);
		discovered_program_explain(
		        discovered_build_add(build, names[i], names[i], names[i], NULL), command, "a target");
		build->prepare = g_strdup("true");
		g_ptr_array_add(discovery->builds, build);
		g_autoptr(Proposal) proposal = propose(discovery);
		g_ptr_array_add(proposal->remarks, g_strdup(names[i]));
		proposal->systems = g_strdup(names[i]);
		g_autofree char *text = proposal_text(proposal);
		g_autoptr(GError) error = NULL;
		g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", &error);
		if (config == NULL)
			fail_msg("%s\n%s", error->message, text);
		const ConfigBenchmark *whole = config->benchmarks->pdata[0];
		g_autofree char *wanted = g_strdup_printf("../%s", names[i]);
		assert_string_equal(whole->command[0], wanted);
		assert_string_equal(whole->cwd, names[i]);
		g_autofree char *lines = g_strdup_printf("set -e\ntrue\n%s", command);
		g_strchomp(config->build_command[2]);
		assert_string_equal(config->build_command[2], lines);
	}
}

static void what_was_looked_at_stands_where_nothing_was_found(void **state)
{
	(void)state;
	g_autoptr(Discovery) discovery = made_up();
	g_autoptr(Proposal) proposal = propose(discovery);
	g_autoptr(Proposal) empty = proposal_new();
	g_ptr_array_add(proposal->looked, g_strdup("CMake in .: 3 programs"));
	g_ptr_array_add(empty->looked, g_strdup("CMake in .: 3 programs"));
	g_autofree char *text = proposal_text(proposal), *other = proposal_text(empty);
	assert_null(strstr(text, "3 programs"));
	assert_non_null(strstr(other, "\n# CMake in .: 3 programs\n"));
}

static void names_fit_and_differ(void **state)
{
	(void)state;
	g_autofree char *name = proposal_name("BM_Sort<int>/8");
	assert_string_equal(name, "BM_Sort-int-8");
	g_autofree char *none = proposal_name("...///");
	assert_string_equal(none, "benchmark");
	g_autoptr(Discovery) discovery = made_up();
	g_autoptr(Proposal) proposal = propose(discovery);
	const ProposedBenchmark *first = g_ptr_array_index(proposal->benchmarks, 0);
	const ProposedBenchmark *last = g_ptr_array_index(proposal->benchmarks, 2);
	assert_string_equal(first->name, "fast");
	assert_string_equal(last->name, "fast-2");
}

static void an_edit_and_a_new_program_are_noticed(void **state)
{
	(void)state;
	g_autoptr(Discovery) discovery = made_up();
	g_autoptr(Proposal) proposal = propose(discovery);
	g_autofree char *text = proposal_text(proposal);
	assert_int_equal(proposal_origin(text, proposal->found), CONFIG_AS_PROPOSED);
	DiscoveredBuild *build = g_ptr_array_index(discovery->builds, 0);
	discovered_program_explain(discovered_build_add(build, "new", "bin/new", ".", NULL), "bin/new", "a target");
	g_autofree char *found = proposal_fingerprint(discovery);
	assert_int_equal(proposal_origin(text, found), CONFIG_OUTDATED);
	g_autofree char *edited = g_strconcat("# mine\n", text, NULL), *longer = g_strconcat(text, "# more\n", NULL);
	assert_int_equal(proposal_origin(edited, proposal->found), CONFIG_WRITTEN_BY_HAND);
	assert_int_equal(proposal_origin(longer, proposal->found), CONFIG_WRITTEN_BY_HAND);
	assert_int_equal(proposal_origin("version: 1\n", proposal->found), CONFIG_WRITTEN_BY_HAND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_text_is_a_valid_configuration),
	        cmocka_unit_test(a_framework_needs_no_gate),
	        cmocka_unit_test(without_a_benchmark_it_is_an_example),
	        cmocka_unit_test(strange_names_come_back_as_they_were),
	        cmocka_unit_test(what_was_looked_at_stands_where_nothing_was_found),
	        cmocka_unit_test(names_fit_and_differ),
	        cmocka_unit_test(an_edit_and_a_new_program_are_noticed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
