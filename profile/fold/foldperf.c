/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/foldperf.h"

#include "core/error.h"
#include "profile/fold/foldrecording.h"
#include "profile/fold/framenotes.h"
#include "profile/fold/rawlines.h"
#include "profile/fold/symbolframes.h"

#include <string.h>

/* Shares of all samples from which a gap in the names is worth a word. */
#define NOTABLE_UNKNOWN_SHARE .05
#define NOTABLE_MODULE_SHARE .01
#define NOTABLE_NO_DEBUG_SHARE .10
#define NOTABLE_INCOMPLETE_SHARE .05

typedef struct {
	RawRecording recording;
	Profile *profile;
	guint run;
	guint side;
	gboolean gaps_known; /* as of PerfFoldOptions */
} FoldRun;

/* Counts of the samples of one event, in all runs of both sides. */
typedef struct {
	const char *event; /* of its profiles */
	guint64 samples, unknown_leaves, incomplete;
	guint64 *module_leaves; /* samples whose leaf is in each module of the symbolizer */
} EventCounts;

struct PerfFold {
	SymbolChild *child;
	Unwinder *unwinder;
	FoldState state;
	SymbolFrames frames; /* resolved while finishing */
	char *symfs;
	guint notes;    /* as of PerfFoldOptions, of all recordings */
	GArray *runs;   /* of FoldRun */
	GArray *counts; /* of EventCounts; filled while finishing */
	gboolean finished;
};

static void run_clear(gpointer run)
{
	raw_recording_clear(&((FoldRun *)run)->recording);
}

static void counts_clear(gpointer counts)
{
	g_free(((EventCounts *)counts)->module_leaves);
}

PerfFold *perf_fold_new(StackTable *table)
{
	PerfFold *fold = g_new0(PerfFold, 1);
	fold->state.table = stack_table_ref(table);
	fold->child = symbol_child_new();
	fold->unwinder = unwinder_new(fold->child);
	fold->state.symbolizer = symbolizer_new(fold->child);
	fold->state.module_names = g_array_new(FALSE, FALSE, sizeof(NameId));
	fold->state.module_files = g_array_new(FALSE, FALSE, sizeof(NameId));
	raw_trie_init(&fold->state.trie);
	fold->runs = g_array_new(FALSE, FALSE, sizeof(FoldRun));
	g_array_set_clear_func(fold->runs, run_clear);
	fold->counts = g_array_new(FALSE, TRUE, sizeof(EventCounts));
	g_array_set_clear_func(fold->counts, counts_clear);
	symbol_frames_init(&fold->frames, fold->state.table, fold->state.symbolizer);
	return fold;
}

void perf_fold_free(PerfFold *fold)
{
	if (fold == NULL)
		return;
	symbol_frames_clear(&fold->frames);
	stack_table_unref(fold->state.table);
	symbolizer_free(fold->state.symbolizer);
	g_array_unref(fold->state.module_names);
	g_array_unref(fold->state.module_files);
	raw_trie_clear(&fold->state.trie);
	kernel_symbols_free(fold->state.kernel);
	g_clear_pointer(&fold->state.foreign_modules, g_array_unref);
	g_free(fold->state.foreign_origin);
	unwinder_free(fold->unwinder);
	symbol_child_free(fold->child);
	g_array_unref(fold->runs);
	g_free(fold->symfs);
	g_array_unref(fold->counts);
	g_free(fold);
}

static void add_options(PerfFold *fold, const PerfFoldOptions *options)
{
	fold->frames.no_inline |= options->no_inline;
	fold->frames.with_code |= options->with_code;
	fold->frames.files = options->as_recorded ? fold->state.module_files : fold->frames.files;
	fold->frames.wants_addresses |= options->addresses;
	fold->notes |= options->notes;
	if (options->symfs != NULL) {
		g_free(fold->symfs);
		fold->symfs = g_strdup(options->symfs);
	}
	symbol_frames_add_prefixes(&fold->frames, options->strip_prefixes);
}

/* Recordings of one profile must be of one event, or their weights are not comparable. What came from another kind of
 * file has a unit at least. */
static gboolean check_event(const PerfFold *fold, const Profile *profile, const RawRecording *recording, GError **error)
{
	if (*profile->event != '\0' && !g_str_equal(profile->unit, recording->unit)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "costs of %s are in %s, but those of the other files in %s", recording->event, recording->unit,
		        profile->unit);
		return FALSE;
	}
	for (guint i = 0; i < fold->runs->len; i++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, i);
		if (run->profile != profile || (run->recording.event_type == recording->event_type &&
		                                       run->recording.event_config == recording->event_config))
			continue;
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "recorded %s, but the other runs recorded %s", recording->event, run->recording.event);
		return FALSE;
	}
	return TRUE;
}

