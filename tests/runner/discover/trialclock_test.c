/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that work until a time is over, and one that does not, made by the compiler. */
#include "runner/discover/trialclock.h"

#include "discoverfixture.h"

static const char source[] =
        "#include <stdlib.h>\n#include <time.h>\n"
        "static volatile unsigned long sink;\n"
        "static double now(clockid_t id) { struct timespec t; clock_gettime(id, &t);\n"
        "	return t.tv_sec + t.tv_nsec / 1e9; }\n"
        "static void work(long turns) { while (turns-- > 0) sink += turns; }\n"
        "int main(int n, char **words)\n{\n"
        "	clockid_t id = n > 1 && *words[1] == 'w' ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;\n"
        "	double end = now(id) + .15;\n"
        "	if (n > 2)\n		exit(3);\n"
        "	if (n < 2)\n		work(60000000);\n"
        "	else\n		while (now(id) < end)\n			work(1000);\n"
        "	return 0;\n}\n";

static gboolean shows(const DiscoverPlace *place, const char *word, const char *more)
{
	const char *argv[] = {"./timer", word, more, NULL};
	const ChildSpec spec = {
	        .argv = argv, .envp = (const char *const *)place->environment, .cwd = place->tree, .timeout_ms = 60000};
	return trial_works_for_a_time(&spec);
}

/* On a CPU that others use it may take several looks. */
static gboolean shows_at_last(const DiscoverPlace *place, const char *word)
{
	for (guint i = 0; i < 20; i++)
		if (shows(place, word, NULL))
			return TRUE;
	return FALSE;
}

static void build(const DiscoverPlace *place)
{
	const char *argv[] = {"cc", "-O2", "-o", "timer", "timer.c", NULL};
	put(place, "timer.c", source);
	g_autofree char *failure = NULL, *out = discover_ask(place, ".", argv, &failure);
	if (out == NULL)
		fail_msg("%s", failure);
}

static void a_timer_of_the_wall_works_for_a_time(void **state)
{
	NEEDS("cc");
	build(*state);
	assert_true(shows_at_last(*state, "wall"));
}

/* The library is loaded into firebreak-spawn, too, which refuses it if it was built with a sanitizer. */
static void a_timer_of_CPU_time_works_for_a_time(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	NEEDS("cc");
	build(*state);
	assert_true(shows_at_last(*state, "cpu"));
}

static void a_fixed_amount_of_work_does_not(void **state)
{
	NEEDS("cc");
	build(*state);
	assert_false(shows(*state, NULL, NULL));
}

static void a_program_that_fails_says_nothing(void **state)
{
	NEEDS("cc");
	build(*state);
	assert_false(shows(*state, "wall", "fail"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_timer_of_the_wall_works_for_a_time),
	        TEST(a_timer_of_CPU_time_works_for_a_time),
	        TEST(a_fixed_amount_of_work_does_not),
	        TEST(a_program_that_fails_says_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
