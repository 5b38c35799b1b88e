/* SPDX-License-Identifier: Apache-2.0 */
/* Records made up, and real perf events on real programs; the latter skipped, saying why, where they cannot be opened.
 */
#include "runner/record/samplefilter.h"

#include "core/child.h"
#include "core/error.h"
#include "profile/perfdata/processmaps.h"
#include "runner/events/eventparse.h"
#include "runner/record/recorder.h"
#include "runner/record/recordlayout.h"
#include "runner/record/stackpiece.h"
#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CODE 0x400000u
#define STACK G_GUINT64_CONSTANT(0x7ff000000000)
#define SECRET G_GUINT64_CONSTANT(0x7365637265743231)

enum { PID = 7, STACK_WORDS = 16 };

#if defined __x86_64__ || defined __aarch64__
#define MACHINE_KNOWN 1
#else
#define MACHINE_KNOWN 0
#endif

static struct perf_event_attr make_attr(RecorderStacks stacks)
{
	struct perf_event_attr attr = {.size = sizeof attr,
	        .type = PERF_TYPE_SOFTWARE,
	        .config = PERF_COUNT_SW_CPU_CLOCK,
	        .sample_type = RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN,
	        .sample_id_all = 1};
	sample_filter_extend(&attr, stacks, STACK_WORDS * 8);
	return attr;
}

typedef struct {
	struct perf_event_attr attr;
	SampleFilter *filter;
	GByteArray *in, *out;
	guint64 incomplete;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->attr = make_attr(RECORDER_LEAF_REPAIR);
	f->filter = sample_filter_new(&f->attr, RECORDER_LEAF_REPAIR);
	f->in = g_byte_array_new();
	f->out = g_byte_array_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	sample_filter_free(f->filter);
	g_byte_array_unref(f->in);
	g_byte_array_unref(f->out);
	g_free(f);
	return 0;
}

static void add_words(Fixture *f, const guint64 *words, guint n)
{
	g_byte_array_append(f->in, (const guint8 *)words, n * (guint)sizeof *words);
}

static void begin(Fixture *f, guint32 type)
{
	struct perf_event_header header = {.type = type, .misc = PERF_RECORD_MISC_USER};
	g_byte_array_set_size(f->in, 0);
	g_byte_array_append(f->in, (const guint8 *)&header, sizeof header);
}

static void finish(Fixture *f)
{
	struct perf_event_header header = record_header(f->in->data);
	header.size = (guint16)f->in->len;
	memcpy(f->in->data, &header, sizeof header);
	g_byte_array_set_size(f->out, 0);
}

static gboolean pass(Fixture *f, GError **error)
{
	finish(f);
	return sample_filter_pass(f->filter, f->in->data, f->in->len, f->out, &f->incomplete, error);
}

static void add_mapping_of(Fixture *f, const char *path)
{
	/* pid and tid, start, length, offset, 24 bytes of identity, protection, path; pid and tid, time, cpu, id */
	guint64 body[] = {
	        (guint64)PID << 32 | PID, CODE, 0x1000, 0, 0, 0, 0, 5, 0, 0, (guint64)PID << 32 | PID, 1, 0, 9};
	memcpy(&body[8], path, strlen(path));
	begin(f, PERF_RECORD_MMAP2);
	add_words(f, body, G_N_ELEMENTS(body));
	assert_true(pass(f, NULL));
}

static void add_mapping(Fixture *f)
{
	add_mapping_of(f, "//anon");
}

typedef struct {
	guint64 chain[4];
	guint chain_length;
	guint64 frame_pointer; /* 0 = no registers at all */
	guint64 stack[STACK_WORDS];
} Sample;

