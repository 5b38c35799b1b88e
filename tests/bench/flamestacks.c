/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of flamestacks.sh: makes a large number of stacks, and times each step from their text to a picture.
 *
 *     flamestacks write N FILE        folded text of N different stacks, sorted
 *     flamestacks time FILE           one line per step: name, seconds, peak resident memory so far in KiB
 *
 * The stacks are 8 to 30 frames deep and share their beginnings as those of a real program do: each is another one of
 * which up to 3 frames were cut off and 1 to 3 added, so that the trie has about twice as many rows as there are
 * stacks. The names are as long as those of C++. */
#include "bench/workload.h"
#include "profile/folded/folded.h"
#include "report/flame/flamelayout.h"
#include "report/flame/flamesvg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define FUNCTIONS 6000
#define CALLEES 6
#define MIN_DEPTH 8
#define MAX_DEPTH 30
#define MAX_CUT 3
#define MAX_ADDED 3
#define MAX_COUNT 40
#define SEED 0x666c616d65ULL

static StackId add_callee(StackTable *table, const FrameId *frames, StackId stack, guint64 *state)
{
	guint64 mixed = (guint64)stack_table_leaf(table, stack).index * CALLEES + workload_random(state, CALLEES);
	return stack_table_push(table, stack, frames[workload_random(&mixed, FUNCTIONS)]);
}

static StackId next_stack(StackTable *table, const FrameId *frames, StackId stack, guint64 *state)
{
	guint cut = workload_random(state, MAX_CUT + 1), added = 1 + workload_random(state, MAX_ADDED);
	for (guint i = 0; i < cut && stack_table_depth(table, stack) > MIN_DEPTH; i++)
		stack = stack_table_parent(table, stack);
	while (stack_table_depth(table, stack) < MIN_DEPTH)
		stack = add_callee(table, frames, stack, state);
	for (guint i = 0; i < added && stack_table_depth(table, stack) < MAX_DEPTH; i++)
		stack = add_callee(table, frames, stack, state);
	return stack;
}

static FrameId *make_frames(StackTable *table)
{
	static const char *const areas[] = {"parser::", "exec::plan::", "storage::btree::", "net::", "util::"};
	static const char *const verbs[] = {"read_page", "visit", "compare_keys", "emplace", "run<int, Row>"};
	FrameId *frames = g_new(FrameId, FUNCTIONS);
	for (guint i = 0; i < FUNCTIONS; i++) {
		g_autofree char *name = g_strdup_printf("%s%s%u", areas[i % G_N_ELEMENTS(areas)],
		        verbs[i / G_N_ELEMENTS(areas) % G_N_ELEMENTS(verbs)], i);
		frames[i] = stack_table_frame_named(table, name, NULL, FRAME_USER);
	}
	return frames;
}

static Profile *make_profile(guint n)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "cpu-clock", "samples");
	g_autoptr(GArray) stacks = g_array_sized_new(FALSE, FALSE, sizeof(StackId), n);
	g_autofree FrameId *frames = make_frames(table);
	guint64 state = SEED;
	StackId stack =
	        stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, "service", NULL, FRAME_COMMAND));
	profile_add_run(profile);
	while (stacks->len < n) {
		if (stacks->len > 0)
			stack = g_array_index(stacks, StackId, workload_random(&state, stacks->len));
		stack = next_stack(table, frames, stack, &state);
		if (profile_cell(profile, 0, stack).weight > 0)
			continue;
		guint count = 1 + workload_random(&state, MAX_COUNT);
		profile_add(profile, 0, stack, (ProfileCell){count, count});
		g_array_append_val(stacks, stack);
	}
	return profile;
}

static int write_stacks(const char *number, const char *path)
{
	guint64 n;
	workload_expect(g_ascii_string_to_unsigned(number, 10, 1, 100000000, &n, NULL), "the number of stacks");
	g_autoptr(Profile) profile = make_profile((guint)n);
	g_autofree char *text = folded_write(profile, 0, FOLDED_WEIGHT);
	FILE *file = fopen(path, "w");
	workload_expect(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "the file cannot be written");
	fprintf(stderr, "%u stacks, %u rows, %zu bytes\n", (guint)n, stack_table_n_stacks(profile->table),
	        strlen(text));
	return 0;
}

static void say_step(const char *name, gint64 *start)
{
	struct rusage usage;
	gint64 now = g_get_monotonic_time();
	getrusage(RUSAGE_SELF, &usage);
	printf("%s %.3f %ld\n", name, (double)(now - *start) / 1e6, usage.ru_maxrss);
	*start = g_get_monotonic_time();
}

/* The pages of the file, without looking for stacks in them. */
static void scan_file(const char *path)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	workload_expect(file != NULL, "the file cannot be read");
	const char *at = g_mapped_file_get_contents(file), *end = at + g_mapped_file_get_length(file);
	guint lines = 0;
	while (at < end && (at = memchr(at, '\n', (gsize)(end - at))) != NULL) {
		lines++;
		at++;
	}
	workload_expect(lines > 0, "lines");
}

static int time_steps(const char *path)
{
	gint64 start = g_get_monotonic_time();
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock", "samples");
	guint run = profile_add_run(profile);
	workload_expect(folded_read_file(path, NULL, profile, run, NULL, NULL), "reading fails");
	say_step("read-and-intern", &start);
	FlameInput input = {.head = profile, .width = FLAME_WIDTH_HEAD, .min_share = FLAME_MIN_SHARE};
	FlameLayout *layout = flame_layout_new(&input);
	guint drawn = layout->nodes->len;
	flame_layout_free(layout);
	say_step("layout", &start);
	FlameGraph graph = {.profile = profile, .work = 1, .benchmark = "flamestacks", .title = "head"};
	gsize length = 0;
	g_autofree char *svg = flame_svg(&graph, &length);
	say_step("layout-and-write", &start);
	scan_file(path);
	say_step("(scan-only)", &start);
	printf("%u rows, %u frames drawn, %zu bytes of SVG\n", stack_table_n_stacks(table), drawn, length);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "write") == 0)
		return write_stacks(argv[2], argv[3]);
	if (argc == 3 && strcmp(argv[1], "time") == 0)
		return time_steps(argv[2]);
	fprintf(stderr, "usage: flamestacks write N FILE | time FILE\n");
	return 2;
}
