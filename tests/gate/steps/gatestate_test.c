/* SPDX-License-Identifier: Apache-2.0 */
/* The things that all steps of a check say: failures as reasons, findings, and which lines the change edits. */
#include "gate/steps/gatestate.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

static GString *shown;

static gboolean keep(const char *text)
{
	g_string_append(shown, text);
	return TRUE;
}

typedef struct {
	Gate gate;
	GateRequest request;
	Talk talk;
} Case;

static void begin(Case *f, TalkLevel level)
{
	shown = g_string_new(NULL);
	*f = (Case){.gate = {.result = check_result_new(), .two_sides = TRUE}};
	talk_init(&f->talk, level, FALSE, keep);
	f->request.talk = &f->talk;
	f->gate.request = &f->request;
}

static void end(Case *f)
{
	talk_clear(&f->talk);
	g_clear_pointer(&f->gate.change, line_changes_free);
	check_result_free(f->gate.result);
	g_string_free(shown, TRUE);
}

static const ResultReason *failure_of(Case *f, int code, const char *message)
{
	g_autoptr(GError) error = g_error_new_literal(FIREBREAK_ERROR, code, message);
	gate_add_failure(&f->gate, "work", error);
	return f->gate.result->reasons->pdata[f->gate.result->reasons->len - 1];
}

static void a_failure_is_its_first_line_and_the_one_that_tells_most(void **state)
{
	static const struct {
		const char *message, *text;
	} cases[] = {
	        {"build failed", "build failed"},
	        {"build failed\n", "build failed"},
	        {"build failed\ncc a.c\na.c:1: error: no x\nmake: Error 2", "build failed: a.c:1: error: no x"},
	        {"build failed\nmake: *** Error 2\nbye", "build failed: make: *** Error 2"},
	        {"build failed\nfirst\nlast\n\n", "build failed: last"},
	};
	Case f;
	(void)state;
	begin(&f, TALK_NORMAL);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const ResultReason *reason = failure_of(&f, FIREBREAK_ERROR_BUILD, cases[i].message);
		assert_string_equal(reason->text, cases[i].text);
		assert_string_equal(reason->code, "build_failed");
		assert_string_equal(reason->benchmark, "work");
		assert_int_equal(reason->exit_code, FIREBREAK_ERROR_BUILD);
	}
	end(&f);
}

static void all_of_a_failure_is_said_once_and_not_again(void **state)
{
	Case f;
	(void)state;
	begin(&f, TALK_NORMAL);
	assert_true(failure_of(&f, FIREBREAK_ERROR_BUILD, "build failed\n100 % of it\nlast")->said);
	assert_string_equal(shown->str, "build failed\n100 % of it\nlast\n");
	end(&f);
}

static void what_a_quiet_check_did_not_say_is_not_said(void **state)
{
	Case f;
	(void)state;
	begin(&f, TALK_QUIET);
	assert_false(failure_of(&f, FIREBREAK_ERROR_BUILD, "build failed\nlast")->said);
	assert_string_equal(shown->str, "");
	end(&f);
}

/* Once there are folders for trees, what is refused is a tree and no rule of the gate. */
static void a_refusal_is_of_the_rules_until_there_are_trees(void **state)
{
	Case f;
	(void)state;
	begin(&f, TALK_NORMAL);
	assert_string_equal(failure_of(&f, FIREBREAK_ERROR_POLICY, "no")->code, "policy_changed");
	f.gate.arena = (Arena *)&f; /* only looked at */
	assert_string_equal(failure_of(&f, FIREBREAK_ERROR_POLICY, "no")->code, "tree_refused");
	end(&f);
}

static void findings_are_taken_over_as_they_are(void **state)
{
	g_autoptr(FindingList) findings = finding_list_new();
	Case f;
	(void)state;
	begin(&f, TALK_NORMAL);
	finding_add(findings, FINDING_WARNING, "busy", NULL, "%s", "load of 100 %s");
	finding_add(findings, FINDING_INFO, "note", "work", "small");
	gate_add_findings(&f.gate, findings);
	assert_int_equal(finding_count(f.gate.result->findings), 2);
	const Finding *busy = finding_get(f.gate.result->findings, 0), *note = finding_get(f.gate.result->findings, 1);
	assert_int_equal(busy->severity, FINDING_WARNING);
	assert_string_equal(busy->code, "busy");
	assert_null(busy->benchmark);
	assert_string_equal(busy->text, "load of 100 %s");
	assert_int_equal(note->severity, FINDING_INFO);
	assert_string_equal(note->benchmark, "work");
	end(&f);
}

