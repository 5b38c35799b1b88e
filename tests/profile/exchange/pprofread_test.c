/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/pprofread.h"

#include "core/error.h"
#include "profile/exchange/gunzip.h"
#include "tests/profile/protowriter.h"
#include "tests/profile/readers.h"

#include <gio/gio.h>

/* Strings of the profiles here, by index. */
enum { NOTHING, SAMPLES, COUNT, CPU, NANOSECONDS, PROG, MAIN, WORK, INNER, SOURCE, MANGLED, KERNEL };
static const char *const strings[] = {"", "samples", "count", "cpu", "nanoseconds", "/srv/bin/prog", "main",
        "work(int)", "inner", "work.go", "_ZN3geo5solveIdEEvT_", "[kernel.kallsyms]"};

/* Two numbers as a message. */
static GByteArray *pair(guint64 first, guint64 second)
{
	GByteArray *message = g_byte_array_new();
	put_integer(message, 1, first);
	put_integer(message, 2, second);
	return message;
}

static void put_function(GByteArray *out, guint64 id, guint64 name)
{
	GByteArray *function = g_byte_array_new();
	put_integer(function, 1, id);
	put_integer(function, 2, name);
	put_integer(function, 4, SOURCE);
	put_integer(function, 5, 12);
	put_message(out, 5, function);
}

static void put_mapping(GByteArray *out, guint64 id, guint64 file)
{
	GByteArray *mapping = g_byte_array_new();
	put_integer(mapping, 1, id);
	put_integer(mapping, 5, file);
	put_message(out, 3, mapping);
}

/* A location with up to two lines, innermost first; 0 = no line. */
static void put_location(GByteArray *out, guint64 id, guint64 mapping, guint64 inner, guint64 outer)
{
	GByteArray *location = g_byte_array_new();
	put_integer(location, 1, id);
	put_integer(location, 2, mapping);
	put_integer(location, 3, 0x1000 + id);
	if (inner != 0)
		put_message(location, 4, pair(inner, 3));
	if (outer != 0)
		put_message(location, 4, pair(outer, 4));
	put_message(out, 4, location);
}

static void put_sample(GByteArray *out, guint64 leaf, guint64 caller, gint64 count, gint64 ns)
{
	const guint64 locations[] = {leaf, caller}, values[] = {(guint64)count, (guint64)ns};
	GByteArray *sample = g_byte_array_new();
	put_packed(sample, 1, locations, caller != 0 ? 2 : 1);
	put_packed(sample, 2, values, 2);
	put_message(out, 2, sample);
}

static void put_types(GByteArray *out)
{
	put_message(out, 1, pair(SAMPLES, COUNT));
	put_message(out, 1, pair(CPU, NANOSECONDS));
}

/* Locations 1: main, 2: inner inlined into work, 3: without function, 4: mangled, 5: in the kernel. */
static void put_tables(GByteArray *out)
{
	put_mapping(out, 1, PROG);
	put_mapping(out, 2, KERNEL);
	put_location(out, 1, 1, 1, 0);
	put_location(out, 2, 1, 3, 2);
	put_location(out, 3, 1, 0, 0);
	put_location(out, 4, 1, 4, 0);
	put_location(out, 5, 2, 3, 0);
	put_function(out, 1, MAIN);
	put_function(out, 2, WORK);
	put_function(out, 3, INNER);
	put_function(out, 4, MANGLED);
	for (guint i = 0; i < G_N_ELEMENTS(strings); i++)
		put_string(out, 6, strings[i]);
}

static GByteArray *example(void)
{
	GByteArray *out = g_byte_array_new();
	put_types(out);
	put_sample(out, 2, 1, 3, 30);
	put_sample(out, 1, 0, 1, 10);
	put_tables(out);
	return out;
}

static char *read_with(const GByteArray *bytes, const PprofOptions *options, PprofSummary *summary)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	if (!pprof_read(bytes->data, bytes->len, "test", options, profile, 0, summary, &error))
		fail_msg("%s", error->message);
	return folded_weights(profile);
}

static void assert_reads(const GByteArray *bytes, const PprofOptions *options, const char *expected)
{
	g_autofree char *folded = read_with(bytes, options, NULL);
	assert_string_equal(folded, expected);
}

static void assert_fails(const GByteArray *bytes, const PprofOptions *options, FirebreakError code, const char *word)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	assert_false(pprof_read(bytes->data, bytes->len, "test", options, profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, (gint)code));
	if (strstr(error->message, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, error->message);
	assert_int_equal(profile_run_total(profile, 0).weight, 0);
}

static GByteArray *compressed(const GByteArray *bytes)
{
	g_autoptr(GConverter) converter = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
	GByteArray *out = g_byte_array_new();
	gsize n_read, n_written;
	g_byte_array_set_size(out, bytes->len + 1024);
	assert_int_equal(g_converter_convert(converter, bytes->data, bytes->len, out->data, out->len,
	                         G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL),
	        G_CONVERTER_FINISHED);
	g_byte_array_set_size(out, (guint)n_written);
	return out;
}

