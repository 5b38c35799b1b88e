#include "cli/input/diffsides.h"
#include "cli/options/command.h"
#include "cli/options/pictureoptions.h"
#include "cli/output/color.h"
#include "cli/output/output.h"
#include "cli/output/rendering.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "model/inputfile.h"
#include "profile/folded/difffolded.h"
#include "report/flame/flamecompat.h"
#include "report/flame/flamediff.h"
#include "report/text/difftable.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define ROWS_BY_DEFAULT 20
#define SHA_CHARS 40
#define NAME_MAX_CHARS 23

typedef struct {
	ProfileInputOptions input;
	DiffReading reading;
	PictureOptions picture;
	FlameOptions flame;
	char *base_name, *head_name, *base_work_text, *head_work_text, *color_text, *colors, *out;
	int rows;
	gboolean json, compat, negate, exact, strip_hex, normalize;
	double base_work, head_work; /* 0 = not given */
	ColorChoice color;
	FlameCompatTool compat_tool;
} Options;

static void options_clear(Options *options)
{
	profile_input_options_clear(&options->input);
	picture_options_clear(&options->picture);
	g_free(options->base_name);
	g_free(options->head_name);
	g_free(options->base_work_text);
	g_free(options->head_work_text);
	g_free(options->color_text);
	g_free(options->colors);
	g_free(options->out);
}

/* --- the picture --- */

/* A whole SHA is shortened, any other name stays. Owned by the caller. */
static char *short_name(const char *name)
{
	gboolean is_sha = strlen(name) == SHA_CHARS && strspn(name, "0123456789abcdef") == SHA_CHARS;
	return is_sha ? wording_sha(name) : g_strdup(name);
}

/* So that both sides have room in the title. */
static char *fitting_name(const char *name)
{
	g_autofree char *whole = short_name(name);
	return wording_shorten(whole, NAME_MAX_CHARS);
}

static char *side_name(const char *given, char *const *files)
{
	if (given != NULL)
		return fitting_name(given);
	guint n = g_strv_length((char **)files);
	g_autofree char *first =
	        strcmp(files[0], "-") == 0 ? g_strdup("standard input") : g_path_get_basename(files[0]);
	g_autofree char *name = fitting_name(first);
	return n == 1 ? g_steal_pointer(&name) : g_strdup_printf("%s and %u more", name, n - 1);
}

static char *picture_title(char *const *base_files, char *const *head_files, const Options *options)
{
	gboolean one_file = strcmp(base_files[0], head_files[0]) == 0;
	g_autofree char *base = side_name(options->base_name, base_files);
	g_autofree char *head = side_name(options->head_name, head_files);
	if (options->picture.subtitle != NULL)
		return g_strdup(options->picture.subtitle);
	if (one_file && options->base_name == NULL && options->head_name == NULL)
		return g_strdup_printf("base → head of %s", base);
	return g_strdup_printf("base %s → head %s", base, head);
}

static char *draw(const DiffSides *sides, const DiffTable *table, const Options *options)
{
	g_autofree char *title = picture_title(sides->base_files, sides->head_files, options);
	g_autofree char *outcome = diff_table_outcome(table);
	FlameDiff diff = {
	        .base = sides->base->profile,
	        .head = sides->head->profile,
	        .base_work = sides->base->work,
	        .head_work = sides->head->work,
	        .comparison = table->comparison,
	        .counted = sides->counted,
	        .shown_only = TRUE,
	        .outcome = outcome,
	        .untested = table->remark != NULL,
	        .per = sides->per,
	        .normalized = sides->normalized,
	        .benchmark = options->picture.title != NULL ? options->picture.title : "Difference",
	        .title = title,
	        .options = &options->flame,
	        .max_frames = options->picture.min_width == NULL ? FLAME_DIFF_MAX_FRAMES : 0,
	};
	return flame_diff_svg(&diff, NULL);
}

/* --- everything else --- */

static void say_findings(const FindingList *findings, const Options *options)
{
	Talk talk;
	talk_on_stderr(&talk, options->input.quiet ? TALK_QUIET : TALK_NORMAL);
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		g_autofree char *line =
		        g_strdup_printf("%s: %s", finding_severity_name(finding->severity), finding->text);
		talk_line(&talk, line);
	}
	talk_clear(&talk);
}