/* The registers of the machine the tests run on, in perf's order. */
static void add_registers(Fixture *f, const Sample *sample)
{
	const guint64 no_abi = 0, abi_64 = 2;
#ifdef __x86_64__
	const guint frame_pointer = 6, stack_pointer = 7, instruction = 8;
#else
	const guint frame_pointer = 29, stack_pointer = 31, instruction = 32;
#endif
	add_words(f, sample->frame_pointer != 0 ? &abi_64 : &no_abi, 1);
	for (guint i = 0; i < 64 && sample->frame_pointer != 0; i++) {
		guint64 value = i == frame_pointer   ? sample->frame_pointer
		                : i == stack_pointer ? STACK
		                : i == instruction   ? CODE + 8
		                                     : SECRET;
		if ((f->attr.sample_regs_user >> i & 1) != 0)
			add_words(f, &value, 1);
	}
}

static void begin_sample(Fixture *f, const Sample *sample)
{
	guint64 fixed[] = {9, CODE + 8, (guint64)PID << 32 | PID, 3, 4, 5}, n = sample->chain_length;
	begin(f, PERF_RECORD_SAMPLE);
	add_words(f, fixed, G_N_ELEMENTS(fixed));
	add_words(f, &n, 1);
	add_words(f, sample->chain, sample->chain_length);
}

static gboolean pass_sample(Fixture *f, const Sample *sample, GError **error)
{
	const guint64 size = sizeof sample->stack, none = 0;
	begin_sample(f, sample);
	add_registers(f, sample);
	if (sample->frame_pointer != 0) {
		add_words(f, &size, 1);
		add_words(f, sample->stack, STACK_WORDS);
		add_words(f, &size, 1);
	} else {
		add_words(f, &none, 1);
	}
	return pass(f, error);
}

/* Two functions with frame pointers, interrupted in one of them, with the kernel's part before. */
static Sample framed_sample(void)
{
	Sample sample = {.chain = {PERF_DATA_MARKER_USER, CODE + 8, CODE + 16},
	        .chain_length = 3,
	        .frame_pointer = STACK + 16,
	        .stack = {SECRET, SECRET, 0, CODE + 16}};
	return sample;
}

static gboolean contains(const GByteArray *bytes, guint64 word)
{
	return memmem(bytes->data, bytes->len, &word, sizeof word) != NULL;
}

static void assert_chain(const Fixture *f, const guint64 *expected, guint n)
{
	struct perf_event_header header = record_header(f->out->data);
	assert_int_equal(header.size, f->out->len);
	assert_int_equal(f->out->len, SAMPLE_FIXED_BYTES + (1 + n) * sizeof(guint64));
	assert_int_equal(record_u64(f->out->data, SAMPLE_FIXED_BYTES), n);
	for (guint i = 0; i < n; i++)
		assert_int_equal(record_u64(f->out->data, SAMPLE_FIXED_BYTES + (1 + i) * sizeof(guint64)), expected[i]);
}

/* --- records --- */

static void registers_and_stack_go_nowhere(void **state)
{
	Fixture *f = *state;
	Sample sample = framed_sample();
	add_mapping(f);
	assert_true(pass_sample(f, &sample, NULL));
	assert_true(contains(f->in, SECRET));
	assert_false(contains(f->out, SECRET));
	assert_chain(f, sample.chain, 3);
	assert_int_equal(record_u64(f->out->data, SAMPLE_PERIOD_AT), 5);
}

static void the_kernels_frames_stay_before_those_of_user_space(void **state)
{
	Fixture *f = *state;
	Sample sample = framed_sample();
	const guint64 chain[] = {PERF_DATA_MARKER_KERNEL, 0xffffffff81000000, PERF_DATA_MARKER_USER, CODE + 8},
	              expected[] = {chain[0], chain[1], chain[2], chain[3], CODE + 16};
	memcpy(sample.chain, chain, sizeof chain);
	sample.chain_length = G_N_ELEMENTS(chain);
	add_mapping(f);
	assert_true(pass_sample(f, &sample, NULL));
	assert_chain(f, expected, G_N_ELEMENTS(expected));
}

