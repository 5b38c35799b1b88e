/* SPDX-License-Identifier: Apache-2.0 */
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

/* --- objects, words and strict readings --- */

typedef enum { COLOUR_NONE, COLOUR_RED } Colour;

static const char *colour_name(guint colour)
{
	return colour == COLOUR_NONE ? NULL : "red";
}

typedef struct {
	char *name;
	guint number;
} Part;

typedef struct {
	char *sha;
	guint64 digits;
	gint64 seconds;
	double real, rare, lower, upper, low, high;
	Colour colour, rare_colour;
	guint few;
	Part part;
	char **vector;
	GPtrArray *texts, *records;
	GArray *costs, *rows;
} Whole;

static const Field part_fields[] = {FIELD("name", WORDS, Part, name), FIELD_NEW("number", COUNT, Part, number)};
static const Field inner_fields[] = {FIELD("seconds", SECONDS, Whole, seconds)};

static json_t *double_json(gconstpointer record, gboolean counted)
{
	(void)counted;
	return json_integer(2 * ((const Whole *)record)->few);
}

static const Field whole_fields[] = {
        FIELD("sha", SHA, Whole, sha),
        FIELD("digits", DIGITS, Whole, digits),
        FIELD_PART("inner", inner_fields),
        FIELD("real", REAL, Whole, real),
        FIELD_RARE("rare", REAL, Whole, rare),
        FIELD("bounds_pct", CHANGE_PAIR, Whole, lower),
        FIELD("range", COST_PAIR, Whole, low),
        FIELD_WORD("colour", Whole, colour, colour_name, COLOUR_RED + 1),
        FIELD_RARE_WORD("rare_colour", Whole, rare_colour, colour_name, COLOUR_RED + 1),
        FIELD_MOST("few", COUNT, Whole, few, 7),
        FIELD_MADE("double", double_json, NULL),
        FIELD_STRUCT("part", Whole, part, part_fields),
        FIELD("texts", TEXTS, Whole, texts),
        FIELD("vector", STRV, Whole, vector),
        FIELD("costs", COSTS, Whole, costs),
        FIELD_RECORDS("records", Whole, records, Part, part_fields, 1),
        FIELD_ROWS("rows", Whole, rows, Part, part_fields, 0),
        FIELD_LATER("later"),
};

#define SHA "0123456789012345678901234567890123456789"
static const char whole_text[] =
        "{\"sha\": \"" SHA "\", \"digits\": \"18446744073709551615\", \"inner\": {\"seconds\": 5}, \"real\": 0.125, "
        "\"bounds_pct\": [null, 50.0], \"range\": [1.5, null], \"colour\": \"red\", \"few\": 7, \"double\": 14, "
        "\"part\": {\"name\": \"p\", \"number\": 1}, \"texts\": [\"a\"], \"vector\": [\"b\", \"c\"], \"costs\": [1.5, "
        "null], "
        "\"records\": [{\"name\": \"r\", \"number\": 2}], \"rows\": [{\"name\": \"x\", \"number\": 3}, {\"name\": "
        "\"y\", \"number\": 4}], \"later\": null}";

static void part_free(gpointer part)
{
	g_free(((Part *)part)->name);
	g_free(part);
}

static void part_clear(gpointer part)
{
	g_free(((Part *)part)->name);
}

static void whole_init(Whole *whole)
{
	*whole = (Whole){.texts = g_ptr_array_new_with_free_func(g_free),
	        .records = g_ptr_array_new_with_free_func(part_free),
	        .rows = g_array_new(FALSE, FALSE, sizeof(Part))};
	g_array_set_clear_func(whole->rows, part_clear);
}

static void whole_clear(Whole *whole)
{
	g_free(whole->sha);
	g_free(whole->part.name);
	g_ptr_array_unref(whole->texts);
	g_strfreev(whole->vector);
	g_ptr_array_unref(whole->records);
	g_array_unref(whole->rows);
	g_clear_pointer(&whole->costs, g_array_unref);
}

static void objects_and_arrays_come_back_as_they_were_written(void **state)
{
	Whole whole;
	FieldReading reading = {.strict = TRUE};
	json_auto_t *object = json_loads(whole_text, 0, NULL);
	(void)state;
	assert_non_null(object);
	whole_init(&whole);
	fields_read(&reading, object, FIELD_TABLE(whole_fields), &whole, FALSE);
	assert_null(reading.problem);
	assert_true(whole.digits == G_MAXUINT64 && whole.lower == 0 && whole.upper == 1.5);
	json_auto_t *again = fields_json(FIELD_TABLE(whole_fields), &whole, FALSE);
	g_autofree char *text = json_dumps(again, 0);
	assert_string_equal(text, whole_text);
	whole_clear(&whole);
}

