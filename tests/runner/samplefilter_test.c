#include "runner/samplefilter.h"

#include "core/error.h"
#include "profile/leafhints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define STACK_BYTES 256
#define CODE 0x400000u
#define SECRET 0x7365637265743231u

typedef struct {
	SampleFilter *filter;
	GByteArray *in, *out;
	RecorderCounts counts;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	struct perf_event_attr attr = {.sample_type = PERF_SAMPLE_STACK_USER, .sample_stack_user = STACK_BYTES};
	f->filter = sample_filter_new(&attr);
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
	g_byte_array_append(f->in, (const guint8 *)words, n * sizeof *words);
}

static void add_header(Fixture *f, guint32 type, gsize body_bytes)
{
	struct perf_event_header header = {.type = type, .size = (guint16)(sizeof header + body_bytes)};
	g_byte_array_append(f->in, (const guint8 *)&header, sizeof header);
}

static void add_mapping(Fixture *f, guint64 start, guint64 length, guint32 protection)
{
	guint64 body[8] = {0, start, length, 0, 0, 0, 0, protection};
	add_header(f, PERF_RECORD_MMAP2, sizeof body);
	add_words(f, body, G_N_ELEMENTS(body));
}

/* A sample with a chain of two and this piece of stack. */
static void add_sample(Fixture *f, const guint64 *stack, guint n)
{
	guint64 before[6] = {1, CODE + 8, 2, 3, 4, 5}, chain[3] = {2, CODE + 8, CODE + 16}, size = STACK_BYTES;
	guint64 padded[STACK_BYTES / 8] = {0}, valid = n * sizeof *stack;
	memcpy(padded, stack, n * sizeof *stack);
	add_header(f, PERF_RECORD_SAMPLE, sizeof before + sizeof chain + sizeof size + sizeof padded + sizeof valid);
	add_words(f, before, 6);
	add_words(f, chain, 3);
	add_words(f, &size, 1);
	add_words(f, padded, G_N_ELEMENTS(padded));
	add_words(f, &valid, 1);
}

static void pass(Fixture *f)
{
	assert_true(sample_filter_pass(f->filter, f->in->data, f->in->len, f->out, &f->counts, NULL));
}

static gboolean contains(const GByteArray *bytes, guint64 word)
{
	return memmem(bytes->data, bytes->len, &word, sizeof word) != NULL;
}

static void stack_words_that_are_no_code_go_nowhere(void **state)
{
	Fixture *f = *state;
	const guint64 stack[] = {SECRET, CODE + 0x100};
	add_mapping(f, CODE, 0x1000, PROT_READ | PROT_EXEC);
	add_sample(f, stack, 2);
	pass(f);
	assert_false(contains(f->out, SECRET));
	assert_false(contains(sample_filter_hints(f->filter), SECRET));
}

static void words_that_point_into_code_become_a_hint(void **state)
{
	Fixture *f = *state;
	const guint64 stack[] = {SECRET, CODE + 0x100, 0, CODE + 0xfff, CODE + 0x1000};
	add_mapping(f, CODE, 0x1000, PROT_READ | PROT_EXEC);
	add_sample(f, stack, G_N_ELEMENTS(stack));
	pass(f);
	const GByteArray *hints = sample_filter_hints(f->filter);
	const LeafHintHead *head = (const void *)hints->data;
	const LeafWord *words = (const void *)(hints->data + sizeof *head);
	assert_int_equal(head->n_words, 2);
	assert_int_equal(words[0].offset, 8);
	assert_int_equal(words[0].value, CODE + 0x100);
	assert_int_equal(words[1].offset, 24);
	/* the sample follows the mapping in the file */
	assert_int_equal(head->record_offset, sizeof(struct perf_event_header) + 64);
}

static void a_sample_ends_after_its_call_chain(void **state)
{
	Fixture *f = *state;
	const guint64 stack[] = {SECRET};
	struct perf_event_header header;
	add_sample(f, stack, 1);
	pass(f);
	memcpy(&header, f->out->data, sizeof header);
	assert_int_equal(header.size, sizeof header + (6 + 3) * sizeof(guint64));
	assert_int_equal(f->out->len, header.size);
	assert_int_equal(f->counts.bytes, header.size);
	assert_int_equal(f->counts.samples, 1);
}

static void data_mappings_are_no_code(void **state)
{
	Fixture *f = *state;
	const guint64 stack[] = {CODE + 0x100};
	add_mapping(f, CODE, 0x1000, PROT_READ | PROT_WRITE);
	add_sample(f, stack, 1);
	pass(f);
	assert_int_equal(sample_filter_hints(f->filter)->len, 0);
}

static void lost_and_throttled_are_counted(void **state)
{
	Fixture *f = *state;
	const guint64 lost[] = {1, 26}, lost_samples[] = {17}, throttle[] = {0, 0, 0};
	add_header(f, PERF_RECORD_LOST, sizeof lost);
	add_words(f, lost, 2);
	add_header(f, PERF_RECORD_LOST_SAMPLES, sizeof lost_samples);
	add_words(f, lost_samples, 1);
	add_header(f, PERF_RECORD_THROTTLE, sizeof throttle);
	add_words(f, throttle, 3);
	pass(f);
	assert_int_equal(f->counts.lost, 43);
	assert_int_equal(f->counts.throttled, 1);
}

static void a_record_of_impossible_size_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	add_header(f, PERF_RECORD_COMM, 1000);
	assert_false(sample_filter_pass(f->filter, f->in->data, f->in->len, f->out, &f->counts, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
}

static void a_chain_longer_than_its_record_is_passed_on_untouched(void **state)
{
	Fixture *f = *state;
	guint64 body[7] = {1, 2, 3, 4, 5, 6, 1000};
	add_header(f, PERF_RECORD_SAMPLE, sizeof body);
	add_words(f, body, 7);
	pass(f);
	assert_int_equal(f->out->len, f->in->len);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(stack_words_that_are_no_code_go_nowhere),
	        TEST(words_that_point_into_code_become_a_hint),
	        TEST(a_sample_ends_after_its_call_chain),
	        TEST(data_mappings_are_no_code),
	        TEST(lost_and_throttled_are_counted),
	        TEST(a_record_of_impossible_size_is_an_error),
	        TEST(a_chain_longer_than_its_record_is_passed_on_untouched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
