/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/commands/initci.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/git/repo.h"
#include "core/json/document.h"
#include "model/engine.h"
#include "runner/config/config.h"
#include "runner/discover/discover.h"
#include "runner/discover/trial.h"
#include "runner/valgrind/valgrind.h"

#include <stdio.h>
#include <string.h>

/* Lines about what was looked at in vain that are told, at most. */
#define MAX_LOOKED 8

typedef struct {
	gboolean dry_run, no_build, force, json;
	char *ci;
} Options;

static const Option option_rows[] = {
        {"dry-run", 'n', OPTION_FLAG, NULL, "print the file that would be written, and write nothing",
                offsetof(Options, dry_run), .section = SECTION_GENERAL},
        {"no-build", 0, OPTION_FLAG, NULL, "do not build or run anything: propose what is found, untried",
                offsetof(Options, no_build), .section = SECTION_GENERAL},
        {"force", 'f', OPTION_FLAG, NULL, "replace the " CONFIG_FILE " that is there", offsetof(Options, force),
                .section = SECTION_GENERAL},
        {"ci", 0, OPTION_TEXT, "WHERE", "also write the job for pull requests: github or gitlab", offsetof(Options, ci),
                .section = SECTION_OUTPUT, .choices = init_ci_names},
        {"json", 0, OPTION_FLAG, NULL, "print what was found and proposed as JSON", offsetof(Options, json),
                .section = SECTION_OUTPUT},
};

/* One call of the command. */
typedef struct {
	const Options *options;
	Repo *repo;
	char *path, *text; /* of the configuration; text NULL = there is none */
	Talk talk;
	DiscoverPlace *place;
	Discovery *discovery;
	Proposal *proposal;
} Init;

static void init_clear(Init *init)
{
	talk_clear(&init->talk);
	g_clear_pointer(&init->proposal, proposal_free);
	g_clear_pointer(&init->discovery, discovery_free);
	g_clear_pointer(&init->place, discover_place_free);
	g_clear_pointer(&init->repo, repo_free);
	g_clear_pointer(&init->path, g_free);
	g_clear_pointer(&init->text, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Init, init_clear)

/* A line for people, with foreign text in it made harmless. */
static void say(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	fprintf(stderr, "%s\n", safe);
}

static gboolean look(Init *init, GError **error)
{
	talk_progress(&init->talk, "looking for builds and benchmarks");
	init->place = discover_place_new(init->repo, error);
	init->discovery = init->place != NULL ? discover(init->place, error) : NULL;
	return init->discovery != NULL;
}

static gboolean propose(Init *init, GError **error)
{
	g_autoptr(Valgrind) valgrind = valgrind_find(NULL);
	const Trial trial = {
	        .place = init->place,
	        .can_count = valgrind != NULL,
	        .progress = talk_progress,
	        .progress_data = &init->talk,
	};
	init->proposal =
	        init->options->no_build ? trial_skip(init->discovery) : trial_run(&trial, init->discovery, error);
	talk_end_line(&init->talk);
	return init->proposal != NULL;
}

/* Results */

static json_t *engine_json(gconstpointer benchmark, G_GNUC_UNUSED gboolean counted)
{
	gboolean counts = ((const ProposedBenchmark *)benchmark)->counted;
	return json_string(counts ? engine_callgrind.name : engine_perf.name);
}

static const Field benchmark_fields[] = {
        FIELD("name", WORDS, ProposedBenchmark, name),
        FIELD("command", STRV, ProposedBenchmark, command),
        FIELD("cwd", TEXT, ProposedBenchmark, cwd),
        FIELD("framework", TEXT, ProposedBenchmark, framework),
        FIELD("filter", TEXT, ProposedBenchmark, filter),
        FIELD_MADE("engine", engine_json, NULL),
        FIELD("comment", TEXT, ProposedBenchmark, comment),
        FIELD("left_out", TEXT, ProposedBenchmark, left_out),
};

typedef struct {
	const char *path, *build, *text;
	gboolean written, tried;
	const GPtrArray *benchmarks, *remarks, *looked;
} Report;

static const Field report_fields[] = {
        FIELD("path", WORDS, Report, path),
        FIELD("written", FLAG, Report, written),
        FIELD("tried", FLAG, Report, tried),
        FIELD("build", TEXT, Report, build),
        FIELD_RECORDS("benchmarks", Report, benchmarks, ProposedBenchmark, benchmark_fields, 0),
        FIELD("not_understood", TEXTS, Report, remarks),
        FIELD("looked_at", TEXTS, Report, looked),
        FIELD("text", WORDS, Report, text),
};

static gboolean print_json(const Init *init, const char *text, gboolean written)
{
	const Report report = {
	        .path = init->path,
	        .build = init->proposal->build,
	        .text = text,
	        .written = written,
	        .tried = !init->options->no_build,
	        .benchmarks = init->proposal->benchmarks,
	        .remarks = init->proposal->remarks,
	        .looked = init->proposal->looked,
	};
	const JsonDocument document = {.schema = "firebreak-init/1", .table = FIELD_TABLE(report_fields)};
	g_autofree char *dump = json_document(&document, &report, NULL);
	return print_result(dump);
}

static void tell_benchmarks(const Init *init)
{
	const GPtrArray *benchmarks = init->proposal->benchmarks;
	for (guint i = 0; i < benchmarks->len; i++) {
		const ProposedBenchmark *row = g_ptr_array_index(benchmarks, i);
		if (row->left_out != NULL)
			say("left out %s: %s", row->name, row->left_out);
		else if (row->comment != NULL)
			say("note: %s: %s", row->name, row->comment);
	}
	for (guint i = 0; i < init->proposal->remarks->len; i++)
		say("note: %s", (const char *)g_ptr_array_index(init->proposal->remarks, i));
	const GPtrArray *looked = init->proposal->looked;
	for (guint i = 0; i < looked->len && i < MAX_LOOKED && proposal_count(init->proposal) == 0; i++)
		say("looked at %s", (const char *)g_ptr_array_index(looked, i));
	if (looked->len > MAX_LOOKED && proposal_count(init->proposal) == 0)
		say("%u more places have no benchmark; the file lists them", looked->len - MAX_LOOKED);
}

/* The result, and the command to type next. */
static void tell(const Init *init)
{
	guint n = proposal_count(init->proposal);
	tell_benchmarks(init);
	if (n == 0)
		say("wrote %s, but no benchmark was found that runs: put a program of yours, and what builds it, in "
		    "place of "
		    "the example, then type",
		        init->path);
	else
		say("wrote %s with %u benchmark%s%s; next, change something and type", init->path, n, n == 1 ? "" : "s",
		        init->options->no_build ? ", untried" : "");
	say("  firebreak check --head worktree");
}

/* A file that is there: *done tells whether there is nothing left to do, and the exit code is returned. */
static int look_at_present(const Command *command, const Init *init, gboolean *done)
{
	*done = init->text != NULL && !init->options->force && !init->options->dry_run;
	if (!*done)
		return 0;
	g_autofree char *found = proposal_fingerprint(init->discovery);
	switch (proposal_origin(init->text, found)) {
	case CONFIG_AS_PROPOSED:
		say("nothing to do: %s is unchanged, and the same benchmarks are found now", init->path);
		return 0;
	case CONFIG_OUTDATED:
		return command_usage(command,
		        "%s exists, and other benchmarks are found now: --dry-run shows them, --force writes them",
		        init->path);
	case CONFIG_WRITTEN_BY_HAND:
	default:
		return command_usage(command,
		        "%s exists and was edited by hand: --dry-run shows what would be proposed, --force replaces it",
		        init->path);
	}
}

static int write_all(const Init *init)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = proposal_text(init->proposal);
	g_autoptr(Config) checked = config_parse(text, strlen(text), CONFIG_FILE, &error);
	if (checked == NULL) {
		g_prefix_error(
		        &error, "the proposal is not valid, which is a fault of firebreak, so please report it: ");
		return command_failed(error);
	}
	gboolean writes = !init->options->dry_run;
	if (writes && !durable_write_file(init->path, text, -1, &error))
		return command_failed(error);
	if (init->options->json)
		return print_json(init, text, writes) ? 0 : FIREBREAK_ERROR_STORAGE;
	if (!writes) {
		tell_benchmarks(init);
		return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
	}
	tell(init);
	return 0;
}

