/* SPDX-License-Identifier: Apache-2.0 */
#include "core/finding.h"

struct FindingList {
	GPtrArray *items;
};

static void finding_free(gpointer data)
{
	Finding *finding = data;
	g_free(finding->code);
	g_free(finding->benchmark);
	g_free(finding->text);
	g_free(finding);
}

FindingList *finding_list_new(void)
{
	FindingList *list = g_new0(FindingList, 1);
	list->items = g_ptr_array_new_with_free_func(finding_free);
	return list;
}

void finding_list_free(FindingList *list)
{
	if (list == NULL)
		return;
	g_ptr_array_unref(list->items);
	g_free(list);
}

static gboolean is_listed(const FindingList *list, const char *code, const char *benchmark, const char *text)
{
	for (guint i = 0; i < list->items->len; i++) {
		const Finding *f = list->items->pdata[i];
		if (g_str_equal(f->code, code) && g_strcmp0(f->benchmark, benchmark) == 0 && g_str_equal(f->text, text))
			return TRUE;
	}
	return FALSE;
}

void finding_add(
        FindingList *list, FindingSeverity severity, const char *code, const char *benchmark, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	if (is_listed(list, code, benchmark, text))
		return;
	Finding *finding = g_new0(Finding, 1);
	finding->severity = severity;
	finding->code = g_strdup(code);
	finding->benchmark = g_strdup(benchmark);
	finding->text = g_steal_pointer(&text);
	g_ptr_array_add(list->items, finding);
}

guint finding_count(const FindingList *list)
{
	return list->items->len;
}

const Finding *finding_get(const FindingList *list, guint index)
{
	g_assert(index < list->items->len);
	return list->items->pdata[index];
}

gboolean finding_has(const FindingList *list, const char *code)
{
	for (guint i = 0; i < list->items->len; i++)
		if (g_str_equal(finding_get(list, i)->code, code))
			return TRUE;
	return FALSE;
}

gboolean finding_has_of(const FindingList *list, const char *code, const char *benchmark, const char *begins)
{
	for (guint i = 0; i < list->items->len; i++) {
		const Finding *finding = finding_get(list, i);
		if (g_str_equal(finding->code, code) && g_strcmp0(finding->benchmark, benchmark) == 0 &&
		        g_str_has_prefix(finding->text, begins))
			return TRUE;
	}
	return FALSE;
}

const char *finding_severity_name(FindingSeverity severity)
{
	static const char *const names[] = {"info", "warning", "error"};
	return names[severity];
}