static void stacks_come_out_root_first_with_inlined_functions(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	assert_reads(bytes, NULL, "main 10\nmain;work(int);inner 30\n");
}

static void inlined_functions_can_be_left_out(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	assert_reads(bytes, &(PprofOptions){.no_inline = TRUE}, "main 10\nmain;work(int) 30\n");
}

static void the_last_type_is_read_and_samples_are_counted(void **state)
{
	(void)state;
	PprofSummary summary = {0};
	g_autoptr(GByteArray) bytes = example();
	G_GNUC_UNUSED g_autofree char *folded = read_with(bytes, NULL, &summary);
	assert_string_equal(summary.event, "cpu");
	assert_string_equal(summary.unit, "ns");
	assert_int_equal(summary.samples, 4);
	assert_int_equal(summary.weight, 40);
	pprof_summary_clear(&summary);
}

static void a_type_can_be_chosen(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	assert_reads(bytes, &(PprofOptions){.event = "samples"}, "main 1\nmain;work(int);inner 3\n");
	assert_fails(bytes, &(PprofOptions){.event = "heap"}, FIREBREAK_ERROR_USAGE, "samples, cpu");
}

/* Or totals would read "4 of samples". */
static void samples_are_in_samples(void **state)
{
	(void)state;
	PprofSummary summary = {0};
	g_autoptr(GByteArray) bytes = example();
	G_GNUC_UNUSED g_autofree char *folded = read_with(bytes, &(PprofOptions){.event = "samples"}, &summary);
	assert_string_equal(summary.event, "samples");
	assert_string_equal(summary.unit, "samples");
	assert_int_equal(summary.weight, 4);
	pprof_summary_clear(&summary);
}

static void the_profile_may_name_its_default_type(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	put_integer(bytes, 14, SAMPLES);
	assert_reads(bytes, NULL, "main 1\nmain;work(int);inner 3\n");
}

static void integers_that_are_not_packed_are_read(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	GByteArray *sample = g_byte_array_new();
	put_types(bytes);
	put_integer(sample, 1, 2);
	put_integer(sample, 1, 1);
	put_integer(sample, 2, 3);
	put_integer(sample, 2, 30);
	put_message(bytes, 2, sample);
	put_tables(bytes);
	assert_reads(bytes, NULL, "main;work(int);inner 30\n");
}

static void frames_know_what_they_are(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	g_autoptr(Profile) profile = empty_profile();
	put_sample(bytes, 5, 1, 1, 5);
	assert_true(pprof_read(bytes->data, bytes->len, "test", NULL, profile, 0, NULL, NULL));
	const Frame *main_frame = frame_named(profile, "main");
	assert_string_equal(stack_table_text(profile->table, main_frame->module), "prog");
	assert_string_equal(stack_table_text(profile->table, main_frame->file), "work.go");
	assert_int_equal(main_frame->line, 12);
	assert_int_equal(frame_named(profile, "inner")->kind, FRAME_INLINED);
	StackId last = {stack_table_n_stacks(profile->table) - 1};
	FrameId leaf = stack_table_leaf(profile->table, last);
	assert_int_equal(stack_table_get_frame(profile->table, leaf)->kind, FRAME_KERNEL);
}

static void a_location_without_function_is_unknown(void **state)
{
	(void)state;
	PprofSummary summary = {0};
	g_autoptr(GByteArray) bytes = example();
	put_sample(bytes, 3, 1, 2, 20);
	g_autofree char *folded = read_with(bytes, NULL, &summary);
	assert_string_equal(folded, "main 10\nmain;[unknown] 20\nmain;work(int);inner 30\n");
	assert_int_equal(summary.unknown_leaves, 2);
	pprof_summary_clear(&summary);
}

static void mangled_names_become_canonical(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	put_sample(bytes, 4, 0, 1, 5);
	assert_reads(bytes, NULL, "geo::solve<double> 5\nmain 10\nmain;work(int);inner 30\n");
}

static void gzip_is_undone(void **state)
{
	(void)state;
	g_autoptr(GByteArray) plain = example(), bytes = compressed(plain);
	assert_reads(bytes, NULL, "main 10\nmain;work(int);inner 30\n");
}

static void gzip_in_several_parts_is_undone(void **state)
{
	(void)state;
	g_autoptr(GByteArray) plain = example(), head = g_byte_array_new(), tail = g_byte_array_new();
	g_byte_array_append(head, plain->data, 20);
	g_byte_array_append(tail, plain->data + 20, plain->len - 20);
	g_autoptr(GByteArray) bytes = compressed(head), rest = compressed(tail);
	g_byte_array_append(bytes, rest->data, rest->len);
	assert_reads(bytes, NULL, "main 10\nmain;work(int);inner 30\n");
}

static void damaged_gzip_is_damage(void **state)
{
	(void)state;
	g_autoptr(GByteArray) plain = example(), bytes = compressed(plain);
	g_byte_array_set_size(bytes, bytes->len - 20);
	assert_fails(bytes, NULL, FIREBREAK_ERROR_INVALID, "decompressed");
}

