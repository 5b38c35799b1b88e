/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/githubcommands.h"

#include "core/escape.h"
#include "report/ci/flagged.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"
#include "report/words/wording.h"

#define TITLE_MAX_CHARS 100

typedef enum { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTICE, LEVELS } Level;

typedef struct {
	GString *lines[LEVELS];
	guint shown[LEVELS], left_out;
} Commands;

typedef struct {
	Level level;
	const char *file; /* NULL = of the run */
	guint line;
	const char *title, *message; /* foreign text */
} Command;

/* As much of the text as fits. */
static char *fitting(const char *text)
{
	for (gsize chars = GITHUB_COMMAND_MAX_BYTES;; chars = chars * 3 / 4) {
		g_autofree char *shortened = wording_shorten_words(text, chars);
		g_autoptr(GString) escaped = g_string_new(NULL);
		escape_github_data(escaped, shortened, -1);
		if (escaped->len <= GITHUB_COMMAND_MAX_BYTES)
			return g_strdup(escaped->str);
	}
}

static void append(GString *out, const Command *command)
{
	static const char *const names[] = {"error", "warning", "notice"};
	g_autofree char *title = wording_shorten(command->title, TITLE_MAX_CHARS);
	g_autofree char *message = fitting(command->message);
	g_string_append_printf(out, "::%s ", names[command->level]);
	if (command->file != NULL) {
		g_string_append(out, "file=");
		escape_github_property(out, command->file, -1);
		g_string_append_printf(out, ",line=%u,", command->line);
	}
	g_string_append(out, "title=");
	escape_github_property(out, title, -1);
	g_string_append_printf(out, "::%s\n", message);
}

static void add(Commands *all, const Command *command)
{
	if (all->shown[command->level] == GITHUB_COMMANDS_MAX) {
		all->left_out++;
		return;
	}
	all->shown[command->level]++;
	append(all->lines[command->level], command);
}

/* TRUE if the other engine has accused the function already: then it has its place. */
static gboolean is_said(GHashTable *said, const FlaggedFunction *flagged)
{
	const FunctionList *list = &flagged->list;
	FrameId frame = flagged->function->frame;
	char *key = g_strjoin("\n", flagged->benchmark->name, highlights_module(list->table, frame),
	        highlights_name(list->table, frame), NULL);
	const BenchmarkComparison *first = g_hash_table_lookup(said, key);
	if (first == NULL)
		g_hash_table_insert(said, key, (gpointer)list->comparison);
	else
		g_free(key);
	return first != NULL && first != list->comparison;
}

static void add_functions(Commands *all, const CheckResult *result)
{
	static const Level levels[] = {
	        [FLAGGED_GATES] = LEVEL_ERROR,
	        [FLAGGED_SLOWER] = LEVEL_WARNING,
	        [FLAGGED_HELD] = LEVEL_WARNING,
	        [FLAGGED_NOTICED] = LEVEL_NOTICE,
	};
	g_autoptr(GPtrArray) functions = flagged_functions(result);
	g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < functions->len; i++) {
		const FlaggedFunction *flagged = g_ptr_array_index(functions, i);
		if (is_said(said, flagged))
			continue;
		g_autofree char *text = flagged_text(flagged);
		g_autofree char *title = g_strconcat("firebreak: ", flagged->benchmark->name, NULL);
		Command command = {.level = levels[flagged->weight],
		        .file = flagged->place.path,
		        .line = flagged->place.line,
		        .title = title,
		        .message = text};
		add(all, &command);
	}
}

static Level verdict_level(Verdict verdict)
{
	return verdict == VERDICT_PASS ? LEVEL_NOTICE : verdict == VERDICT_INCONCLUSIVE ? LEVEL_WARNING : LEVEL_ERROR;
}

/* Benchmarks of which no function says what the verdict says: those without a pass. */
static void add_benchmarks(Commands *all, const CheckResult *result)
{
	for (guint i = 0; result->mode == CHECK_GATE && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		Verdict verdict = result_benchmark_verdict(benchmark);
		if (verdict == VERDICT_PASS)
			continue;
		g_autofree char *text = benchmark_line_named(result, benchmark);
		g_autofree char *title = g_strconcat("firebreak: ", benchmark->name, NULL);
		Command command = {.level = verdict_level(verdict), .title = title, .message = text};
		add(all, &command);
	}
}

static void add_warnings(Commands *all, const CheckResult *result)
{
	for (guint i = 0; i < finding_count(result->findings); i++) {
		const Finding *finding = finding_get(result->findings, i);
		if (finding->severity == FINDING_INFO)
			continue;
		g_autofree char *title = g_strconcat("firebreak: ", finding->code, NULL);
		g_autofree char *text = finding->benchmark == NULL
		                                ? g_strdup(finding->text)
		                                : g_strdup_printf("%s: %s", finding->benchmark, finding->text);
		Level level = finding->severity == FINDING_ERROR ? LEVEL_ERROR : LEVEL_WARNING;
		Command command = {.level = level, .title = title, .message = text};
		add(all, &command);
	}
}

/* The verdict counts as one of its level, but is made last, when it is known what does not fit. */
static void append_verdict(GString *out, const CheckResult *result, guint left_out)
{
	g_autofree char *headline = headline_text(result), *short_line = wording_shorten_words(headline, 800);
	const char *word = headline_is_first_run(result) ? "first run" : verdict_name(result->verdict);
	g_autofree char *title = g_strconcat("firebreak: ", word, NULL);
	g_autofree char *more = left_out == 0 ? g_strdup("") : g_strdup_printf("; %u more in summary.md", left_out);
	g_autofree char *message = g_strconcat(short_line, more, NULL);
	Command command = {.level = verdict_level(result->verdict), .title = title, .message = message};
	append(out, &command);
}

char *github_commands_text(const CheckResult *result, gsize *length)
{
	Commands all = {.shown = {[LEVEL_ERROR] = 0}};
	GString *out = g_string_new(NULL);
	all.shown[verdict_level(result->verdict)] = 1;
	for (guint i = 0; i < LEVELS; i++)
		all.lines[i] = g_string_new(NULL);
	add_functions(&all, result);
	if (result->benchmarks->len > 1)
		add_benchmarks(&all, result);
	add_warnings(&all, result);
	append_verdict(out, result, all.left_out);
	for (guint i = 0; i < LEVELS; i++) {
		g_string_append_len(out, all.lines[i]->str, (gssize)all.lines[i]->len);
		g_string_free(all.lines[i], TRUE);
	}
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
