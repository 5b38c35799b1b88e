/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/findingjson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char *text_of(const FindingList *list, gboolean benchmarks)
{
	json_auto_t *array = finding_list_json(list, benchmarks);
	char *dumped = json_dumps(array, JSON_COMPACT), *text = g_strdup(dumped);
	free(dumped);
	return text;
}

static void benchmarks_stand_before_the_text_where_they_are_wanted(void **state)
{
	(void)state;
	g_autoptr(FindingList) list = finding_list_new();
	finding_add(list, FINDING_WARNING, "few_rounds", "parse", "only 5 rounds");
	finding_add(list, FINDING_INFO, "a", NULL, "later");
	g_autofree char *with = text_of(list, TRUE), *without = text_of(list, FALSE);
	assert_string_equal(with, "[{\"severity\":\"warning\",\"code\":\"few_rounds\",\"benchmark\":\"parse\","
	                          "\"text\":\"only 5 rounds\"},"
	                          "{\"severity\":\"info\",\"code\":\"a\",\"benchmark\":null,\"text\":\"later\"}]");
	assert_string_equal(without, "[{\"severity\":\"warning\",\"code\":\"few_rounds\",\"text\":\"only 5 rounds\"},"
	                             "{\"severity\":\"info\",\"code\":\"a\",\"text\":\"later\"}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(benchmarks_stand_before_the_text_where_they_are_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