static void name_profile(Profile *profile, const RawRecording *recording)
{
	if (*profile->event != '\0')
		return;
	g_free(profile->event);
	g_free(profile->unit);
	profile->event = g_strdup(recording->event);
	profile->unit = g_strdup(recording->unit);
}

gboolean perf_fold_add(PerfFold *fold, const char *perf_data_path, Profile *profile, guint run,
        const PerfFoldOptions *options, RunQuality *quality, GError **error)
{
	FoldRun entry = {
	        .profile = profile,
	        .run = run,
	        .side = options != NULL ? options->side : 0,
	        .gaps_known = options != NULL && options->gaps_known,
	};
	g_assert(profile->table == fold->state.table && run < profile_n_runs(profile) && entry.side < N_SIDES);
	const RawRecordingSource source = {&fold->state, fold->unwinder, perf_data_path};
	if (options != NULL && options->symfs != NULL)
		unwinder_set_symfs(fold->unwinder, options->symfs);
	if (!raw_recording_read(&entry.recording, &source, options, error))
		return FALSE;
	if (!check_event(fold, profile, &entry.recording, error)) {
		g_prefix_error(error, "%s: ", perf_data_path);
		raw_recording_clear(&entry.recording);
		return FALSE;
	}
	if (options != NULL)
		add_options(fold, options);
	name_profile(profile, &entry.recording);
	if (quality != NULL)
		*quality = entry.recording.quality;
	g_array_append_val(fold->runs, entry);
	return TRUE;
}

gboolean perf_fold_has_own_code(const PerfFold *fold)
{
	return fold->frames.has_own_code;
}

CodeFacts *perf_fold_code_facts(const PerfFold *fold)
{
	return symbol_frames_code_facts(&fold->frames);
}

/* The sides that have each address of the symbolizer, as bits; owned by the caller. */
static guint8 *sides_of_addresses(const PerfFold *fold)
{
	guint n = fold->state.trie.stacks->len;
	g_autofree guint8 *stacks = g_new0(guint8, n);
	guint8 *addresses = g_new0(guint8, symbolizer_n_addresses(fold->state.symbolizer) + 1);
	for (guint r = 0; r < fold->runs->len; r++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, r);
		for (guint i = 1; i < run->recording.cells->len; i++)
			if (g_array_index(run->recording.cells, ProfileCell, i).samples > 0)
				stacks[i] |= (guint8)(1u << run->side);
	}
	/* Children come after their parents, so one pass from the end hands the sides of every stack on to all its
	 * callers. */
	for (guint i = n; i-- > 1;) {
		const RawStack *raw = raw_trie_get(&fold->state.trie, i);
		stacks[raw->parent] |= stacks[i];
		if (raw->frame.is_address)
			addresses[raw->frame.row] |= stacks[i];
	}
	return addresses;
}

/* The final stack of each raw one; parents come before their children. Owned by the caller. */
static StackId *resolve_stacks(PerfFold *fold)
{
	guint n = fold->state.trie.stacks->len;
	StackId *final = g_new0(StackId, n);
	FrameNotes notes;
	frame_notes_init(&notes, &fold->frames, fold->notes);
	final[0] = STACK_ROOT;
	for (guint i = 1; i < n; i++) {
		const RawStack *raw = raw_trie_get(&fold->state.trie, i);
		if (!raw->frame.is_address) {
			final[i] = frame_notes_push_frame(&notes, final[raw->parent], (FrameId){raw->frame.row});
			continue;
		}
		/* Nothing calls _start: what a walk found beyond it is no caller and is left out. */
		gboolean is_start = symbol_frames_address(&fold->frames, raw->frame.row)->is_start;
		StackId caller = final[is_start ? raw->root : raw->parent];
		final[i] = frame_notes_push_address(&notes, caller, raw->frame.row);
	}
	frame_notes_clear(&notes);
	return final;
}

/* The counts of the event, made if it is new; valid until the next call. */
static EventCounts *event_counts(PerfFold *fold, const char *event)
{
	for (guint i = 0; i < fold->counts->len; i++)
		if (g_str_equal(g_array_index(fold->counts, EventCounts, i).event, event))
			return &g_array_index(fold->counts, EventCounts, i);
	EventCounts counts = {.event = event};
	counts.module_leaves = g_new0(guint64, symbolizer_n_modules(fold->state.symbolizer) + 1);
	g_array_append_val(fold->counts, counts);
	return &g_array_index(fold->counts, EventCounts, fold->counts->len - 1);
}

