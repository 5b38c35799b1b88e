/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/pprofwrite.h"

#include "profile/exchange/gunzip.h"
#include "profile/exchange/pprofread.h"
#include "profile/exchange/protowire.h"
#include "tests/profile/exportexample.h"

enum { SAMPLE = 2, LOCATION = 4, STRING = 6, PERIOD = 12 };

static GByteArray *content_of(const ExportedProfile *exported)
{
	GString *packed = pprof_write(exported);
	GByteArray *content = gunzip((const guint8 *)packed->str, packed->len, 1 << 20, NULL);
	assert_non_null(content);
	g_string_free(packed, TRUE);
	return content;
}

/* The first field of that number at or after *reader; the test fails if there is none. */
static ProtoField next_field(ProtoReader *reader, guint32 number)
{
	ProtoField field;
	while (proto_next(reader, &field))
		if (field.number == number)
			return field;
	fail_msg("no field %u", number);
	return field;
}

static guint count_fields(ProtoReader reader, guint32 number)
{
	ProtoField field;
	guint n = 0;
	while (proto_next(&reader, &field))
		n += field.number == number ? 1 : 0;
	assert_false(reader.is_damaged);
	return n;
}

static Profile *read_back(const ExportedProfile *exported, PprofSummary *summary)
{
	GString *packed = pprof_write(exported);
	g_autoptr(GError) error = NULL;
	Profile *profile = empty_profile();
	if (!pprof_read((const guint8 *)packed->str, packed->len, "test", NULL, profile, 0, summary, &error))
		fail_msg("%s", error->message);
	g_string_free(packed, TRUE);
	return profile;
}

