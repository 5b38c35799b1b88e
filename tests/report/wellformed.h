/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on the XML that we write: GLib's parser. Collects what the test asks for. */
#pragma once

#include <cmocka.h>
#include <glib.h>
#include <string.h>

typedef struct {
	GPtrArray *elements; /* of char *: names of elements in document order */
	GString *text;       /* all character data */
} WellFormed;

static inline void wellformed_start(GMarkupParseContext *context, const char *name, const char **names,
        const char **values, gpointer data, GError **error)
{
	(void)context;
	(void)values;
	(void)error;
	for (guint i = 0; names[i] != NULL; i++)
		assert_false(g_str_has_prefix(names[i], "on")); /* no event handlers */
	g_ptr_array_add(((WellFormed *)data)->elements, g_strdup(name));
}

static inline void wellformed_text(
        GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
	(void)context;
	(void)error;
	g_string_append_len(((WellFormed *)data)->text, text, (gssize)length);
}

static inline WellFormed wellformed_parse(const char *xml)
{
	static const GMarkupParser parser = {.start_element = wellformed_start, .text = wellformed_text};
	WellFormed result = {g_ptr_array_new_with_free_func(g_free), g_string_new(NULL)};
	g_autoptr(GError) error = NULL;
	GMarkupParseContext *context = g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &result, NULL);
	gboolean good = g_markup_parse_context_parse(context, xml, -1, &error) &&
	                g_markup_parse_context_end_parse(context, &error);
	g_markup_parse_context_free(context);
	if (!good)
		fail_msg("not well-formed: %s", error->message);
	return result;
}

static inline guint wellformed_count(const WellFormed *xml, const char *element)
{
	guint count = 0;
	for (guint i = 0; i < xml->elements->len; i++)
		count += strcmp(g_ptr_array_index(xml->elements, i), element) == 0;
	return count;
}

static inline void wellformed_clear(WellFormed *xml)
{
	g_ptr_array_unref(xml->elements);
	g_string_free(xml->text, TRUE);
}