static DiffTable table_of(const DiffSides *sides, const BenchmarkComparison *comparison, const char *remark)
{
	return (DiffTable){
	        .base = {sides->base->profile, sides->base->work, (const char *const *)sides->base_files},
	        .head = {sides->head->profile, sides->head->work, (const char *const *)sides->head_files},
	        .comparison = comparison,
	        .per = sides->per,
	        .remark = remark,
	        .counted = sides->counted,
	        .findings = sides->findings,
	};
}

static gboolean print_table(const DiffTable *table, const Options *options)
{
	DiffTextOptions text_options = {.rows = (guint)options->rows,
	        .colour = color_wanted(options->color, STDOUT_FILENO),
	        .width = terminal_width()};
	g_autofree char *text = options->json ? diff_table_json(table, NULL) : diff_table_text(table, &text_options);
	return print_result(text);
}

static int compare(const Command *command, const Options *options, char *const *base, char *const *head)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(DiffSides) sides = diff_sides_read(&options->reading, base, head, &error);
	if (sides == NULL)
		return profile_input_failed(command, error);
	g_autofree char *remark = NULL;
	g_autoptr(BenchmarkComparison) comparison = diff_sides_compare(sides, &remark);
	DiffTable table = table_of(sides, comparison, remark);
	say_findings(sides->findings, options);
	if (options->out != NULL) {
		g_autofree char *picture = draw(sides, &table, options);
		if (!output_write(options->out, picture, &error))
			return command_failed(error);
		if (strcmp(options->out, "-") == 0)
			return 0;
	}
	return print_table(&table, options) ? 0 : FIREBREAK_ERROR_STORAGE;
}

/* --- two columns for other tools --- */

static void note_bad_lines(FindingList *findings, const char *file, const FoldedSummary *summary)
{
	if (summary->bad_lines > 0)
		finding_add(findings, FINDING_WARNING, "lines_not_read", NULL,
		        "%s: %" G_GUINT64_FORMAT " %s with a count, the first is line %" G_GUINT64_FORMAT, file,
		        summary->bad_lines, summary->bad_lines == 1 ? "line is no stack" : "lines are no stacks",
		        summary->first_bad_line);
}

/* Folded text goes in as it is, so that every name comes out as it went in. */
static gboolean add_text(
        DiffFolded *diff, DiffFoldedSide side, const InputFile *file, FindingList *findings, GError **error)
{
	FoldedSummary summary;
	diff_folded_add(diff, side, (const char *)file->bytes, file->length, &summary);
	gboolean ok = summary.stack_lines > 0 || summary.bad_lines == 0;
	note_bad_lines(findings, file->name, &summary);
	folded_summary_clear(&summary);
	return ok || firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: no folded stacks in it", file->name);
}

static gboolean is_folded(const Options *options, const InputFile *file)
{
	ProfileFormat format;
	if (options->input.format != NULL)
		return strcmp(options->input.format, "folded") == 0;
	if (file->length == 0)
		return TRUE;
	return profile_format_detect(file->bytes, file->length, file->name, &format, NULL) &&
	       format == PROFILE_FORMAT_FOLDED;
}

/* Unless an option asks for something of folded text, which the reader of profiles does or refuses. */
static gboolean goes_in_as_it_is(const Options *options, const InputFile *file)
{
	ProfileInputOptions asked = options->input;
	asked.kernel = asked.stackcollapse = FALSE; /* these are for other formats, as are the two below */
	asked.format = asked.symfs = NULL;
	return is_folded(options, file) && profile_input_option_of_reading(&asked) == NULL;
}

static gboolean add_profile(DiffFolded *diff, DiffFoldedSide side, const Options *options, const InputFile *file,
        FindingList *findings, GError **error)
{
	g_autoptr(ProfileInput) input = profile_input_read_file(&options->input, file, error);
	if (input == NULL)
		return FALSE;
	g_autofree char *text = folded_write(input->profile, FOLDED_ALL_RUNS, FOLDED_WEIGHT);
	diff_folded_add(diff, side, text, strlen(text), NULL);
	for (guint i = 0; i < finding_count(input->findings); i++) {
		const Finding *finding = finding_get(input->findings, i);
		finding_add(findings, finding->severity, finding->code, NULL, "%s", finding->text);
	}
	return TRUE;
}

