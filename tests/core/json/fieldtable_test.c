#include "core/json/fieldtable.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
	char *text, *words, *name;
	gboolean flag;
	guint count, line;
	guint64 big, samples;
	double number, cost, share, change;
	double lower, upper;
} Record;

static const Field fields[] = {
        FIELD("text", TEXT, Record, text),
        FIELD("words", WORDS, Record, words),
        FIELD("name", NAME, Record, name),
        FIELD("flag", FLAG, Record, flag),
        FIELD("count", COUNT, Record, count),
        FIELD("line", LINE, Record, line),
        FIELD("big", BIG_COUNT, Record, big),
        FIELD("samples", SAMPLES, Record, samples),
        FIELD("number", NUMBER, Record, number),
        FIELD("cost", COST, Record, cost),
        FIELD("share_pct", SHARE, Record, share),
        FIELD("change_pct", CHANGE, Record, change),
        FIELD("ci_pct", SHARE_PAIR, Record, lower),
};

static const char full[] =
        "{\"text\": \"a\", \"words\": \"b\", \"name\": \"c\", \"flag\": true, \"count\": 1, \"line\": 2, \"big\": 3, "
        "\"samples\": 4, \"number\": 0.5, \"cost\": 6.0, \"share_pct\": 25.0, \"change_pct\": 50.0, "
        "\"ci_pct\": [-25.0, 75.0]}";
static const char empty[] =
        "{\"text\": null, \"words\": \"\", \"name\": null, \"flag\": false, \"count\": 0, \"line\": null, \"big\": 0, "
        "\"samples\": 0, \"number\": null, \"cost\": null, \"share_pct\": null, \"change_pct\": null, "
        "\"ci_pct\": [null, null]}";

static void record_clear(Record *record)
{
	g_free(record->text);
	g_free(record->words);
	g_free(record->name);
}

static Record read_of(const char *text)
{
	Record record = {.count = 99, .flag = TRUE, .number = 99};
	json_auto_t *object = json_loads(text, 0, NULL);
	assert_non_null(object);
	fields_read(NULL, object, FIELD_TABLE(fields), &record, FALSE);
	return record;
}

static void assert_written(const Record *record, gboolean counted, const char *wanted)
{
	json_auto_t *object = json_object();
	fields_write(object, FIELD_TABLE(fields), record, counted);
	g_autofree char *text = json_dumps(object, 0);
	assert_string_equal(text, wanted);
}

static void every_kind_comes_back_as_it_was_written(void **state)
{
	(void)state;
	Record record = read_of(full);
	assert_string_equal(record.text, "a");
	assert_string_equal(record.words, "b");
	assert_string_equal(record.name, "c");
	assert_true(record.flag);
	assert_int_equal(record.count, 1);
	assert_int_equal(record.line, 2);
	assert_int_equal(record.big, 3);
	assert_int_equal(record.samples, 4);
	assert_true(record.number == .5 && record.cost == 6 && record.share == .25 && record.change == 1.5);
	assert_true(record.lower == -.25 && record.upper == .75);
	assert_written(&record, FALSE, full);
	record_clear(&record);
}

static void what_is_missing_or_of_another_type_is_read_as_nothing(void **state)
{
	(void)state;
	static const char *const texts[] = {"{}", empty,
	        "{\"text\": 1, \"words\": 1, \"name\": 1, \"flag\": 1, \"count\": \"1\", \"line\": -1, \"big\": true, "
	        "\"samples\": [], \"number\": \"1\", \"cost\": {}, \"share_pct\": [], \"change_pct\": \"\", "
	        "\"ci_pct\": 1}"};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		Record record = read_of(texts[i]);
		assert_null(record.text);
		assert_string_equal(record.words, "");
		assert_string_equal(record.name, "");
		assert_true(isnan(record.number) && isnan(record.change) && isnan(record.lower));
		assert_written(&record, FALSE, empty);
		record_clear(&record);
	}
}

static void counted_costs_have_all_digits_and_no_samples(void **state)
{
	(void)state;
	const Record record = {.samples = 4, .cost = 123456789012345};
	json_auto_t *object = json_object();
	fields_write(object, FIELD_TABLE(fields), &record, TRUE);
	assert_true(json_is_null(json_object_get(object, "samples")));
	assert_true(json_integer_value(json_object_get(object, "cost")) == 123456789012345);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_kind_comes_back_as_it_was_written),
	        cmocka_unit_test(what_is_missing_or_of_another_type_is_read_as_nothing),
	        cmocka_unit_test(counted_costs_have_all_digits_and_no_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