static void a_sample_of_no_user_space_keeps_its_chain(void **state)
{
	Fixture *f = *state;
	Sample sample = {.chain = {PERF_DATA_MARKER_KERNEL, 0xffffffff81000000}, .chain_length = 2};
	assert_true(pass_sample(f, &sample, NULL));
	assert_chain(f, sample.chain, 2);
	assert_int_equal(f->incomplete, 0);
}

static void a_stack_without_a_root_is_counted(void **state)
{
	Fixture *f = *state;
	Sample sample = framed_sample();
	sample.chain_length = 2;
	sample.frame_pointer = STACK + sizeof sample.stack;
	add_mapping(f);
	assert_true(pass_sample(f, &sample, NULL));
	assert_chain(f, sample.chain, 2);
	assert_int_equal(f->incomplete, 1);
}

static void other_records_pass_as_they_are(void **state)
{
	Fixture *f = *state;
	const guint64 lost[] = {1, 26, (guint64)PID << 32 | PID, 1, 0, 9};
	begin(f, PERF_RECORD_LOST);
	add_words(f, lost, G_N_ELEMENTS(lost));
	assert_true(pass(f, NULL));
	assert_int_equal(f->out->len, f->in->len);
	assert_memory_equal(f->out->data, f->in->data, f->in->len);
}

