/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/workload.h"

#include <stdio.h>
#include <stdlib.h>

#define FUNCTIONS 3000
#define CALLEES 4
#define MIN_DEPTH 4
#define MAX_DEPTH 14
#define MAX_COUNT 40
#define SEED 0x62656e6368ULL

static const char *const areas[] = {"parser", "scheduler", "allocator", "index", "network", "cache", "render", "query"};
static const char *const verbs[] = {"read", "find", "insert", "flush", "compare", "merge", "encode", "visit_all"};

/* SplitMix64 (Steele, Lea, Flood 2014). */
guint workload_random(guint64 *state, guint limit)
{
	guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return (guint)((z ^ (z >> 31)) % limit);
}

/* Half of the calls go to the first callee, a quarter to the second, and so on. */
static guint callee(guint64 *state, guint function)
{
	guint which = 0;
	while (which < CALLEES - 1 && workload_random(state, 2) == 0)
		which++;
	guint64 mixed = (guint64)function * CALLEES + which;
	return workload_random(&mixed, FUNCTIONS);
}

static char *random_stack(guint64 *state)
{
	GString *stack = g_string_new("service;main");
	guint function = 0, depth = MIN_DEPTH + workload_random(state, MAX_DEPTH - MIN_DEPTH + 1);
	for (guint i = 0; i < depth; i++) {
		function = callee(state, function);
		g_string_append_printf(stack, ";%s_%s_%u", areas[function % G_N_ELEMENTS(areas)],
		        verbs[function / 8 % G_N_ELEMENTS(verbs)], function);
	}
	return g_string_free(stack, FALSE);
}

/* Different stacks, in the order in which they were found. */
static GPtrArray *random_stacks(guint64 *state, guint n)
{
	GPtrArray *stacks = g_ptr_array_new_full(n, g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	while (stacks->len < n) {
		char *stack = random_stack(state);
		if (g_hash_table_contains(seen, stack)) {
			g_free(stack);
			continue;
		}
		g_hash_table_add(seen, stack);
		g_ptr_array_add(stacks, stack);
	}
	return stacks;
}

GString *workload_folded(guint stacks, guint lines)
{
	guint64 state = SEED;
	GString *text = g_string_new(NULL);
	g_assert(stacks > 0);
	g_autoptr(GPtrArray) all = random_stacks(&state, stacks);
	for (guint i = 0; i < lines; i++) {
		guint which = i < stacks ? i : workload_random(&state, stacks);
		guint count = 1 + workload_random(&state, MAX_COUNT);
		g_string_append_printf(text, "%s %u\n", (const char *)all->pdata[which], count);
	}
	return text;
}

guint workload_repetitions(int argc, char **argv)
{
	guint64 repetitions = 0;
	if (argc == 2 && g_ascii_string_to_unsigned(argv[1], 10, 1, 1000000, &repetitions, NULL))
		return (guint)repetitions;
	fprintf(stderr, "usage: %s REPETITIONS\n", argv[0]);
	exit(2);
}

void workload_expect(gboolean ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "unexpected: %s\n", what);
	exit(1);
}
