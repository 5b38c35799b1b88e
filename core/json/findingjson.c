/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/findingjson.h"

json_t *finding_list_json(const FindingList *findings, gboolean benchmarks)
{
	json_t *array = json_array();
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		json_t *object = json_object();
		json_set(object, "severity", json_string(finding_severity_name(finding->severity)));
		json_set(object, "code", json_text(finding->code));
		if (benchmarks)
			json_set(object, "benchmark", json_text(finding->benchmark));
		json_set(object, "text", json_text(finding->text));
		json_array_append_new(array, object);
	}
	return array;
}
