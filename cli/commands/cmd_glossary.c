/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/pagetext.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/json/document.h"

#include <string.h>

/* docs/GLOSSARY.md, made part of the program by the build: sections, and a table of terms and meanings in each. */
extern const char glossary_page[];

#define WIDTH 80
#define INDENT 4

typedef struct {
	gboolean json;
} Options;

static const Option option_rows[] = {
        {"json", 0, OPTION_FLAG, NULL, "print the terms as JSON (docs/schema/glossary-1.json)", offsetof(Options, json),
                .section = SECTION_OUTPUT},
};

typedef struct {
	char *section, *term, *meaning;
} Term;

static void term_free(gpointer data)
{
	Term *term = data;
	g_free(term->section);
	g_free(term->term);
	g_free(term->meaning);
	g_free(term);
}

/* A cell without Markdown: no backticks, and of a link its text. Owned by the caller. */
static char *plain_cell(const char *cell)
{
	GString *text = g_string_new(NULL);
	for (const char *c = cell; *c != '\0'; c++) {
		const char *link = g_str_has_prefix(c, "](") ? strchr(c, ')') : NULL;
		gboolean opens = *c == '[' && strstr(c, "](") != NULL && strcspn(c, "]") == strcspn(c + 1, "[]") + 1;
		if (link != NULL)
			c = link;
		else if (*c != '`' && !opens)
			g_string_append_c(text, *c);
	}
	g_strstrip(text->str);
	return g_string_free(text, FALSE);
}

/* "| term | meaning |" */
static Term *read_row(const char *section, const char *line)
{
	g_auto(GStrv) cells = g_strsplit(line, "|", -1);
	if (g_strv_length(cells) != 4 || g_str_has_prefix(line, "|--") || g_str_has_prefix(line, "| Term "))
		return NULL;
	Term *term = g_new0(Term, 1);
	term->section = g_strdup(section);
	term->term = plain_cell(cells[1]);
	term->meaning = plain_cell(cells[2]);
	return term;
}

/* Of Term; owned by the caller. */
static GPtrArray *read_terms(void)
{
	GPtrArray *terms = g_ptr_array_new_with_free_func(term_free);
	g_auto(GStrv) lines = g_strsplit(glossary_page, "\n", -1);
	const char *section = "";
	for (guint i = 0; lines[i] != NULL; i++) {
		Term *term = read_row(section, lines[i]);
		if (g_str_has_prefix(lines[i], "## "))
			section = lines[i] + strlen("## ");
		if (term != NULL)
			g_ptr_array_add(terms, term);
	}
	return terms;
}

/* TRUE if one of the names of the term has the word in it, whatever its case. */
static gboolean is_about(const Term *term, const char *word)
{
	g_autofree char *name = g_utf8_casefold(term->term, -1), *wanted = g_utf8_casefold(word, -1);
	return strstr(name, wanted) != NULL;
}

static void keep_about(GPtrArray *terms, const char *word)
{
	for (guint i = terms->len; word != NULL && i-- > 0;)
		if (!is_about(terms->pdata[i], word))
			g_ptr_array_remove_index(terms, i);
}

static char *terms_text(const GPtrArray *terms)
{
	GString *text = g_string_new(NULL);
	const char *section = NULL;
	for (guint i = 0; i < terms->len; i++) {
		const Term *term = terms->pdata[i];
		if (g_strcmp0(section, term->section) != 0)
			g_string_append_printf(text, "%s%s\n", i > 0 ? "\n" : "", term->section);
		section = term->section;
		g_string_append_printf(text, "  %s\n", term->term);
		page_fill(text, term->meaning, 0, INDENT, WIDTH);
	}
	return g_string_free(text, FALSE);
}

static const Field term_fields[] = {
        FIELD("section", WORDS, Term, section),
        FIELD("term", WORDS, Term, term),
        FIELD("meaning", WORDS, Term, meaning),
};

typedef struct {
	GPtrArray *terms;
} Document;

static const Field document_fields[] = {
        FIELD_RECORDS("terms", Document, terms, Term, term_fields, 0),
};

static char *terms_json(GPtrArray *terms)
{
	const JsonDocument document = {.schema = "firebreak-glossary/1", .table = FIELD_TABLE(document_fields)};
	return json_document(&document, &(Document){terms}, NULL);
}

static int explain(const Command *command, void *options, char **words)
{
	const Options *o = options;
	g_autoptr(GPtrArray) terms = read_terms();
	keep_about(terms, words[0]);
	if (terms->len == 0)
		return command_usage(command, "no term has \"%s\" in it; `firebreak glossary` prints all", words[0]);
	g_autofree char *text = o->json ? terms_json(terms) : terms_text(terms);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, 1, explain);
}

const Command glossary_command = {
        .name = "glossary",
        .arguments = "[TERM]",
        .summary = "explain the terms of reports, pictures and messages",
        .description = "Prints what each term means; with TERM only those that have it in their name.",
        .examples = "  firebreak glossary pp\n"
                    "  firebreak glossary \"cost shift\"",
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