/* The job of CI, if it is asked for; `code` if that goes well. */
static int write_ci(const Init *init, int code)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *notes = NULL;
	if (init->options->ci == NULL || init->options->dry_run)
		return code;
	if (!init_ci_write(repo_path_workdir(init->repo), init->options->ci, &notes, &error))
		return command_failed(error);
	fprintf(stderr, "%s\n", notes);
	return code;
}

static int work(const Command *command, Init *init)
{
	g_autoptr(GError) error = NULL;
	gboolean done;
	if (!look(init, &error))
		return command_failed(error);
	talk_end_line(&init->talk);
	int code = look_at_present(command, init, &done);
	if (!done) {
		if (!propose(init, &error))
			return command_failed(error);
		code = write_all(init);
	}
	/* also on its own, in a project that has its configuration */
	return code == 0 || done ? write_ci(init, code) : code;
}

static int run_in(const Command *command, const Options *options)
{
	g_auto(Init) init = {.options = options};
	g_autoptr(GError) error = NULL;
	talk_on_stderr(&init.talk, TALK_NORMAL);
	init.repo = repo_open(".", &error);
	if (init.repo == NULL)
		return command_failed(error);
	const char *root = repo_path_workdir(init.repo);
	if (root == NULL)
		return command_usage(command, "a bare repository has no place for " CONFIG_FILE);
	init.path = g_build_filename(root, CONFIG_FILE, NULL);
	g_file_get_contents(init.path, &init.text, NULL, NULL);
	return work(command, &init);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {0};
	g_auto(GStrv) rest = command_parse(command, &options, argv, &code);
	if (rest == NULL)
		return code;
	code = rest[1] != NULL ? command_usage(command, "unexpected argument \"%s\"", rest[1])
	                       : run_in(command, &options);
	command_clear(command, &options);
	return code;
}

const Command init_command = {
        .name = "init",
        .arguments = "",
        .summary = "find the benchmarks of this project and write a " CONFIG_FILE,
        .description =
                "Looks at a copy of the working tree in a temporary folder: CMake, Meson, Autotools, Make, Cargo, Go, "
                "Zig, and folders of benchmarks. Builds what it finds, runs each benchmark once, and "
                "writes " CONFIG_FILE
                " with those that work; the others stand in it as comments, with the reason. Downloads nothing.\n"
                "\n"
                "A file that exists is not touched without --force: the exit code is 0 if it is unchanged and the same "
                "benchmarks are found, otherwise 2.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
