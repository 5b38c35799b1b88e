/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/input/profileinput.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "profile/exchange/firefoxwrite.h"
#include "profile/exchange/pprofwrite.h"
#include "profile/exchange/speedscopewrite.h"
#include "profile/folded/folded.h"

#include <string.h>
#include <unistd.h>

#define EXPORTER "firebreak " FIREBREAK_VERSION

typedef struct {
	ProfileInputOptions input;
	char *to, *out, *time;
	char **base, **head, **labels;
	/* from `labels` and `time` */
	GPtrArray *pairs;
	gint64 time_s;
} Options;

/* The formats that can be written. */
typedef struct {
	const char *name;
	GString *(*write)(const ExportedProfile *exported); /* NULL: folded stacks, which depend on more */
	gboolean is_binary;
} Format;

static const Format formats[] = {
        {"pprof", pprof_write, TRUE},
        {"speedscope", speedscope_write, FALSE},
        {"firefox", firefox_write, FALSE},
        {"folded", NULL, FALSE},
};

static const Format *find_format(const char *name, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_strcmp0(name, formats[i].name) == 0)
			return &formats[i];
	if (name == NULL)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "name the format with --to: pprof, speedscope, firefox or folded");
	else
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "--to is pprof, speedscope, firefox or folded, not \"%s\"", name);
	return NULL;
}

/* A key as services take it: Pyroscope and Parca have those of Prometheus. */
static gboolean is_label(const char *text)
{
	const char *at = text;
	for (; g_ascii_isalpha(*at) || *at == '_' || (at > text && g_ascii_isdigit(*at)); at++) {
	}
	return at > text && *at == '=' && at[1] != '\0' && g_utf8_validate(at, -1, NULL);
}

static gboolean has_key(const GPtrArray *pairs, const char *key)
{
	for (guint i = 0; i < pairs->len; i += 2)
		if (strcmp(pairs->pdata[i], key) == 0)
			return TRUE;
	return FALSE;
}

/* Takes --label and --time apart: they are for pprof alone. */
static gboolean read_labels(Options *options, const Format *format, GError **error)
{
	if ((options->labels != NULL || options->time != NULL) && format->write != pprof_write)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--label and --time are for --to pprof");
	if (options->time != NULL &&
	        !g_ascii_string_to_signed(options->time, 10, 1, G_MAXINT64 / 1000000000, &options->time_s, NULL))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "--time takes seconds since 1970, as `git show -s --format=%%ct` prints them, not \"%s\"",
		        options->time);
	options->pairs = g_ptr_array_new_with_free_func(g_free);
	for (char **label = options->labels; label != NULL && *label != NULL; label++) {
		if (!is_label(*label))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "--label takes KEY=VALUE, such as benchmark=parse, with letters, digits and _ in the "
			        "key, not \"%s\"",
			        *label);
		char *value = strchr(*label, '=') + 1;
		g_autofree char *key = g_strndup(*label, (gsize)(value - *label) - 1);
		if (has_key(options->pairs, key))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--label %s is given twice", key);
		g_ptr_array_add(options->pairs, g_steal_pointer(&key));
		g_ptr_array_add(options->pairs, g_strdup(value));
	}
	g_ptr_array_add(options->pairs, NULL);
	return TRUE;
}

static gboolean has_stdin(char **files)
{
	return files != NULL && g_strv_contains((const char *const *)files, "-");
}

static gboolean check_sides(const Options *options, char **files, GError **error)
{
	gboolean has_base = options->base != NULL, has_head = options->head != NULL;
	if (has_base != has_head)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "a comparison needs --base and --head");
	if (has_base && files[0] != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "name each file of a comparison with --base or --head, not \"%s\" by itself", files[0]);
	return !(has_stdin(options->base) && has_stdin(options->head)) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "standard input can be read only once");
}

static gboolean check_output(const Options *options, const Format *format, char **files, GError **error)
{
	char **const lists[] = {files, options->base, options->head};
	if (format->is_binary && options->out == NULL && isatty(STDOUT_FILENO) == 1)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "a compressed profile is not for a terminal; name a file with -o");
	for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
		if (lists[i] != NULL && !output_is_no_input(options->out, lists[i], error))
			return FALSE;
	return TRUE;
}

/* Folded text and samples both count; other units must be the same. */
static const char *comparable_unit(const char *unit)
{
	return *unit == '\0' || strcmp(unit, "counts") == 0 ? "samples" : unit;
}

static const char *event_name(const Profile *profile)
{
	return *profile->event != '\0' ? profile->event : "a cost without a name";
}

static gboolean check_same_cost(const Profile *base, const Profile *head, GError **error)
{
	const char *base_unit = comparable_unit(base->unit), *head_unit = comparable_unit(head->unit);
	gboolean same_event = *base->event == '\0' || *head->event == '\0' || strcmp(base->event, head->event) == 0;
	return (same_event && strcmp(base_unit, head_unit) == 0) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	               "base is %s in %s, but head is %s in %s; --weight and --event choose what both have",
	               event_name(base), base_unit, event_name(head), head_unit);
}

static char *name_of_files(char **files)
{
	g_autofree char *first =
	        strcmp(files[0], "-") == 0 ? g_strdup("standard input") : g_path_get_basename(files[0]);
	guint n = g_strv_length(files);
	return n == 1 ? g_steal_pointer(&first) : g_strdup_printf("%s and %u more", first, n - 1);
}

static gboolean write_folded(const Options *options, const ExportedProfile *exported, GError **error)
{
	FoldedFlags flags = options->input.stackcollapse ? FOLDED_WEIGHT | FOLDED_AS_IS : FOLDED_WEIGHT;
	g_autofree char *text = exported->base != NULL ? folded_write_diff(exported->base, exported->head, flags)
	                                               : folded_write(exported->head, FOLDED_ALL_RUNS, flags);
	return output_write(options->out, text, error);
}

