/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlpage.h"

#include "core/escape.h"
#include "report/html/htmlassets.h"
#include "report/html/htmltext.h"

#include <string.h>

#define SHA256_BYTES 32

void html_page_init(HtmlPage *page)
{
	page->body = g_string_new(NULL);
	page->data = g_string_new(NULL);
	page->styles = g_ptr_array_new_with_free_func(g_free);
	page->scripts = g_ptr_array_new_with_free_func(g_free);
	page->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	page->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_ptr_array_add(page->styles, g_strdup(html_style));
}

char *html_page_id(HtmlPage *page, const char *prefix, const char *text)
{
	g_autofree char *safe = escape_to_string(escape_filename, text);
	g_autofree char *wanted = g_strdup_printf("%s-%s", prefix, safe);
	char *id = g_strdup(wanted);
	for (guint n = 2; !g_hash_table_add(page->ids, g_strdup(id)); n++) {
		g_free(id);
		id = g_strdup_printf("%s.%u", wanted, n);
	}
	return id;
}

static char *words_of(const HtmlRowKey *key)
{
	return g_strjoin("\n", key->counted ? "counted" : "sampled", key->benchmark, key->module, key->name, NULL);
}

void html_page_add_row(HtmlPage *page, const HtmlRowKey *key, const char *id)
{
	g_hash_table_insert(page->rows, words_of(key), g_strdup(id));
}

const char *html_page_row(const HtmlPage *page, const HtmlRowKey *key)
{
	g_autofree char *words = words_of(key);
	return g_hash_table_lookup(page->rows, words);
}

/* The number of a text in a list, which it is added to if it is not there. */
static guint number_of(GPtrArray *list, const char *text, gsize length)
{
	for (guint i = 0; i < list->len; i++) {
		const char *other = g_ptr_array_index(list, i);
		if (strlen(other) == length && memcmp(other, text, length) == 0)
			return i;
	}
	g_ptr_array_add(list, g_strndup(text, length));
	return list->len - 1;
}

void html_page_add_style(HtmlPage *page, const char *text, gsize length)
{
	number_of(page->styles, text, length);
}

guint html_page_add_script(HtmlPage *page, const char *text, gsize length)
{
	return number_of(page->scripts, text, length);
}

void html_page_add_data(HtmlPage *page, const char *id, const char *json)
{
	g_string_append_printf(page->data, "<script type=\"application/json\" id=\"%s\">", id);
	for (; *json != '\0'; json++) {
		if (*json == '<' || *json == '>' || *json == '&')
			g_string_append_printf(page->data, "\\u%04x", (guint)*json);
		else
			g_string_append_c(page->data, *json);
	}
	g_string_append(page->data, "</script>\n");
}

static void append_hash(GString *out, const char *text)
{
	guint8 digest[SHA256_BYTES];
	gsize size = sizeof digest;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text));
	g_checksum_get_digest(checksum, digest, &size);
	g_autofree char *base64 = g_base64_encode(digest, size);
	g_string_append_printf(out, " 'sha256-%s'", base64);
}

static void append_policy(GString *out, const HtmlPage *page)
{
	g_string_append(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src");
	for (guint i = 0; i < page->styles->len; i++)
		append_hash(out, g_ptr_array_index(page->styles, i));
	g_string_append(out, "; script-src");
	append_hash(out, html_script);
	for (guint i = 0; i < page->scripts->len; i++)
		append_hash(out, g_ptr_array_index(page->scripts, i));
	g_string_append(out, "; base-uri 'none'; form-action 'none'\"/>\n");
}

static void append_head(GString *out, const HtmlPage *page, const char *title)
{
	g_string_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
	append_policy(out, page);
	g_string_append(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	                     "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	                     "<meta name=\"referrer\" content=\"no-referrer\"/>\n");
	html_element(out, "title", NULL, title);
	for (guint i = 0; i < page->styles->len; i++)
		g_string_append_printf(out, "\n<style>%s</style>", (const char *)g_ptr_array_index(page->styles, i));
	g_string_append(out, "\n</head>\n");
}

char *html_page_finish(HtmlPage *page, const char *title, gsize *length)
{
	GString *out = g_string_sized_new(page->body->len + page->data->len + 65536);
	append_head(out, page, title);
	g_string_append(out, "<body>\n");
	g_string_append_len(out, page->body->str, (gssize)page->body->len);
	g_string_append_len(out, page->data->str, (gssize)page->data->len);
	for (guint i = 0; i < page->scripts->len; i++)
		g_string_append_printf(out, "<script type=\"text/plain\" id=\"picture-script-%u\">%s</script>\n", i,
		        (const char *)g_ptr_array_index(page->scripts, i));
	g_string_append_printf(out, "<script>%s</script>\n</body>\n</html>\n", html_script);
	g_string_free(page->body, TRUE);
	g_string_free(page->data, TRUE);
	g_ptr_array_unref(page->styles);
	g_ptr_array_unref(page->scripts);
	g_hash_table_unref(page->ids);
	g_hash_table_unref(page->rows);
	memset(page, 0, sizeof *page);
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