static void gzip_is_not_undone_beyond_the_limit(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	g_byte_array_set_size(zeros, 3000000);
	memset(zeros->data, 0, zeros->len);
	g_autoptr(GByteArray) bytes = compressed(zeros);
	assert_true(bytes->len < 10000);
	assert_null(gunzip(bytes->data, bytes->len, 1000000, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	g_autoptr(GByteArray) beginning = gunzip_beginning(bytes->data, bytes->len, 1000);
	assert_int_equal(beginning->len, 1000);
}

static void values_below_zero_are_refused(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	put_sample(bytes, 1, 0, -1, -10);
	assert_fails(bytes, NULL, FIREBREAK_ERROR_USAGE, "difference");
}

static void a_profile_without_samples_is_refused(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	put_types(bytes);
	put_tables(bytes);
	assert_fails(bytes, NULL, FIREBREAK_ERROR_INVALID, "no samples in it");
}

/* Memory that was allocated and is in use no more, for instance. */
static void a_type_without_samples_is_refused_with_those_that_have_some(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	put_types(bytes);
	put_sample(bytes, 1, 0, 7, 0);
	put_tables(bytes);
	assert_fails(
	        bytes, NULL, FIREBREAK_ERROR_INVALID, "no samples of cpu in it; choose one of samples with --event");
	assert_fails(bytes, &(PprofOptions){.event = "cpu"}, FIREBREAK_ERROR_USAGE, "choose one of samples");
	assert_reads(bytes, &(PprofOptions){.event = "samples"}, "main 7\n");
}

static void references_to_nothing_are_damage(void **state)
{
	(void)state;
	g_autoptr(GByteArray) no_location = example(), no_function = example(), no_values = example();
	put_sample(no_location, 99, 0, 1, 5);
	assert_fails(no_location, NULL, FIREBREAK_ERROR_INVALID, "damaged");
	put_location(no_function, 9, 1, 77, 0);
	put_sample(no_function, 9, 0, 1, 5);
	assert_fails(no_function, NULL, FIREBREAK_ERROR_INVALID, "damaged");
	put_message(no_values, 2, pair(1, 5));
	assert_fails(no_values, NULL, FIREBREAK_ERROR_INVALID, "damaged");
}

/* A message may end between two fields, so a file that lacks only names that no sample needs is as good as whole. */
static void a_profile_cut_anywhere_is_an_error_or_complete(void **state)
{
	(void)state;
	g_autoptr(GByteArray) whole = example();
	for (guint length = 0; length < whole->len; length++) {
		g_autoptr(Profile) profile = empty_profile();
		g_autofree guint8 *cut = g_memdup2(whole->data, length);
		gboolean ok = pprof_read(cut, length, "test", NULL, profile, 0, NULL, NULL);
		assert_int_equal(profile_run_total(profile, 0).weight, ok ? 40 : 0);
	}
}

static void a_profile_is_known_by_its_beginning(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = example();
	static const char *const others[] = {"", "main;foo 12\n", "\n\nmain;foo 12\n", "\n\tprog 1 2.3: cycles:\n"};
	assert_true(pprof_detect(bytes->data, bytes->len));
	assert_true(pprof_detect(bytes->data, 40));
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		assert_false(pprof_detect((const guint8 *)others[i], strlen(others[i])));
}

static void old_profiles_are_no_pprof(void **state)
{
	(void)state;
	static const char *const names[] = {"go.crc32.cpu", "java.cpu", "gobench.heap", "gobench.heap.string"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = shared_fixture("google-pprof/%s", names[i]);
		g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
		assert_false(
		        pprof_detect((const guint8 *)g_mapped_file_get_contents(file), g_mapped_file_get_length(file)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(stacks_come_out_root_first_with_inlined_functions),
	        cmocka_unit_test(inlined_functions_can_be_left_out),
	        cmocka_unit_test(the_last_type_is_read_and_samples_are_counted),
	        cmocka_unit_test(a_type_can_be_chosen),
	        cmocka_unit_test(samples_are_in_samples),
	        cmocka_unit_test(the_profile_may_name_its_default_type),
	        cmocka_unit_test(integers_that_are_not_packed_are_read),
	        cmocka_unit_test(frames_know_what_they_are),
	        cmocka_unit_test(a_location_without_function_is_unknown),
	        cmocka_unit_test(mangled_names_become_canonical),
	        cmocka_unit_test(gzip_is_undone),
	        cmocka_unit_test(gzip_in_several_parts_is_undone),
	        cmocka_unit_test(damaged_gzip_is_damage),
	        cmocka_unit_test(gzip_is_not_undone_beyond_the_limit),
	        cmocka_unit_test(values_below_zero_are_refused),
	        cmocka_unit_test(a_profile_without_samples_is_refused),
	        cmocka_unit_test(a_type_without_samples_is_refused_with_those_that_have_some),
	        cmocka_unit_test(references_to_nothing_are_damage),
	        cmocka_unit_test(a_profile_cut_anywhere_is_an_error_or_complete),
	        cmocka_unit_test(a_profile_is_known_by_its_beginning),
	        cmocka_unit_test(old_profiles_are_no_pprof),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