static void a_chain_longer_than_its_sample_is_an_error(void **state)
{
	Fixture *f = *state;
	const guint64 n = 1000;
	g_autoptr(GError) error = NULL;
	Sample sample = framed_sample();
	assert_true(pass_sample(f, &sample, NULL));
	memcpy(f->in->data + SAMPLE_FIXED_BYTES, &n, sizeof n);
	assert_false(pass(f, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_int_equal(f->out->len, 0);
}

static void a_record_of_another_size_than_it_says_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	add_mapping(f);
	assert_false(sample_filter_pass(f->filter, f->in->data, f->in->len - 8, f->out, &f->incomplete, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
}

/* Whatever a sample holds, it is refused or becomes one whole record without registers and stack. */
static void random_samples_do_no_harm(void **state)
{
	Fixture *f = *state;
	g_autoptr(GRand) random = g_rand_new_with_seed(21);
	Sample sample = framed_sample();
	add_mapping(f);
	for (guint i = 0; i < 20000; i++) {
		pass_sample(f, &sample, NULL);
		for (guint n = g_rand_int(random) % 8; n > 0; n--) {
			gsize at = 8 + g_rand_int(random) % (f->in->len - 8);
			f->in->data[at] = (guint8)(g_rand_int(random) % (at % 2 == 0 ? 256 : 4));
		}
		g_byte_array_set_size(f->in, f->in->len - 8 * (g_rand_int(random) % 4));
		if (!pass(f, NULL))
			continue;
		assert_true(f->out->len >= SAMPLE_FIXED_BYTES + 8);
		assert_int_equal(record_header(f->out->data).size, f->out->len);
		guint64 n = record_u64(f->out->data, SAMPLE_FIXED_BYTES);
		assert_int_equal(f->out->len, SAMPLE_FIXED_BYTES + 8 * (n + 1));
	}
}

/* --- attributes --- */

static void frame_pointers_ask_for_nothing_more(void **state)
{
	static const RecorderStacks simple[] = {RECORDER_FRAME_POINTERS, RECORDER_NO_STACKS};
	Fixture *f = *state;
	for (guint i = 0; i < G_N_ELEMENTS(simple); i++) {
		struct perf_event_attr attr = make_attr(simple[i]);
		assert_int_equal(attr.sample_type, RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN);
		assert_int_equal(attr.sample_stack_user, 0);
		g_autoptr(SampleFilter) filter = sample_filter_new(&attr, simple[i]);
		Sample sample = framed_sample();
		begin_sample(f, &sample);
		finish(f);
		assert_true(sample_filter_pass(filter, f->in->data, f->in->len, f->out, &f->incomplete, NULL));
		assert_memory_equal(f->out->data, f->in->data, f->in->len);
	}
}

static void the_attribute_of_the_file_has_no_registers_and_stack(void **state)
{
	(void)state;
	struct perf_event_attr plain = make_attr(RECORDER_FRAME_POINTERS), dwarf = make_attr(RECORDER_DWARF);
	assert_int_not_equal(memcmp(&plain, &dwarf, sizeof plain), 0);
	sample_filter_reduce(&dwarf);
	assert_memory_equal(&plain, &dwarf, sizeof plain);
}

static void any_wish_for_stack_is_one_that_the_kernel_takes(void **state)
{
	static const guint wishes[] = {0, 1, 100, 65528, 65535, G_MAXUINT - 3, G_MAXUINT};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(wishes); i++) {
		struct perf_event_attr attr = {0};
		sample_filter_extend(&attr, RECORDER_DWARF, wishes[i]);
		assert_true(attr.sample_stack_user > 0 && attr.sample_stack_user <= 65528);
		assert_int_equal(attr.sample_stack_user % 8, 0);
	}
}

/* --- real programs --- */

/* Spends its time in one function of the C library, whose callers are known. */
static const char program_text[] =
        "#include <stdlib.h>\n"
        "#include <string.h>\n"
        "enum { N = 100000 };\n"
        "static int numbers[N];\n"
        "static char text[2][4096], bytes[2][16384];\n"
        "static volatile int sink;\n"
        "#define HERE __attribute__((noinline))\n"
        "#define DONE __asm__ volatile(\"\" ::: \"memory\")\n"
        "HERE int compare(const void *a, const void *b)\n"
        "{ int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }\n"
        "HERE void fill(void) { for (unsigned i = 0; i < N; i++) numbers[i] = (int)(i * 2654435761u >> 7); DONE; }\n"
        "HERE void by_qsort(void) { fill(); qsort(numbers, N, sizeof *numbers, compare); DONE; }\n"
        "HERE void by_memcpy(void)\n"
        "{ for (int i = 0; i < 40000; i++) { memcpy(bytes[0], bytes[1], sizeof *bytes - (i & 1)); DONE; } }\n"
        "HERE void by_strcmp(void)\n"
        "{ for (int i = 0; i < 100000; i++) { sink += strcmp(text[0], text[1]); DONE; } }\n"
        "HERE void work(const char *what)\n"
        "{ for (int i = 0; i < 10; i++) {\n"
        "	if (*what == 'q') by_qsort(); else if (*what == 'm') by_memcpy(); else by_strcmp(); } DONE; }\n"
        "int main(int argc, char **argv)\n"
        "{ memset(text, 'a', sizeof text); text[0][4095] = text[1][4095] = 0; work(argv[argc - 1]); DONE;\n"
        "  return 0; }\n";

static const char *const functions[] = {"compare", "fill", "by_qsort", "by_memcpy", "by_strcmp", "by_snprintf",
        "by_strtod", "work", "main", "neighbour", "at_entry", "handler"};

typedef struct {
	char *folder, *program, *data;
	PerfAbilities abilities;
	FindingList *findings;
	Extent extents[G_N_ELEMENTS(functions)];
	RecorderCounts counts;
	ProcessMaps *maps;
	GString *frames;
	GRegex *expected;
	guint n_samples, n_right, n_in_handler, n_without_main;
	char *first_wrong;
} Live;

static int live_set_up(void **state)
{
	Live *live = g_new0(Live, 1);
	live->folder = new_folder();
	live->data = g_build_filename(live->folder, "perf.data", NULL);
	live->findings = finding_list_new();
	live->maps = process_maps_new(NULL);
	live->frames = g_string_new(NULL);
	*state = live;
	return 0;
}

static int live_tear_down(void **state)
{
	Live *live = *state;
	remove_folder(live->folder);
	finding_list_free(live->findings);
	process_maps_free(live->maps);
	g_string_free(live->frames, TRUE);
	g_clear_pointer(&live->expected, g_regex_unref);
	g_free(live->folder);
	g_free(live->program);
	g_free(live->data);
	g_free(live->first_wrong);
	g_free(live);
	return 0;
}

static void build_from(Live *live, const char *options, const char *text)
{
	g_autoptr(GError) error = NULL;
	if (!MACHINE_KNOWN || !perf_probe(&live->abilities, live->findings, &error)) {
		print_message("skipped: %s\n", error != NULL ? error->message : "no unwinding on this machine");
		skip();
	}
	live->program = compile(live->folder, "gcc", options, "program.c", text, "program");
	if (live->program == NULL) {
		print_message("skipped: no gcc\n");
		skip();
	}
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
		live->extents[i] = find_function(live->program, functions[i]);
}

static void build(Live *live, const char *options)
{
	build_from(live, options, program_text);
}

static gboolean drain(gpointer data, GError **error)
{
	return recorder_drain(data, error);
}

static void record_pieces(Live *live, const char *what, RecorderStacks stacks, guint bytes, gboolean weigh)
{
	static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
	const char *argv[] = {live->program, what, NULL};
	int cpu = 0;
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) specs = g_array_new(FALSE, FALSE, sizeof(PerfEventSpec));
	ChildSpec spec = {.argv = argv, .envp = environment, .cwd = "/", .cpus = &cpu, .n_cpus = 1};
	g_array_set_clear_func(specs, (GDestroyNotify)perf_event_spec_clear);
	assert_true(perf_events_parse("cpu-clock:u", specs, &error));
	RecorderEvent event = {.spec = g_array_index(specs, PerfEventSpec, 0), .frequency_hz = 4999};
	RecorderPlan plan = {
	        .events = &event, .n_events = 1, .stacks = stacks, .stack_bytes = bytes, .weigh_pieces = weigh};
	g_autoptr(Child) child = child_prepare(&spec, &error);
	assert_null(error);
	g_autoptr(Recorder) recorder =
	        recorder_open(&plan, child_pid(child), &cpu, 1, live->data, live->findings, &error);
	assert_null(error);
	child_release(child);
	assert_true(child_wait_all(&child, 1, &(ChildDuties){.tick = drain, .data = recorder}, &error));
	assert_true(recorder_finish(recorder, &live->counts, &error));
}

static void record(Live *live, const char *what, RecorderStacks stacks)
{
	record_pieces(live, what, stacks, 0, FALSE);
}

/* The function of the program; "?" elsewhere in it, "-" in the C library, "!" anywhere else. */
static const char *name_of(const Live *live, gint32 pid, guint64 address)
{
	guint module;
	guint64 offset;
	if (!process_maps_find(live->maps, pid, address, &module, &offset))
		return "!";
	const char *path = process_maps_module(live->maps, module)->path;
	if (strcmp(path, live->program) != 0)
		return strstr(path, "/libc.so") != NULL ? "-" : "!";
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
		if (offset - live->extents[i].offset < live->extents[i].size)
			return functions[i];
	return "?";
}

/* Samples of the dynamic linker at the start are no matter of this test. */
static void look_at_record(gpointer data, const PerfDataRecord *record)
{
	Live *live = data;
	guint n = 0;
	if (record->kind != PERF_DATA_SAMPLE) {
		process_maps_apply(live->maps, record);
		return;
	}
	g_string_truncate(live->frames, 0);
	for (guint i = 0; i < record->sample.chain_length; i++) {
		guint64 address = record->sample.chain[i];
		if (address < PERF_DATA_FIRST_MARKER)
			g_string_append_printf(
			        live->frames, "%s ", name_of(live, record->pid, n++ == 0 ? address : address - 1));
	}
	if (live->frames->str[0] == '!')
		return;
	live->n_samples++;
	live->n_in_handler += g_str_has_prefix(live->frames->str, "handler");
	/* not those of the dynamic linker, before main */
	live->n_without_main +=
	        strstr(live->frames->str, "at_entry") != NULL && strstr(live->frames->str, "main") == NULL;
	if (g_regex_match(live->expected, live->frames->str, 0, NULL))
		live->n_right++;
	else if (live->first_wrong == NULL)
		live->first_wrong = g_strdup(live->frames->str);
}

/* The share of samples whose frames, leaf first, are as expected. */
static double share_right(Live *live, const char *expected)
{
	PerfDataVisitor visitor = {.record = look_at_record};
	g_autoptr(GError) error = NULL;
	live->expected = g_regex_new(expected, 0, 0, &error);
	assert_null(error);
	assert_true(perfdata_read(live->data, &visitor, live, NULL, &error));
	assert_true(live->n_samples > 50);
	print_message("%u of %u samples as expected; %" G_GUINT64_FORMAT " incomplete; first other: %s\n",
	        live->n_right, live->n_samples, live->counts.incomplete,
	        live->first_wrong != NULL ? live->first_wrong : "none");
	return (double)live->n_right / live->n_samples;
}

#define WITH_FRAME_POINTERS "-O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls"
#define WITHOUT_FRAME_POINTERS "-O2 -fomit-frame-pointer -fno-optimize-sibling-calls"
/* a stub of the linkage table, or the C library */
#define IN_LIBRARY "^([?] )?(- )*"
#define TO_MAIN " work main - $"
#define TO_START " work main (- )*[?] $"
/* qsort() calls its callback, and memcpy() through its own linkage table; the caller fills the numbers first */
#define SORTING "^(compare |fill |[?] )?(- )*"

static void qsort_and_its_callback_have_their_callers(void **state)
{
	Live *live = *state;
	build(live, WITH_FRAME_POINTERS);
	record(live, "qsort", RECORDER_LEAF_REPAIR);
	assert_true(share_right(live, SORTING "by_qsort" TO_MAIN) >= .99);
	assert_true((double)live->counts.incomplete <= .01 * (double)live->counts.samples);
}

static void memcpy_has_its_caller(void **state)
{
	Live *live = *state;
	build(live, WITH_FRAME_POINTERS);
	record(live, "memcpy", RECORDER_LEAF_REPAIR);
	assert_true(share_right(live, IN_LIBRARY "by_memcpy" TO_MAIN) >= .99);
}

static void strcmp_has_its_caller(void **state)
{
	Live *live = *state;
	build(live, WITH_FRAME_POINTERS);
	record(live, "strcmp", RECORDER_LEAF_REPAIR);
	assert_true(share_right(live, IN_LIBRARY "by_strcmp" TO_MAIN) >= .99);
}

/* This is the reason for all the others. If it fails, the C library keeps frame pointers, and the tests above show
 * nothing. */
static void frame_pointers_alone_lose_the_caller_of_strcmp(void **state)
{
	Live *live = *state;
	build(live, WITH_FRAME_POINTERS);
	record(live, "strcmp", RECORDER_FRAME_POINTERS);
	assert_true(share_right(live, IN_LIBRARY "by_strcmp" TO_MAIN) < .5);
}

static void a_program_without_frame_pointers_is_walked_to_its_root(void **state)
{
	static const char *const expected[][2] = {{"qsort", SORTING "by_qsort" TO_START},
	        {"memcpy", IN_LIBRARY "by_memcpy" TO_START}, {"strcmp", IN_LIBRARY "by_strcmp" TO_START}};
	Live *live = *state;
	build(live, WITHOUT_FRAME_POINTERS);
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		record(live, expected[i][0], RECORDER_DWARF);
		assert_true(share_right(live, expected[i][1]) >= .99);
		g_clear_pointer(&live->expected, g_regex_unref);
		live->n_samples = live->n_right = 0;
	}
}