static void what_is_written_is_read_back(void **state)
{
	ExportExample *e = *state;
	PprofSummary summary;
	g_autoptr(Profile) back = read_back(&e->one, &summary);
	g_autofree char *before = folded_write(e->head, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	g_autofree char *after = folded_write(back, 0, FOLDED_SAMPLES);
	/* a byte that is no UTF-8 is visible there */
	char *raw = strchr(before, '\xff');
	assert_non_null(raw);
	g_autofree char *visible = g_strdup_printf("%.*s\\xff%s", (int)(raw - before), before, raw + 1);
	assert_string_equal(after, visible);
	assert_string_equal(summary.event, "cpu-clock");
	assert_string_equal(summary.unit, "ns");
	assert_int_equal(summary.samples, 18);
	assert_int_equal(summary.weight, 17500001);
	pprof_summary_clear(&summary);
}

static void frames_keep_module_file_and_line(void **state)
{
	ExportExample *e = *state;
	g_autoptr(Profile) back = read_back(&e->one, NULL);
	const Frame *parse = frame_named(back, "parse"), *command = frame_named(back, "lexi");
	assert_string_equal(stack_table_text(back->table, parse->module), "lexi");
	assert_string_equal(stack_table_text(back->table, parse->file), "lexi.c");
	assert_int_equal(parse->line, 7);
	assert_int_equal(command->module.index, 0);
	assert_int_equal(frame_named(back, "read_char")->kind, FRAME_INLINED);
}

static void inlined_functions_are_lines_of_one_location(void **state)
{
	ExportExample *e = *state;
	enum { LINE = 4 };
	g_autoptr(GByteArray) bytes = content_of(&e->one);
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	ProtoField field;
	guint most = 0;
	while (proto_next(&reader, &field))
		if (field.number == LOCATION)
			most = MAX(most, count_fields(field.bytes, LINE));
	/* read_char in read_word in parse */
	assert_int_equal(most, 3);
}

static void a_command_holds_nothing_inlined(void **state)
{
	(void)state;
	enum { LINE = 4 };
	g_autoptr(Profile) profile = empty_profile();
	assert_true(folded_read("lexi;read_[i] 3\n", 16, "test", NULL, profile, 0, NULL, NULL));
	g_autoptr(GByteArray) bytes =
	        content_of(&(ExportedProfile){.head = profile, .name = "test", .exporter = "test"});
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	assert_int_equal(count_fields(next_field(&reader, LOCATION).bytes, LINE), 1);
}

static void only_samples_are_one_sample_type(void **state)
{
	ExportExample *e = *state;
	enum { TYPE = 1 };
	g_autoptr(Profile) counts = example_counts(e->head);
	g_autoptr(GByteArray) one =
	        content_of(&(ExportedProfile){.head = counts, .name = "counts", .exporter = "firebreak 1"});
	g_autoptr(GByteArray) two = content_of(&e->one);
	assert_int_equal(count_fields(proto_reader(one->data, one->len), TYPE), 1);
	assert_int_equal(count_fields(proto_reader(two->data, two->len), TYPE), 2);
}

static void the_first_mapping_is_where_most_of_the_cost_is(void **state)
{
	ExportExample *e = *state;
	enum { MAPPING = 3, FILE_NAME = 5 };
	StackId copy = stack_table_push(
	        e->table, STACK_ROOT, stack_table_frame_named(e->table, "memset", "libc.so.6", FRAME_USER));
	StackId kernel = stack_table_push(
	        e->table, STACK_ROOT, stack_table_frame_named(e->table, "read", "[kernel.kallsyms]", FRAME_KERNEL));
	profile_add(e->head, 0, copy, (ProfileCell){100, 100000000});
	profile_add(e->head, 0, kernel, (ProfileCell){900, 900000000});
	g_autoptr(GByteArray) bytes = content_of(&e->one);
	ProtoReader reader = proto_reader(bytes->data, bytes->len), strings = reader;
	ProtoField mapping = next_field(&reader, MAPPING);
	guint64 file = next_field(&mapping.bytes, FILE_NAME).value;
	ProtoField name = next_field(&strings, STRING);
	for (; file > 0; file--)
		name = next_field(&strings, STRING);
	assert_int_equal(name.bytes.end - name.bytes.at, strlen("libc.so.6"));
	assert_memory_equal(name.bytes.at, "libc.so.6", strlen("libc.so.6"));
}

static void counts_are_one_sample_type_with_their_name(void **state)
{
	(void)state;
	PprofSummary summary;
	g_autoptr(Profile) counts = empty_profile();
	g_autoptr(Profile) exact = profile_new(counts->table, "instructions", "instructions");
	profile_add_run(exact);
	StackId stack = stack_table_push(
	        counts->table, STACK_ROOT, stack_table_frame_named(counts->table, "main", "lexi", FRAME_USER));
	profile_add(exact, 0, stack, (ProfileCell){70, 70});
	g_autoptr(Profile) back =
	        read_back(&(ExportedProfile){.head = exact, .name = "exact", .exporter = "test"}, &summary);
	assert_int_equal(profile_run_total(back, 0).weight, 70);
	assert_string_equal(summary.event, "instructions");
	assert_string_equal(summary.unit, "instructions");
	pprof_summary_clear(&summary);
}

/* Sums of the first value of the samples with and without a label. */
static void sum_samples(const GByteArray *bytes, gint64 *labelled, gint64 *plain)
{
	enum { VALUES = 2, LABEL = 3 };
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	ProtoField field;
	*labelled = *plain = 0;
	while (proto_next(&reader, &field)) {
		guint64 value;
		if (field.number != SAMPLE)
			continue;
		gboolean has_label = count_fields(field.bytes, LABEL) > 0;
		ProtoField values = next_field(&field.bytes, VALUES);
		assert_true(proto_next_integer(&values, &value));
		*(has_label ? labelled : plain) += (gint64)value;
	}
}

/* TRUE if the table of strings has this one; all of them must be UTF-8. */
static gboolean has_string(const GByteArray *bytes, const char *text)
{
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	ProtoField field;
	gboolean found = FALSE;
	while (proto_next(&reader, &field)) {
		gsize length = (gsize)(field.bytes.end - field.bytes.at);
		if (field.number != STRING)
			continue;
		assert_true(g_utf8_validate((const char *)field.bytes.at, (gssize)length, NULL));
		found = found || (length == strlen(text) && memcmp(field.bytes.at, text, length) == 0);
	}
	return found;
}

static void base_is_labelled_and_below_zero(void **state)
{
	ExportExample *e = *state;
	gint64 labelled, plain;
	g_autoptr(GByteArray) bytes = content_of(&e->both);
	sum_samples(bytes, &labelled, &plain);
	assert_int_equal(labelled, -13);
	assert_int_equal(plain, 18);
	assert_true(has_string(bytes, "pprof::base"));
}

static void labels_of_the_profile_are_those_of_all_samples(void **state)
{
	ExportExample *e = *state;
	const char *const labels[] = {"commit", "5d6e7f8", "side", "head", NULL};
	gint64 labelled, plain;
	ExportedProfile exported = e->one;
	exported.labels = labels;
	g_autoptr(GByteArray) bytes = content_of(&exported);
	sum_samples(bytes, &labelled, &plain);
	assert_int_equal(labelled, 18);
	assert_int_equal(plain, 0);
	for (guint i = 0; labels[i] != NULL; i++)
		assert_true(has_string(bytes, labels[i]));
}

static void the_time_is_told_in_nanoseconds_if_it_is_known(void **state)
{
	ExportExample *e = *state;
	enum { TIME_NS = 9 };
	ExportedProfile exported = e->one;
	g_autoptr(GByteArray) without = content_of(&exported);
	exported.time_s = 1789000000;
	g_autoptr(GByteArray) bytes = content_of(&exported);
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	assert_int_equal(next_field(&reader, TIME_NS).value, 1789000000000000000);
	assert_int_equal(count_fields(proto_reader(without->data, without->len), TIME_NS), 0);
}

static void the_period_is_told_if_it_is_one(void **state)
{
	ExportExample *e = *state;
	g_autoptr(GByteArray) differing = content_of(&e->one);
	assert_int_equal(count_fields(proto_reader(differing->data, differing->len), PERIOD), 0);
	g_autoptr(Profile) even = profile_new(e->table, "cpu-clock", "ns");
	profile_add_run(even);
	profile_add(even, 0, (StackId){1}, (ProfileCell){3, 3000});
	profile_add(even, 0, (StackId){2}, (ProfileCell){1, 1000});
	g_autoptr(GByteArray) bytes = content_of(&(ExportedProfile){.head = even, .name = "even", .exporter = "test"});
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	assert_int_equal(next_field(&reader, PERIOD).value, 1000);
}

static void the_first_string_is_empty(void **state)
{
	ExportExample *e = *state;
	g_autoptr(GByteArray) bytes = content_of(&e->one);
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	ProtoField first = next_field(&reader, STRING);
	assert_ptr_equal(first.bytes.at, first.bytes.end);
}

static void all_strings_are_utf8(void **state)
{
	ExportExample *e = *state;
	g_autoptr(GByteArray) bytes = content_of(&e->one);
	assert_true(has_string(bytes, HOSTILE_VISIBLE));
}

static void long_chains_of_inlined_functions_are_read_back(void **state)
{
	(void)state;
	enum { DEPTH = 1500 };
	g_autoptr(Profile) profile = empty_profile();
	StackId stack = stack_table_push(
	        profile->table, STACK_ROOT, stack_table_frame_named(profile->table, "main", "lexi", FRAME_USER));
	FrameId inlined = stack_table_frame_named(profile->table, "step", "lexi", FRAME_INLINED);
	for (guint i = 0; i < DEPTH; i++)
		stack = stack_table_push(profile->table, stack, inlined);
	profile_add(profile, 0, stack, (ProfileCell){4, 4});
	g_autoptr(Profile) back =
	        read_back(&(ExportedProfile){.head = profile, .name = "deep", .exporter = "test"}, NULL);
	g_autofree char *before = folded_weights(profile), *after = folded_weights(back);
	assert_string_equal(after, before);
}

static void the_same_profile_gives_the_same_bytes(void **state)
{
	ExportExample *e = *state;
	GString *first = pprof_write(&e->both), *second = pprof_write(&e->both);
	assert_true(g_string_equal(first, second));
	g_string_free(first, TRUE);
	g_string_free(second, TRUE);
}

#define WITH_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, example_of_time, example_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_EXAMPLE(what_is_written_is_read_back),
	        WITH_EXAMPLE(frames_keep_module_file_and_line),
	        WITH_EXAMPLE(inlined_functions_are_lines_of_one_location),
	        cmocka_unit_test(a_command_holds_nothing_inlined),
	        WITH_EXAMPLE(only_samples_are_one_sample_type),
	        WITH_EXAMPLE(the_first_mapping_is_where_most_of_the_cost_is),
	        cmocka_unit_test(counts_are_one_sample_type_with_their_name),
	        WITH_EXAMPLE(base_is_labelled_and_below_zero),
	        WITH_EXAMPLE(labels_of_the_profile_are_those_of_all_samples),
	        WITH_EXAMPLE(the_time_is_told_in_nanoseconds_if_it_is_known),
	        WITH_EXAMPLE(the_period_is_told_if_it_is_one),
	        WITH_EXAMPLE(the_first_string_is_empty),
	        WITH_EXAMPLE(all_strings_are_utf8),
	        cmocka_unit_test(long_chains_of_inlined_functions_are_read_back),
	        WITH_EXAMPLE(the_same_profile_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