/* A bucket that is not named well enough by itself. */
static gboolean is_nameless(const StackTable *table, FrameId frame)
{
	static const char *const named[] = {"[vdso]", "[vsyscall]", "[guest]", "[guest_kernel]", "[hypervisor]", NULL};
	return stack_table_get_frame(table, frame)->kind == FRAME_SYNTHETIC &&
	       !g_strv_contains(named, stack_table_frame_name(table, frame));
}

static void count_leaf(const PerfFold *fold, EventCounts *counts, const RawFrame *leaf, StackId stack, guint64 samples)
{
	const StackTable *table = fold->state.table;
	counts->samples += samples;
	if (is_nameless(table, stack_note_bearer(table, stack)))
		counts->unknown_leaves += samples;
	if (leaf->is_address)
		counts->module_leaves[symbolizer_address_module(fold->state.symbolizer, leaf->row)] += samples;
}

static void fill_profile(PerfFold *fold, const FoldRun *run, const StackId *final)
{
	const GArray *cells = run->recording.cells;
	EventCounts *counts = event_counts(fold, run->profile->event);
	counts->incomplete += run->gaps_known ? 0 : run->recording.quality.incomplete;
	for (guint i = 1; i < cells->len; i++) {
		ProfileCell cell = g_array_index(cells, ProfileCell, i);
		if (cell.samples == 0)
			continue;
		profile_add(run->profile, run->run, final[i], cell);
		count_leaf(fold, counts, &raw_trie_get(&fold->state.trie, i)->frame, final[i], cell.samples);
	}
}

static void report_module(
        const PerfFold *fold, const EventCounts *counts, const char *samples, guint module, FindingList *findings)
{
	SymbolizerReport report = symbolizer_report(fold->state.symbolizer, module);
	double share = (double)counts->module_leaves[module] / (double)counts->samples;
	if (report.failure != NULL && share >= NOTABLE_MODULE_SHARE)
		finding_add(findings, FINDING_WARNING, "module_not_readable", NULL,
		        "%.0f %% of the %s have no function names: %s", share * 100, samples, report.failure);
	else if (report.failure == NULL && !report.has_debug_info && share >= NOTABLE_NO_DEBUG_SHARE)
		finding_add(findings, FINDING_INFO, "no_debug_info", NULL,
		        "%s has no debug information: inlined functions and source files are not shown; build with -g",
		        report.path);
}

/* TRUE if names are missing because a file is gone or another one by now. */
static gboolean has_unreadable_module(const PerfFold *fold, const EventCounts *counts)
{
	for (guint i = 0; i < symbolizer_n_modules(fold->state.symbolizer); i++)
		if (symbolizer_report(fold->state.symbolizer, i).failure != NULL &&
		        (double)counts->module_leaves[i] >= NOTABLE_MODULE_SHARE * (double)counts->samples)
			return TRUE;
	return FALSE;
}

/* Tells of names that are missing because the recording is of another machine. */
static void report_foreign(const PerfFold *fold, const EventCounts *counts, const char *samples, FindingList *findings)
{
	const GArray *foreign = fold->state.foreign_modules;
	guint64 leaves = 0;
	guint nameless = 0;
	for (guint i = 0; foreign != NULL && i < foreign->len; i++) {
		if (!g_array_index(foreign, gboolean, i) ||
		        symbolizer_report(fold->state.symbolizer, i).failure == NULL)
			continue;
		leaves += counts->module_leaves[i];
		nameless++;
	}
	if (nameless == 0)
		return;
	const char *origin = *fold->state.foreign_origin != '\0' ? fold->state.foreign_origin : "an unknown machine";
	finding_add(findings, FINDING_WARNING, "other_machine", NULL,
	        "%u %s with %.0f %% of the %s %s no function names: the recording is of %s, and no file here is proved "
	        "to be the recorded one; put its object or debug files into ~/.debug or /usr/lib/debug/.build-id, or "
	        "name a folder with copies of its files by --symfs (--symfs / takes those of this machine)",
	        nameless, nameless == 1 ? "module" : "modules", 100 * (double)leaves / (double)counts->samples, samples,
	        nameless == 1 ? "has" : "have", origin);
}

