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
	        cmocka_unit_test(names_fit_and_differ),
	        cmocka_unit_test(an_edit_and_a_new_program_are_noticed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