static gboolean add_files(DiffFolded *diff, DiffFoldedSide side, const Options *options, char *const *files,
        FindingList *findings, GError **error)
{
	for (guint i = 0; files[i] != NULL; i++) {
		InputFile file;
		if (!input_file_open(&file, files[i], error))
			return FALSE;
		gboolean ok = goes_in_as_it_is(options, &file)
		                      ? add_text(diff, side, &file, findings, error)
		                      : add_profile(diff, side, options, &file, findings, error);
		input_file_close(&file);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

/* What is counted of a file that holds both sides. Lines of folded text and exact counts stay what they are. */
static FoldedFlags counts_of(const Options *options, const DiffSides *sides)
{
	gboolean sampled = !sides->counted && strcmp(sides->base->profile->unit, "counts") != 0;
	return sampled && g_strcmp0(options->input.weight, "samples") == 0 ? FOLDED_SAMPLES : FOLDED_WEIGHT;
}

/* One file that holds both sides. */
static gboolean add_both(DiffFolded *diff, const Options *options, char *const *files, GError **error)
{
	g_autoptr(DiffSides) sides =
	        diff_sides_read(&options->reading, files, files + g_strv_length((char **)files), error);
	if (sides == NULL)
		return FALSE;
	FoldedFlags counts = counts_of(options, sides);
	g_autofree char *base = folded_write(sides->base->profile, FOLDED_ALL_RUNS, counts);
	g_autofree char *head = folded_write(sides->head->profile, FOLDED_ALL_RUNS, counts);
	diff_folded_add(diff, DIFF_FOLDED_BASE, base, strlen(base), NULL);
	diff_folded_add(diff, DIFF_FOLDED_HEAD, head, strlen(head), NULL);
	return TRUE;
}

/* The picture of the columns; NULL if it would be empty. `first` and `second` are the files of the columns. */
static char *draw_columns(const Options *options, const char *columns, char *const *first, char *const *second)
{
	static const FoldedOptions reading = {.columns = 2, .plain_root = TRUE};
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) counts = profile_new(table, "", "samples");
	profile_add_run(counts);
	profile_add_run(counts);
	if (!folded_read(columns, strlen(columns), "columns", &reading, counts, 0, NULL, NULL) ||
	        profile_run_total(counts, 1).weight == 0)
		return NULL;
	g_autofree char *title =
	        picture_title(options->negate ? second : first, options->negate ? first : second, options);
	FlameCompat compat = {.counts = counts,
	        .tool = options->compat_tool,
	        .negate = options->negate,
	        .heading = options->picture.title != NULL ? options->picture.title : "Difference",
	        .title = title,
	        .options = &options->flame};
	return flame_compat_svg(&compat, NULL);
}

/* The sides are in the order in which they were named, which --negate does not change in a picture. */
static int write_compat(const Command *command, const Options *options, char *const *base, char *const *head)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(DiffFolded) diff =
	        diff_folded_new(&(DiffFoldedOptions){.normalize = options->normalize, .strip_hex = options->strip_hex});
	gboolean ok = head[0] == NULL ? add_both(diff, options, base, &error)
	                              : add_files(diff, DIFF_FOLDED_BASE, options, base, findings, &error) &&
	                                        add_files(diff, DIFF_FOLDED_HEAD, options, head, findings, &error);
	if (!ok)
		return profile_input_failed(command, error);
	g_autofree char *text = diff_folded_text(diff);
	say_findings(findings, options);
	if (options->colors == NULL)
		return output_write(options->out, text, &error) ? 0 : command_failed(error);
	g_autofree char *picture = draw_columns(options, text, base, head[0] == NULL ? base : head);
	if (picture == NULL)
		return command_usage(command,
		        "frames are as wide as the counts of %s, and there are none; without "
		        "--colors what vanished is drawn, too",
		        options->negate ? "base" : "head");
	return output_write(options->out, picture, &error) ? 0 : command_failed(error);
}

/* --- options --- */

static gboolean parse_colors(Options *options)
{
	for (guint i = 0; options->colors != NULL && i < N_FLAME_COMPAT_TOOLS; i++)
		if (strcmp(options->colors, flame_compat_names[i]) == 0) {
			options->compat_tool = (FlameCompatTool)i;
			return TRUE;
		}
	return options->colors == NULL;
}

/* Units of work of one run. Leaves *work where the option is not given. */
static gboolean parse_work(const char *text, double *work)
{
	char *end = NULL;
	if (text == NULL)
		return TRUE;
	*work = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*work) && *work > 0;
}

