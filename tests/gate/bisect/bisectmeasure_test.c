/* SPDX-License-Identifier: Apache-2.0 */
/* The commit that a commit of a bisection is compared with. */
#include "gate/bisect/bisectmeasure.h"

#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

/* Three commits on `main`, and the branch `side` from the first. */
static void commit_branches(GateFixture *f)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_head(f, COSTS "\n\n");
	gate_fixture_import(f);
	run_git(f->repo, "checkout -q -b side base");
	run_git(f->repo, "-c user.name=T -c user.email=t@example.org commit -q --allow-empty -m side");
}

static void assert_base(const GateFixture *f, const char *good, const char *commit, const char *expected)
{
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	g_autofree char *good_sha = git(f->repo, "rev-parse %s^0", good);
	g_autofree char *sha = git(f->repo, "rev-parse %s^0", commit);
	g_autofree char *expected_sha = git(f->repo, "rev-parse %s^0", expected);
	g_autofree char *base = bisect_base(repo, good_sha, sha);
	assert_string_equal(base, expected_sha);
}

static void what_descends_from_good_is_compared_with_good(void **state)
{
	commit_branches(*state);
	assert_base(*state, "main^", "main", "main^");
}

/* A branch lacks what made good faster after it left, and is not slower for that. */
static void a_branch_from_before_good_is_compared_with_where_it_left(void **state)
{
	commit_branches(*state);
	assert_base(*state, "main^", "side", "base");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(what_descends_from_good_is_compared_with_good),
	        GATE_TEST(a_branch_from_before_good_is_compared_with_where_it_left),
	};
	return run_gate_tests(tests);
}