/* Functions of the C library that are built without frame pointers and use much stack, below a main() that does, too.
 */
static const char large_frames_text[] =
        "#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "static char line[400];\n"
        "static volatile double sum;\n"
        "#define HERE __attribute__((noinline))\n"
        "#define DONE __asm__ volatile(\"\" ::: \"memory\")\n"
        "HERE void by_snprintf(double x) { snprintf(line, sizeof line, \"%.17g\", x); DONE; }\n"
        "HERE void by_strtod(void) { sum += strtod(line, NULL); DONE; }\n"
        "HERE int compare(const void *a, const void *b)\n"
        "{ double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }\n"
        "HERE void by_qsort(double *v) { qsort(v, 40, sizeof *v, compare); DONE; }\n"
        "HERE void work(char *far)\n"
        "{ double v[40]; for (int i = 0; i < 150000; i++) {\n"
        "    for (int k = 0; i % 16 == 0 && k < 40; k++) v[k] = (k * 7 % 40) * 1.1;\n"
        "    by_snprintf(1e-3 * i + v[0]); by_strtod(); if (i % 16 == 0) by_qsort(v); far[i % 4096] = line[0]; } DONE; "
        "}\n"
        "int main(void) { char far[4096]; work(far); DONE; return far[1] == 0; }\n";