/* The key that a strict reading names once `key` was set to `value`, or taken away (NULL). */
static void assert_refused(const char *key, const char *value, const char *named)
{
	Whole whole;
	FieldReading reading = {.strict = TRUE};
	json_auto_t *object = json_loads(whole_text, 0, NULL);
	if (value != NULL)
		json_object_set_new(object, key, json_loads(value, JSON_DECODE_ANY, NULL));
	else
		json_object_del(object, key);
	whole_init(&whole);
	fields_read(&reading, object, FIELD_TABLE(whole_fields), &whole, FALSE);
	if (g_strcmp0(reading.problem, named) != 0)
		fail_msg("%s as %s: %s is named, not %s", key, value, reading.problem, named);
	whole_clear(&whole);
}

static void a_strict_reading_names_the_first_key_that_is_missing_or_wrong(void **state)
{
	static const char *const wrong[][3] = {
	        {"sha", "\"main\"", "sha"},
	        {"digits", "\"18446744073709551616\"", "digits"},
	        {"digits", "5", "digits"},
	        {"inner", "[]", "inner"},
	        {"inner", "{}", "seconds"},
	        {"real", "\"1\"", "real"},
	        {"rare", "true", "rare"},
	        {"bounds_pct", "[1]", "bounds_pct"},
	        {"range", "[1, \"2\"]", "range"},
	        {"colour", "\"blue\"", "colour"},
	        {"colour", "1", "colour"},
	        {"rare_colour", "\"blue\"", "rare_colour"},
	        {"few", "8", "few"},
	        {"few", "-1", "few"},
	        {"few", "1.0", "few"},
	        {"part", "{\"name\": null}", "name"},
	        {"part", "{\"name\": \"p\", \"number\": \"1\"}", "number"},
	        {"texts", "[null]", "texts"},
	        {"costs", "[false]", "costs"},
	        {"records", "{}", "records"},
	        {"records", "[{\"name\": \"a\"}, {\"name\": \"b\"}]", "records"},
	        {"rows", "[5]", "name"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
		assert_refused(wrong[i][0], wrong[i][1], wrong[i][2]);
	for (gsize i = 0; i < G_N_ELEMENTS(whole_fields); i++) {
		const Field *field = &whole_fields[i];
		gboolean may_lack = field->presence != FIELD_ALWAYS || g_str_equal(field->key, "double");
		assert_refused(field->key, NULL, may_lack ? NULL : field->key);
	}
}

static void a_forgiving_reading_refuses_words_that_are_not_known(void **state)
{
	Whole whole;
	FieldReading reading = {.what = "text"};
	json_auto_t *object = json_loads("{\"colour\": \"blue\", \"few\": 8, \"rare\": 1}", 0, NULL);
	(void)state;
	whole_init(&whole);
	fields_read(&reading, object, FIELD_TABLE(whole_fields), &whole, FALSE);
	assert_non_null(reading.error);
	assert_string_equal(
	        reading.error->message, "text: colour 'blue' is not known; made by another version of firebreak?");
	assert_int_equal(whole.few, 8);
	g_clear_error(&reading.error);
	whole_clear(&whole);
}

static void what_says_nothing_is_left_out_and_read_as_that(void **state)
{
	Whole whole;
	FieldReading reading = {.what = "text"};
	json_auto_t *object = json_loads(whole_text, 0, NULL);
	(void)state;
	whole_init(&whole);
	whole.rare = 9;
	fields_read(&reading, object, FIELD_TABLE(whole_fields), &whole, FALSE);
	assert_true(whole.rare == 0);
	whole.rare = 2;
	whole.rare_colour = COLOUR_RED;
	json_auto_t *written = fields_json(FIELD_TABLE(whole_fields), &whole, FALSE);
	assert_true(json_real_value(json_object_get(written, "rare")) == 2);
	assert_string_equal(json_string_value(json_object_get(written, "rare_colour")), "red");
	whole_clear(&whole);
}

/* --- choices --- */

typedef struct {
	const char *name;
} Tool;

static const Tool tools[] = {{"saw"}, {"axe"}};

static gconstpointer nth_tool(guint index)
{
	return &tools[index];
}

typedef struct {
	const Tool *tool;
} Bench;

static const Field bench_fields[] = {FIELD_CHOICE("tool", Bench, tool, nth_tool, G_N_ELEMENTS(tools))};

static Bench read_bench(FieldReading *reading, const char *text)
{
	Bench bench = {NULL};
	json_auto_t *object = json_loads(text, 0, NULL);
	fields_read(reading, object, FIELD_TABLE(bench_fields), &bench, FALSE);
	return bench;
}

static void a_choice_comes_back_by_its_name(void **state)
{
	FieldReading reading = {.what = "text"};
	json_auto_t *object = fields_json(FIELD_TABLE(bench_fields), &(Bench){&tools[1]}, FALSE);
	g_autofree char *text = json_dumps(object, 0);
	(void)state;
	assert_string_equal(text, "{\"tool\": \"axe\"}");
	assert_ptr_equal(read_bench(&reading, text).tool, &tools[1]);
	assert_null(reading.error);
}

static void a_name_that_is_no_choice_is_refused(void **state)
{
	static const char *const texts[] = {"{\"tool\": \"adze\"}", "{\"tool\": \"\"}"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		FieldReading forgiving = {.what = "text"}, strict = {.strict = TRUE};
		assert_non_null(read_bench(&forgiving, texts[i]).tool);
		assert_non_null(forgiving.error);
		g_clear_error(&forgiving.error);
		read_bench(&strict, texts[i]);
		assert_string_equal(strict.problem, "tool");
	}
}

static void no_name_is_refused_by_a_strict_reading_and_the_first_choice_of_another(void **state)
{
	static const char *const texts[] = {"{\"tool\": null}", "{\"tool\": 1}", "{}"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		FieldReading forgiving = {.what = "text"}, strict = {.strict = TRUE};
		assert_ptr_equal(read_bench(&forgiving, texts[i]).tool, &tools[0]);
		assert_null(forgiving.error);
		read_bench(&strict, texts[i]);
		assert_string_equal(strict.problem, "tool");
	}
}

typedef struct {
	guint x, y;
} Spot;

static const Field spot_fields[] = {FIELD("x", COUNT, Spot, x), FIELD("y", COUNT, Spot, y)};

typedef struct {
	char *name;
	Spot spot;
} Pin;

static const Field pin_fields[] = {FIELD("name", WORDS, Pin, name), FIELD_JOIN(Pin, spot, spot_fields)};

static void the_rows_of_a_member_stand_in_the_object_itself(void **state)
{
	const char *text = "{\"name\": \"a\", \"x\": 3, \"y\": 4}";
	Pin pin = {NULL};
	(void)state;
	json_auto_t *object = json_loads(text, 0, NULL);
	fields_read(NULL, object, FIELD_TABLE(pin_fields), &pin, FALSE);
	json_auto_t *again = fields_json(FIELD_TABLE(pin_fields), &pin, FALSE);
	g_autofree char *written = json_dumps(again, 0);
	assert_string_equal(written, text);
	assert_int_equal(pin.spot.y, 4);
	g_free(pin.name);
}

static void a_key_of_a_member_that_is_missing_is_named_by_a_strict_reading(void **state)
{
	FieldReading strict = {.strict = TRUE};
	Pin pin = {NULL};
	(void)state;
	json_auto_t *object = json_loads("{\"name\": \"a\", \"x\": 3}", 0, NULL);
	fields_read(&strict, object, FIELD_TABLE(pin_fields), &pin, FALSE);
	assert_string_equal(strict.problem, "y");
	g_free(pin.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_kind_comes_back_as_it_was_written),
	        cmocka_unit_test(what_is_missing_or_of_another_type_is_read_as_nothing),
	        cmocka_unit_test(counted_costs_have_all_digits_and_no_samples),
	        cmocka_unit_test(objects_and_arrays_come_back_as_they_were_written),
	        cmocka_unit_test(a_strict_reading_names_the_first_key_that_is_missing_or_wrong),
	        cmocka_unit_test(a_forgiving_reading_refuses_words_that_are_not_known),
	        cmocka_unit_test(what_says_nothing_is_left_out_and_read_as_that),
	        cmocka_unit_test(a_choice_comes_back_by_its_name),
	        cmocka_unit_test(a_name_that_is_no_choice_is_refused),
	        cmocka_unit_test(no_name_is_refused_by_a_strict_reading_and_the_first_choice_of_another),
	        cmocka_unit_test(the_rows_of_a_member_stand_in_the_object_itself),
	        cmocka_unit_test(a_key_of_a_member_that_is_missing_is_named_by_a_strict_reading),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
