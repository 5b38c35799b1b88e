/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
	const char *name;
	const char *const *words;
	double cost;
} Record;

static const Field fields[] = {
        FIELD("name", TEXT, Record, name),
        FIELD("words", STRV, Record, words),
        FIELD("cost", COST, Record, cost),
};

/* Compares the document of a record, one line without its spaces, with `wanted`. */
static void check_document(JsonDocument document, const Record *record, const char *wanted)
{
	gsize length;
	document.schema = "firebreak-record/1";
	document.table = FIELD_TABLE(fields);
	g_autofree char *text = json_document(&document, record, &length);
	json_auto_t *read = json_loadb(text, length, 0, NULL);
	g_autofree char *line = json_dumps(read, JSON_COMPACT);
	assert_string_equal(line, wanted);
}

static void a_document_begins_with_its_schema(void **state)
{
	const char *const words[] = {"a", "b", NULL};
	const Record record = {"x", words, 3};
	(void)state;
	check_document((JsonDocument){.counted = TRUE}, &record,
	        "{\"schema\":\"firebreak-record/1\",\"name\":\"x\",\"words\":[\"a\",\"b\"],\"cost\":3}");
	check_document((JsonDocument){.counted = FALSE}, &(Record){NULL},
	        "{\"schema\":\"firebreak-record/1\",\"name\":null,\"words\":[],\"cost\":0.0}");
}

static void its_findings_stand_at_the_end(void **state)
{
	g_autoptr(FindingList) findings = finding_list_new();
	(void)state;
	finding_add(findings, FINDING_WARNING, "code", "parse", "text");
	check_document((JsonDocument){.findings = findings}, &(Record){"x", NULL, 0},
	        "{\"schema\":\"firebreak-record/1\",\"name\":\"x\",\"words\":[],\"cost\":0.0,\"findings\":[{"
	        "\"severity\":\"warning\",\"code\":\"code\",\"text\":\"text\"}]}");
	check_document((JsonDocument){.findings = findings, .benchmarks = TRUE}, &(Record){"x", NULL, 0},
	        "{\"schema\":\"firebreak-record/1\",\"name\":\"x\",\"words\":[],\"cost\":0.0,\"findings\":[{"
	        "\"severity\":\"warning\",\"code\":\"code\",\"benchmark\":\"parse\",\"text\":\"text\"}]}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_document_begins_with_its_schema),
	        cmocka_unit_test(its_findings_stand_at_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