static double share_incomplete(const Live *live)
{
	return (double)live->counts.incomplete / (double)live->counts.samples;
}

/* A stack is only as deep as the piece that was taken of it. */
static void the_size_that_was_weighed_gives_whole_stacks(void **state)
{
	Live *live = *state;
	build_from(live, WITH_FRAME_POINTERS, large_frames_text);
	record(live, "", RECORDER_LEAF_REPAIR);
	double usual = share_incomplete(live);
	record_pieces(live, "", RECORDER_LEAF_REPAIR, 0, TRUE);
	const StackPieceCounts *weighed = &live->counts.pieces;
	guint chosen = stack_piece_choose(&weighed, 1, RECORDER_LEAF_REPAIR);
	record_pieces(live, "", RECORDER_LEAF_REPAIR, chosen, FALSE);
	print_message("%.1f %% incomplete with %u bytes, %.1f %% with %u\n", usual * 100,
	        stack_piece_usual(RECORDER_LEAF_REPAIR), share_incomplete(live) * 100, chosen);
	assert_true(usual > .05);
	assert_true(chosen > stack_piece_usual(RECORDER_LEAF_REPAIR));
	assert_true(share_incomplete(live) <= .01);
	assert_true(share_right(live, "^([?] |compare )?(- )*(by_[a-z]* )?work main - $") >= .98);
}