static void progress_is_a_line_with_its_values(void **state)
{
	Case f;
	(void)state;
	begin(&f, TALK_NORMAL);
	gate_progress(&f.gate, "%s: %u iterations", "work", 3);
	assert_string_equal(shown->str, "work: 3 iterations\n");
	end(&f);
}

/* Commits of two files; reads the change between the trees of `base` and `head`. */
static void read_change(GateFixture *fixture, Case *f, const char *base, const char *head)
{
	gate_fixture_put(fixture, "a.c", "one\ntwo\n");
	gate_fixture_commit(fixture, "base");
	gate_fixture_put(fixture, "a.c", "one\n2\n");
	gate_fixture_commit(fixture, "head");
	gate_fixture_import(fixture);
	g_autoptr(Repo) repo = repo_open(fixture->repo, NULL);
	g_autofree char *of_base = git(fixture->repo, "rev-parse %s^{tree}", base);
	g_autofree char *of_head = git(fixture->repo, "rev-parse %s^{tree}", head);
	f->gate.repo = repo;
	f->gate.choices[SIDE_BASE].tree = of_base;
	f->gate.choices[SIDE_HEAD].tree = of_head;
	gate_read_change(&f->gate);
}

static void the_edited_lines_are_those_between_the_trees(void **state)
{
	Case f;
	begin(&f, TALK_NORMAL);
	read_change(*state, &f, "base", "main");
	assert_non_null(f.gate.change);
	const ChangedFile *file = g_hash_table_lookup(f.gate.change->by_path[LINES_OF_HEAD], "a.c");
	assert_non_null(file);
	assert_int_equal(file->changes->len, 1);
	assert_int_equal(g_array_index(file->changes, LineChange, 0).head_first, 2);
	assert_int_equal(finding_count(f.gate.result->findings), 0);
	end(&f);
}

static void one_commit_alone_has_no_change(void **state)
{
	Case f;
	begin(&f, TALK_NORMAL);
	f.gate.two_sides = FALSE;
	read_change(*state, &f, "base", "main");
	assert_null(f.gate.change);
	assert_int_equal(finding_count(f.gate.result->findings), 0);
	end(&f);
}

static void a_change_that_cannot_be_read_is_a_finding(void **state)
{
	GateFixture *fixture = *state;
	Case f;
	begin(&f, TALK_NORMAL);
	gate_fixture_put(fixture, "a.c", "one\n");
	gate_fixture_commit(fixture, "base");
	gate_fixture_import(fixture);
	g_autoptr(Repo) repo = repo_open(fixture->repo, NULL);
	g_autofree char *none = g_strnfill(40, '1');
	f.gate.repo = repo;
	f.gate.choices[SIDE_BASE].tree = f.gate.choices[SIDE_HEAD].tree = none;
	gate_read_change(&f.gate);
	assert_null(f.gate.change);
	assert_true(finding_has(f.gate.result->findings, "change_unknown"));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_failure_is_its_first_line_and_the_one_that_tells_most),
	        cmocka_unit_test(all_of_a_failure_is_said_once_and_not_again),
	        cmocka_unit_test(what_a_quiet_check_did_not_say_is_not_said),
	        cmocka_unit_test(a_refusal_is_of_the_rules_until_there_are_trees),
	        cmocka_unit_test(findings_are_taken_over_as_they_are),
	        cmocka_unit_test(progress_is_a_line_with_its_values),
	        GATE_TEST(the_edited_lines_are_those_between_the_trees),
	        GATE_TEST(one_commit_alone_has_no_change),
	        GATE_TEST(a_change_that_cannot_be_read_is_a_finding),
	};
	return run_gate_tests(tests);
}