/* Returns 0, or the exit code of a usage error that was printed. */
static int check_options(const Command *command, Options *options)
{
	g_autoptr(GError) error = NULL;
	if (!picture_options_parse(&options->picture, &options->flame, &error))
		return command_usage(command, "%s", error->message);
	if (!options->input.quiet)
		picture_options_note(&options->picture);
	if (options->rows < 0)
		return command_usage(command, "--rows is a number from 0, which shows all, on");
	if (!color_parse(options->color_text, &options->color))
		return command_usage(command, "--color is auto, always or never");
	if (!parse_work(options->base_work_text, &options->base_work) ||
	        !parse_work(options->head_work_text, &options->head_work))
		return command_usage(command, "--base-work and --head-work are units of work of one run, more than 0");
	if (options->normalize && (options->base_work > 0 || options->head_work > 0))
		return command_usage(command, "--normalize makes the totals equal whatever the work is; leave out one");
	if (options->compat && (options->json || options->base_work > 0 || options->head_work > 0))
		return command_usage(command, "--compat writes two columns or their picture and nothing else");
	if (!parse_colors(options))
		return command_usage(command, "--colors is flamegraph.pl or inferno");
	if (options->colors != NULL && !options->compat)
		return command_usage(
		        command, "--colors are those of another tool, with --compat; else colours follow the tests");
	if (options->colors != NULL && options->out == NULL && isatty(STDOUT_FILENO) == 1)
		return command_usage(command, "a picture is not for a terminal; name a file with -o");
	if (options->json && g_strcmp0(options->out, "-") == 0)
		return command_usage(command, "standard output holds the picture or the JSON, not both");
	options->reading = (DiffReading){
	        .input = &options->input,
	        .exact = options->exact,
	        .keeps_samples = options->compat,
	        .strip_hex = options->strip_hex,
	        .normalize = options->normalize && !options->compat,
	        .base_work = options->base_work,
	        .head_work = options->head_work,
	};
	/* As tooltips of other tools say; --stackcollapse asks for the costs of its model. */
	if (options->compat && options->input.weight == NULL && !options->input.stackcollapse)
		options->input.weight = g_strdup("samples");
	return 0;
}

static gboolean check_stdin(char *const *base, char *const *head, GError **error)
{
	guint n = 0;
	for (guint i = 0; base[i] != NULL; i++)
		n += strcmp(base[i], "-") == 0;
	for (guint i = 0; head[i] != NULL; i++)
		n += strcmp(head[i], "-") == 0;
	return n <= 1 || firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "standard input can be read only once");
}

static int diff(const Command *command, Options *options, char *const *arguments)
{
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) base = NULL, head = NULL;
	if (!diff_arguments_split(arguments, options->input.two_columns, &base, &head, &error) ||
	        !check_stdin(base, head, &error) || !output_is_no_input(options->out, base, &error) ||
	        !output_is_no_input(options->out, head, &error))
		return profile_input_failed(command, error);
	if (options->negate && head[0] == NULL && options->colors == NULL)
		return command_usage(command, "--negate swaps the files of two sides; this is one file");
	gboolean swap = options->negate && options->colors == NULL;
	char **first = swap ? head : base, **second = swap ? base : head;
	return options->compat ? write_compat(command, options, first, second)
	                       : compare(command, options, first, second);
}

/* Options of `firebreak flamegraph` that make no sense here: the answer says why. */
static gboolean refuse_option(const char *name, const char *value, gpointer data, GError **error)
{
	static const struct {
		const char *name, *reason;
	} refused[] = {
	        {"--reverse", "colours follow functions along the paths that lead to them; draw the sides with "
	                      "firebreak flamegraph --reverse"},
	        {"--factor", "table and picture show one cost; --base-work and --head-work divide it"},
	        {"--total", "widths are those of both sides; there is no whole besides them"},
	        {"--hash", "colours say what changed, not what is called how"},
	};
	(void)value;
	(void)data;
	for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
		if (strcmp(name, refused[i].name) == 0)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: %s", name, refused[i].reason);
	return FALSE;
}