/* One that needs no more gets no more. */
static void a_program_of_small_frames_keeps_the_usual_piece(void **state)
{
	Live *live = *state;
	build(live, WITH_FRAME_POINTERS);
	record_pieces(live, "memcpy", RECORDER_LEAF_REPAIR, 0, TRUE);
	const StackPieceCounts *weighed = &live->counts.pieces;
	assert_true(weighed->samples > 50);
	assert_int_equal(
	        stack_piece_choose(&weighed, 1, RECORDER_LEAF_REPAIR), stack_piece_usual(RECORDER_LEAF_REPAIR));
}

/* A file that is gone, a child that died, a program that is not installed: all that was silent. */
static void a_recording_says_why_callers_are_missing(void **state)
{
	static const char vanishing_text[] = "#include <stdio.h>\n"
	                                     "static volatile unsigned long sink;\n"
	                                     "int main(int argc, char **argv)\n"
	                                     "{ if (remove(argv[0]) != 0) return argc;\n"
	                                     "  for (int i = 0; i < 50000000; i++) sink += (unsigned)i;\n"
	                                     "  return 0; }\n";
	Live *live = *state;
	build_from(live, WITH_FRAME_POINTERS, vanishing_text);
	record(live, "", RECORDER_LEAF_REPAIR);
	const Finding *last = finding_get(live->findings, finding_count(live->findings) - 1);
	assert_string_equal(last->code, "unwinding_limited");
	assert_non_null(strstr(last->text, live->program));
}

#ifdef __x86_64__

