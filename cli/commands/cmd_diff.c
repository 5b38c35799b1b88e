/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/input/diffsides.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/options/pictureoptions.h"
#include "cli/output/color.h"
#include "cli/output/output.h"
#include "cli/output/rendering.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "model/inputfile.h"
#include "model/textpiece.h"
#include "profile/folded/difffolded.h"
#include "report/flame/flamecompat.h"
#include "report/flame/flamediff.h"
#include "report/text/difftable.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define ROWS_BY_DEFAULT 20
#define ROWS_MISTAKE "--rows takes a number of rows; 0 shows all"
#define SHA_CHARS 40
#define NAME_MAX_CHARS 23

typedef struct {
	ProfileInputOptions input;
	DiffReading reading;
	PictureOptions picture;
	FlameOptions flame;
	char *base_name, *head_name, *base_work_text, *head_work_text, *colors, *out;
	int rows;
	gboolean json, compat, negate, counted, strip_hex, normalize;
	double base_work, head_work; /* 0 = not given */
	ColorChoice color;
	FlameCompatTool compat_tool;
} Options;

/* --- the picture --- */

/* A whole SHA is shortened, any other name stays. Owned by the caller. */
static char *short_name(const char *name)
{
	return text_hex_digits(name) == SHA_CHARS ? wording_sha(name) : g_strdup(name);
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
	talk_findings(sides->findings, options->input.quiet ? TALK_QUIET : TALK_NORMAL);
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
		        summary->bad_lines, summary->bad_lines == 1 ? "line is not a stack" : "lines are not stacks",
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

/* The unit of the counts of a file that holds both sides. Lines of folded text and counts stay what they are. */
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
	talk_findings(findings, options->input.quiet ? TALK_QUIET : TALK_NORMAL);
	if (options->colors == NULL)
		return output_write(options->out, text, &error) ? 0 : command_failed(error);
	g_autofree char *picture = draw_columns(options, text, base, head[0] == NULL ? base : head);
	if (picture == NULL)
		return command_usage(command,
		        "frames are as wide as the counts of %s, which has none; leave --colors out to have what was "
		        "removed drawn, too",
		        options->negate ? "base" : "head");
	return output_write(options->out, picture, &error) ? 0 : command_failed(error);
}

/* --- options --- */

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
	if (!parse_work(options->base_work_text, &options->base_work) ||
	        !parse_work(options->head_work_text, &options->head_work))
		return command_usage(command, "--base-work and --head-work are units of work of one run, more than 0");
	if (options->normalize && (options->base_work > 0 || options->head_work > 0))
		return command_usage(command, "--normalize makes the totals equal whatever the work is: leave out "
		                              "--normalize, or --base-work and --head-work");
	if (options->compat && (options->json || options->base_work > 0 || options->head_work > 0))
		return command_usage(command, "--compat writes two columns or their picture and nothing else");
	if (options->colors != NULL)
		options->compat_tool = (FlameCompatTool)option_choice(flame_compat_names, options->colors);
	if (options->colors != NULL && !options->compat)
		return command_usage(
		        command, "--colors are those of another tool, with --compat; else colours follow the tests");
	if (options->colors != NULL && options->out == NULL && isatty(STDOUT_FILENO) == 1)
		return command_usage(command, "a picture is not for a terminal; name a file with -o");
	if (options->json && g_strcmp0(options->out, "-") == 0)
		return command_usage(command, "standard output holds the picture or the JSON, not both");
	options->reading = (DiffReading){
	        .input = &options->input,
	        .counted = options->counted,
	        .keeps_samples = options->compat,
	        .strip_hex = options->strip_hex,
	        .normalize = options->normalize && !options->compat,
	        .base_work = options->base_work,
	        .head_work = options->head_work,
	};
	/* Tooltips of other tools count samples; --stackcollapse asks for the costs of the tool that it follows. */
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