/* Shares are of the samples of one event; which one is said where there are several. */
static void report_gaps(const PerfFold *fold, const EventCounts *counts, FindingList *findings)
{
	g_autofree char *of = fold->counts->len > 1 ? g_strconcat(" of ", counts->event, NULL) : g_strdup("");
	g_autofree char *samples = g_strconcat("samples", of, NULL);
	double unknown = (double)counts->unknown_leaves / (double)counts->samples;
	if (unknown >= NOTABLE_UNKNOWN_SHARE)
		finding_add(findings, FINDING_WARNING, "unknown_functions", NULL,
		        "%.0f %% of the %s are in functions without a name%s", unknown * 100, samples,
		        has_unreadable_module(fold, counts) ? "" : "; build with symbols");
	double incomplete = (double)counts->incomplete / (double)counts->samples;
	if (incomplete > NOTABLE_INCOMPLETE_SHARE)
		finding_add(findings, FINDING_WARNING, "stacks_incomplete", NULL,
		        "%.0f %% of the stacks%s end before the root of the program; record more stack with each "
		        "sample (firebreak record --call-graph leaf,32768, perf record --call-graph dwarf,32768)",
		        incomplete * 100, of);
	report_foreign(fold, counts, samples, findings);
	for (guint i = 0; i < symbolizer_n_modules(fold->state.symbolizer); i++)
		report_module(fold, counts, samples, i, findings);
}

static void report_all_gaps(const PerfFold *fold, FindingList *findings)
{
	gboolean any = FALSE;
	for (guint i = 0; i < fold->counts->len; i++) {
		const EventCounts *counts = &g_array_index(fold->counts, EventCounts, i);
		any |= counts->samples > 0;
		if (counts->samples > 0)
			report_gaps(fold, counts, findings);
	}
	const GError *problem = unwinder_problem(fold->unwinder);
	if (problem != NULL)
		finding_add(findings, FINDING_WARNING, "unwinding_limited", NULL,
		        "some callers are missing in stacks: %s", problem->message);
	if (any && fold->state.is_kernel_nameless)
		finding_add(findings, FINDING_INFO, "kernel_names_unknown", NULL,
		        "functions of the kernel have no names: the recording is not of this machine since its last "
		        "boot, or kernel.kptr_restrict hides them");
}

gboolean perf_fold_finish(PerfFold *fold, FindingList *findings, GError **error)
{
	/* Names are resolved for all recordings at once, since reading an object file costs far more than asking it for
	 * one address more. So nothing can be added, or finished, a second time. */
	if (fold->finished) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "profiles are finished already");
		return FALSE;
	}
	fold->finished = TRUE;
	const SymbolizerOptions naming = {.symfs = fold->symfs,
	        .with_code = fold->frames.with_code,
	        .with_lines = (fold->notes & 1u << NOTE_LINE) != 0};
	symbolizer_set_options(fold->state.symbolizer, &naming);
	symbolizer_resolve(fold->state.symbolizer);
	g_autofree guint8 *sides = sides_of_addresses(fold);
	symbol_frames_resolve(&fold->frames, fold->state.module_names, sides);
	g_autofree StackId *final = resolve_stacks(fold);
	for (guint i = 0; i < fold->runs->len; i++)
		fill_profile(fold, &g_array_index(fold->runs, FoldRun, i), final);
	if (findings != NULL)
		report_all_gaps(fold, findings);
	return TRUE;
}

/* Adds up all runs of a side that the tally takes, by raw stack. The caller owns the sums. */
static LineShare *costs_of_side(const PerfFold *fold, LineTally *tally, guint wanted)
{
	guint side;
	LineShare *costs = g_new0(LineShare, fold->state.trie.stacks->len);
	for (guint r = 0; r < fold->runs->len; r++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, r);
		if (!line_tally_takes_run(tally, run->profile, run->run, &side) || side != wanted)
			continue;
		for (guint i = 1; i < run->recording.cells->len; i++) {
			const ProfileCell *cell = &g_array_index(run->recording.cells, ProfileCell, i);
			costs[i].weight += (double)cell->weight;
			costs[i].samples += (double)cell->samples;
		}
	}
	return costs;
}

LineCosts *perf_fold_line_costs(PerfFold *fold, const LineCostQuery *query)
{
	g_assert(fold->finished);
	g_autoptr(LineTally) tally = line_tally_new(fold->state.table, query);
	AddressLinesSource asked = {.child = fold->child, .frames = &fold->frames, .symfs = fold->symfs};
	asked.is_wanted = line_tally_wanted(tally, &asked.n_frames);
	g_autoptr(AddressLines) lines = address_lines_new(&asked);
	for (guint side = 0; side < N_SIDES; side++) {
		g_autofree LineShare *costs = costs_of_side(fold, tally, side);
		const RawLinesSource source = {&fold->state.trie, &fold->frames, lines, costs, side};
		raw_lines_add(tally, &source);
	}
	return line_tally_finish(tally, fold->state.symbolizer, lines);
}