/* A timer interrupts a function whose first instruction is nearly all there is; one byte earlier is another one. */
static const char interrupted_text[] =
        "#include <signal.h>\n"
        "#include <sys/time.h>\n"
        "static volatile unsigned long sink;\n"
        "__attribute__((noinline)) void handler(int s)\n"
        "{ for (int i = 0; i < 2000000; i++) sink += (unsigned)s; }\n"
        "void at_entry(long n);\n"
        "__asm__(\".text\\n.globl neighbour\\n.type neighbour,@function\\nneighbour: .cfi_startproc\\n\"\n"
        "\"nop\\nud2\\n.cfi_endproc\\n.size neighbour,.-neighbour\\n\"\n"
        "\".globl at_entry\\n.type at_entry,@function\\nat_entry: .cfi_startproc\\n\"\n"
        "\"subq $1,%rdi\\njnz at_entry\\nret\\n.cfi_endproc\\n.size at_entry,.-at_entry\\n\");\n"
        "int main(void)\n"
        "{ struct itimerval t = {{0, 10000}, {0, 10000}};\n"
        "  signal(SIGALRM, handler); setitimer(ITIMER_REAL, &t, 0);\n"
        "  for (int i = 0; i < 6; i++) at_entry(100000000);\n"
        "  return 0; }\n";

static void a_function_that_a_signal_interrupted_has_its_own_name(void **state)
{
	static const struct {
		RecorderStacks stacks;
		const char *expected;
	} cases[] = {
	        /* the caller of at_entry lies beyond what the kernel saved of all registers */
	        {RECORDER_LEAF_REPAIR, "^(handler - at_entry (main )?- $|at_entry main - $)"},
	        {RECORDER_DWARF, "^(handler - )?at_entry main (- )*[?] $"},
	};
	Live *live = *state;
	build_from(live, WITH_FRAME_POINTERS, interrupted_text);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		record(live, "", cases[i].stacks);
		assert_true(share_right(live, cases[i].expected) >= .95);
		assert_true(live->n_in_handler > 0);
		if (cases[i].stacks == RECORDER_LEAF_REPAIR)
			assert_true(live->counts.incomplete >= live->n_without_main);
		g_clear_pointer(&live->expected, g_regex_unref);
		live->n_samples = live->n_right = live->n_in_handler = live->n_without_main = 0;
	}
}

#endif

/* --- what limits it --- */

static void a_program_whose_file_is_gone_is_a_problem(void **state)
{
	Fixture *f = *state;
	Sample sample = framed_sample();
	add_mapping_of(f, "/nowhere/it");
	assert_null(sample_filter_problem(f->filter));
	assert_true(pass_sample(f, &sample, NULL));
	assert_non_null(strstr(sample_filter_problem(f->filter)->message, "/nowhere/it"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define LIVE(name) cmocka_unit_test_setup_teardown(name, live_set_up, live_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
#if MACHINE_KNOWN
		TEST(registers_and_stack_go_nowhere),
		TEST(the_kernels_frames_stay_before_those_of_user_space),
		TEST(a_sample_of_no_user_space_keeps_its_chain),
		TEST(a_stack_without_a_root_is_counted),
		TEST(a_chain_longer_than_its_sample_is_an_error),
		TEST(random_samples_do_no_harm),
		TEST(the_attribute_of_the_file_has_no_registers_and_stack),
		TEST(a_program_whose_file_is_gone_is_a_problem),
		TEST(any_wish_for_stack_is_one_that_the_kernel_takes),
#endif
		TEST(other_records_pass_as_they_are),
		TEST(a_record_of_another_size_than_it_says_is_an_error),
		TEST(frame_pointers_ask_for_nothing_more),
		LIVE(qsort_and_its_callback_have_their_callers),
		LIVE(memcpy_has_its_caller),
		LIVE(strcmp_has_its_caller),
		LIVE(frame_pointers_alone_lose_the_caller_of_strcmp),
		LIVE(a_program_without_frame_pointers_is_walked_to_its_root),
		LIVE(the_size_that_was_weighed_gives_whole_stacks),
		LIVE(a_program_of_small_frames_keeps_the_usual_piece),
		LIVE(a_recording_says_why_callers_are_missing),
#ifdef __x86_64__
		LIVE(a_function_that_a_signal_interrupted_has_its_own_name),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