static const Option option_rows[] = {
        {"output", 'o', OPTION_FILE, "FILE",
                "draw the differential flame graph into this file; with --compat, write the columns to it",
                offsetof(Options, out), .section = SECTION_OUTPUT},
        {"json", 0, OPTION_FLAG, NULL, "the function table as JSON", offsetof(Options, json),
                .section = SECTION_OUTPUT},
        {"rows", 0, OPTION_INT, "N", "functions shown (default 20, 0 = all)", offsetof(Options, rows),
                .section = SECTION_OUTPUT, .max = G_MAXINT, .mistake = ROWS_MISTAKE},
        {"counted", 0, OPTION_FLAG, NULL,
                "costs are counted, not sampled: compare them without tests (callgrind and DHAT always are)",
                offsetof(Options, counted), .section = SECTION_GENERAL},
        {"normalize", 'n', OPTION_FLAG, NULL, "scale base to the total of head", offsetof(Options, normalize),
                .section = SECTION_GENERAL},
        {"strip-hex", 's', OPTION_FLAG, NULL, "names with 0x1f2e in them are 0x...", offsetof(Options, strip_hex),
                .section = SECTION_GENERAL},
        {"negate", 0, OPTION_FLAG, NULL, "swap the sides: head is named first", offsetof(Options, negate),
                .section = SECTION_GENERAL},
        {"base-work", 0, OPTION_TEXT, "N", "units of work of one run of base", offsetof(Options, base_work_text),
                .section = SECTION_GENERAL},
        {"head-work", 0, OPTION_TEXT, "N", "the same of head", offsetof(Options, head_work_text),
                .section = SECTION_GENERAL},
        {"two-columns", 0, OPTION_FLAG, NULL, "files are folded stacks with a count of base and one of head",
                offsetof(Options, input.two_columns), .section = SECTION_GENERAL},
        {"compat", 0, OPTION_FLAG, NULL, "write folded stacks with two counts, as difffolded.pl does",
                offsetof(Options, compat), .section = SECTION_ADVANCED},
        {"colors", 0, OPTION_TEXT, "TOOL",
                "with --compat, draw the picture of flamegraph.pl or inferno, in its colours, instead",
                offsetof(Options, colors), .section = SECTION_ADVANCED, .choices = flame_compat_names},
        {"base-name", 0, OPTION_TEXT, "TEXT", "what the picture calls base, such as its commit (default: its file)",
                offsetof(Options, base_name), .section = SECTION_PICTURE},
        {"head-name", 0, OPTION_TEXT, "TEXT", "the same of head", offsetof(Options, head_name),
                .section = SECTION_PICTURE},
        COLOR_OPTION(Options, color),
        /* options of `firebreak flamegraph` that make no sense here */
        {"reverse", 0, OPTION_REFUSED, NULL,
                "colours follow functions along the paths that lead to them; draw the sides with firebreak flamegraph "
                "--reverse",
                0, .section = SECTION_HIDDEN},
        {"factor", 0, OPTION_REFUSED, "N", "table and picture show one cost; --base-work and --head-work divide it", 0,
                .section = SECTION_HIDDEN},
        {"total", 0, OPTION_REFUSED, "N", "widths are those of both sides; there is no whole besides them", 0,
                .section = SECTION_HIDDEN},
        {"hash", 0, OPTION_REFUSED, NULL, "colours show what changed, not names", 0, .section = SECTION_HIDDEN},
};

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {.rows = ROWS_BY_DEFAULT};
	options.input.keep_periods = options.input.may_be_empty = TRUE;
	g_auto(GStrv) marked = diff_arguments_mark(argv);
	g_auto(GStrv) rest = command_parse(command, &options, marked, &code);
	if (rest != NULL)
		code = check_options(command, &options);
	if (rest != NULL && code == 0)
		code = diff(command, &options, rest + 1);
	command_clear(command, &options);
	return code;
}

const Command diff_command = {
        .name = "diff",
        .arguments = "BASE... -- HEAD...",
        .summary = "compare two sets of recordings or folded stacks, function by function and as a picture",
        .description =
                "Reads everything that `firebreak fold` reads. Every file is one run. With 5 files or more of each "
                "side the functions are tested, file by file in the order given, at a level of 5 % over all of them. "
                "With fewer, changes are shown as not tested: even 4 runs that all agree may be chance. Two files need "
                "no `--`. What callgrind and DHAT counted is compared exactly.\n"
                "\n"
                "-n scales base to the total of head. With --compat the scaled counts are cut to whole numbers, as "
                "difffolded.pl does; otherwise they keep their fractions. With --colors, --negate is that of "
                "flamegraph.pl: frames are as wide as base, which shows what was removed. A picture that firebreak "
                "drew holds the profiles of both sides and can be read again, alone. It shows the widest 2,500 frames, "
                "none narrower than 0.02 % of the picture; --minwidth sets another width and shows all frames of at "
                "least that width, 0 shows all. The other options of the picture are those of `firebreak flamegraph`.",
        .examples = "  firebreak diff base.folded head.folded -o diff.svg\n"
                    "  firebreak diff base-*.data -- head-*.data -o diff.svg --base-name=1a2b3c4 --head-name=5d6e7f8\n"
                    "  firebreak diff --json callgrind.base callgrind.head\n"
                    "  firebreak diff --compat base.folded head.folded | flamegraph.pl >diff.svg\n"
                    "  firebreak diff --compat --colors=flamegraph.pl base.folded head.folded -o diff.svg\n"
                    "  firebreak diff --compat diff.svg",
        .exit_codes = "0, whatever differs; 2 for files that cannot be read as profiles and for options, 6 if the "
                      "sides do not count the same, others as of `firebreak fold`.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(picture_options, offsetof(Options, picture)),
                OPTION_GROUP(profile_diff_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .abbreviates = TRUE,
        .offer = OFFER_FILES,
        .run = run,
};