#define REFUSED(name, arg)                                                                                             \
	{                                                                                                              \
		name, 0, G_OPTION_FLAG_HIDDEN | (arg), G_OPTION_ARG_CALLBACK, (gpointer)refuse_option, NULL, NULL      \
	}

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {.rows = ROWS_BY_DEFAULT};
	profile_input_options_init(&options.input);
	options.input.keep_periods = options.input.may_be_empty = TRUE;
	const GOptionEntry own[] = {
	        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.out,
	                "draw the differential flame graph into this file; with --compat, write the columns to it",
	                "FILE"},
	        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "the function table as JSON", NULL},
	        {"rows", 0, 0, G_OPTION_ARG_INT, &options.rows, "functions shown (default 20, 0 = all)", "N"},
	        {"exact", 0, 0, G_OPTION_ARG_NONE, &options.exact,
	                "the counts are exact, not samples: compare them without tests (callgrind and DHAT always are)",
	                NULL},
	        {"normalize", 'n', 0, G_OPTION_ARG_NONE, &options.normalize, "scale base to the total of head", NULL},
	        {"strip-hex", 's', 0, G_OPTION_ARG_NONE, &options.strip_hex, "names with 0x1f2e in them are 0x...",
	                NULL},
	        {"negate", 0, 0, G_OPTION_ARG_NONE, &options.negate, "swap the sides: head is named first", NULL},
	        {"base-work", 0, 0, G_OPTION_ARG_STRING, &options.base_work_text, "units of work of one run of base",
	                "N"},
	        {"head-work", 0, 0, G_OPTION_ARG_STRING, &options.head_work_text, "the same of head", "N"},
	        {"two-columns", 0, 0, G_OPTION_ARG_NONE, &options.input.two_columns,
	                "files are folded stacks with a count of base and one of head", NULL},
	        {"compat", 0, 0, G_OPTION_ARG_NONE, &options.compat,
	                "write folded stacks with two counts, as difffolded.pl does", NULL},
	        {"colors", 0, 0, G_OPTION_ARG_STRING, &options.colors,
	                "with --compat, draw the picture of flamegraph.pl or inferno, in its colours, instead", "TOOL"},
	        {"base-name", 0, 0, G_OPTION_ARG_STRING, &options.base_name,
	                "what the picture calls base, such as its commit (default: its file)", "TEXT"},
	        {"head-name", 0, 0, G_OPTION_ARG_STRING, &options.head_name, "the same of head", "TEXT"},
	        {"color", 0, 0, G_OPTION_ARG_STRING, &options.color_text, "auto, always or never", "WHEN"},
	        REFUSED("reverse", G_OPTION_FLAG_NO_ARG),
	        REFUSED("factor", 0),
	        REFUSED("total", 0),
	        REFUSED("hash", G_OPTION_FLAG_NO_ARG),
	        G_OPTION_ENTRY_NULL,
	};
	g_autofree GOptionEntry *drawing = picture_options_entries(&options.picture, own);
	g_autofree GOptionEntry *entries = profile_input_entries(&options.input, drawing);
	g_auto(GStrv) completed = picture_options_complete(entries, argv);
	g_auto(GStrv) marked = diff_arguments_mark(completed);
	g_auto(GStrv) rest = command_parse(command, entries, marked, &code);
	if (rest != NULL)
		code = check_options(command, &options);
	if (rest != NULL && code == 0)
		code = diff(command, &options, rest + 1);
	options_clear(&options);
	return code;
}

const Command diff_command = {
        .name = "diff",
        .arguments = "BASE... -- HEAD...",
        .summary = "compare two sets of recordings or folded stacks, function by function and as a picture",
        .description =
                "Reads everything that `firebreak fold` reads. Every file is one run. With 5 files or more of either "
                "side the functions are tested, file by file in the order given, at a level of 5 % over all of them; "
                "with fewer, changes are shown and called not tested, because not even 4 runs that all agree are "
                "beyond chance. Two files need no `--`. What callgrind and DHAT counted is compared exactly.\n\n"
                "-n scales base to the total of head; in --compat its counts are cut to whole numbers then, as "
                "difffolded.pl "
                "does, and keep their fractions everywhere else. With --colors, --negate is that of flamegraph.pl: "
                "frames are as wide as base then, which shows what vanished. A picture that firebreak drew holds the "
                "profiles of "
                "both "
                "sides and can be read again, alone. It has the widest 2,500 frames of those that are not narrower "
                "than 0.02 % of it; --minwidth sets a width instead of both, and 0 draws all. The other options of the "
                "picture are those of `firebreak flamegraph`.\n\n"
                "Examples:\n"
                "  firebreak diff base.folded head.folded -o diff.svg\n"
                "  firebreak diff base-*.data -- head-*.data -o diff.svg --base-name=1a2b3c4 --head-name=5d6e7f8\n"
                "  firebreak diff --json callgrind.base callgrind.head\n"
                "  firebreak diff --compat base.folded head.folded | flamegraph.pl >diff.svg\n"
                "  firebreak diff --compat --colors=flamegraph.pl base.folded head.folded -o diff.svg\n"
                "  firebreak diff --compat diff.svg\n\n"
                "Exit codes: 0, whatever differs; 2 for files that cannot be read as profiles and for options, 6 if "
                "the "
                "sides do not count the same, others as of `firebreak fold`.",
        .run = run,
};