static gboolean write_out(const Options *options, const Format *format, const ExportedProfile *exported, GError **error)
{
	if (format->write == NULL)
		return write_folded(options, exported, error);
	GString *result = format->write(exported);
	gboolean ok = output_write_bytes(options->out, result->str, result->len, error);
	g_string_free(result, TRUE);
	return ok;
}

static gboolean export_one(const Options *options, const Format *format, char **files, GError **error)
{
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, files, error);
	if (input == NULL)
		return FALSE;
	g_autofree char *name = name_of_files(files);
	const ExportedProfile exported = {
	        .head = input->profile,
	        .name = name,
	        .exporter = EXPORTER,
	        .labels = (const char *const *)options->pairs->pdata,
	        .time_s = options->time_s,
	};
	profile_input_print_findings(input, &options->input);
	return write_out(options, format, &exported, error);
}

static gboolean export_comparison(const Options *options, const Format *format, GError **error)
{
	guint n_base = g_strv_length(options->base), n_head = g_strv_length(options->head);
	if (n_base != n_head)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "files of a side add up, so %u of base and %u of head cannot be compared; name as many of base "
		        "as of head",
		        n_base, n_head);
	g_autoptr(ProfileInput) base = profile_input_read(&options->input, options->base, error);
	if (base == NULL)
		return FALSE;
	g_autoptr(ProfileInput) head = profile_input_read(&options->input, options->head, error);
	if (head == NULL || !check_same_cost(base->profile, head->profile, error))
		return FALSE;
	if (!profile_match_scales(base->profile, head->profile))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "the counts of base and of head are too far apart to be compared");
	g_autoptr(Profile) joined = exported_copy(head->profile, base->profile->table);
	g_autofree char *base_name = name_of_files(options->base), *head_name = name_of_files(options->head);
	g_autofree char *name = g_strdup_printf("%s \342\206\222 %s", base_name, head_name);
	const ExportedProfile exported = {
	        .base = base->profile,
	        .head = joined,
	        .name = name,
	        .exporter = EXPORTER,
	        .labels = (const char *const *)options->pairs->pdata,
	        .time_s = options->time_s,
	};
	profile_input_print_findings(base, &options->input);
	profile_input_print_findings(head, &options->input);
	return write_out(options, format, &exported, error);
}

static int export(const Command *command, void *data, char **files)
{
	Options *options = data;
	g_autoptr(GError) error = NULL;
	const Format *format = find_format(options->to, &error);
	if (format == NULL || !check_sides(options, files, &error) || !check_output(options, format, files, &error))
		return profile_input_failed(command, error);
	/* this format has room for both */
	options->input.keep_periods = format->write == pprof_write;
	gboolean ok = read_labels(options, format, &error) &&
	              (options->base != NULL ? export_comparison(options, format, &error)
	                                     : export_one(options, format, files, &error));
	g_clear_pointer(&options->pairs, g_ptr_array_unref);
	return ok ? 0 : profile_input_failed(command, error);
}

static const char *const format_names[] = {"pprof", "speedscope", "firefox", "folded", NULL};

static const Option option_rows[] = {
        {"to", 't', OPTION_TEXT, "FORMAT", "pprof, speedscope, firefox or folded", offsetof(Options, to),
                .section = SECTION_OUTPUT, .choices = format_names},
        {"output", 'o', OPTION_FILE, "FILE", "write to this file", offsetof(Options, out), .section = SECTION_OUTPUT},
        {"base", 0, OPTION_FILES, "FILE", "a file of the base of a comparison (repeatable)", offsetof(Options, base),
                .section = SECTION_GENERAL},
        {"head", 0, OPTION_FILES, "FILE", "a file of the head of a comparison (repeatable)", offsetof(Options, head),
                .section = SECTION_GENERAL},
        {"label", 0, OPTION_TEXTS, "KEY=VALUE", "of pprof: a label of every sample (repeatable)",
                offsetof(Options, labels), .section = SECTION_OUTPUT},
        {"time", 0, OPTION_TEXT, "SECONDS", "of pprof: when it was measured, since 1970", offsetof(Options, time),
                .section = SECTION_OUTPUT},
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, ANY_ARGUMENTS, export);
}

const Command export_command = {
        .name = "export",
        .arguments = "FILE... | --base FILE --head FILE",
        .summary = "write a profile, or two that are compared, for pprof, speedscope or the Firefox Profiler",
        .description =
                "Reads everything that `firebreak fold` reads. Several files add up. In a comparison those of each "
                "side do, so both sides need the same number of files.\n"
                "\n"
                "  pprof       for go tool pprof and others: samples and their cost; of a comparison, base counts "
                "below 0 and\n"
                "              is labelled pprof::base\n"
                "  speedscope  for speedscope.app: of a comparison, base, head, and what head costs more\n"
                "  firefox     for profiler.firefox.com: of a comparison, base, head, and their difference\n"
                "  folded      as `firebreak fold` writes it; of a comparison, with a column for base and one for head",
        .examples = "  firebreak export perf.data --to pprof -o profile.pb.gz\n"
                    "  firebreak export parse.folded --to speedscope -o parse.speedscope.json\n"
                    "  firebreak export --base firebreak-out/parse.base.folded --head firebreak-out/parse.head.folded "
                    "--to firefox -o parse.json\n"
                    "  firebreak export parse.head.folded --to pprof --label commit=5d6e7f8 --label side=head -o "
                    "parse.pb.gz",
        .exit_codes = "as of `firebreak fold`.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(profile_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .offer = OFFER_FILES,
        .run = run,
};
