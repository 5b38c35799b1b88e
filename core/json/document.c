/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json/document.h"

#include "core/json/findingjson.h"

char *json_document(const JsonDocument *document, gconstpointer record, gsize *length)
{
	json_auto_t *root = json_object();
	json_set(root, "schema", json_string(document->schema));
	fields_write(root, document->table, record, document->counted);
	if (document->findings != NULL)
		json_set(root, "findings", finding_list_json(document->findings, document->benchmarks));
	return json_dump_text(root, length);
}
