/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/option.h"

#include <float.h>
#include <string.h>

#define FEW_CHOICES 4

gboolean option_takes_value(const Option *option)
{
	return option->argument != NULL;
}

const char *option_section_title(OptionSection section)
{
	static const char *const titles[N_OPTION_SECTIONS] = {
	        [SECTION_GENERAL] = "Options",
	        [SECTION_SIDES] = "What is measured",
	        [SECTION_MEASURING] = "How it is measured",
	        [SECTION_VERDICT] = "The verdict",
	        [SECTION_READING] = "Reading files",
	        [SECTION_PICTURE] = "The picture",
	        [SECTION_OUTPUT] = "Output",
	        [SECTION_ADVANCED] = "Seldom needed",
	};
	g_assert(section < N_OPTION_SECTIONS);
	return titles[section];
}

OptionOffer option_offer(const Option *option)
{
	switch (option->type) {
	case OPTION_FILE:
	case OPTION_FILES:
		return OFFER_FILES;
	case OPTION_FOLDER:
		return OFFER_FOLDERS;
	default:
		if (g_strcmp0(option->argument, "REV") == 0)
			return OFFER_REVISIONS;
		return g_strcmp0(option->argument, "REMOTE") == 0 ? OFFER_REMOTES : OFFER_NOTHING;
	}
}

static const void *member(const Option *option, const void *rows_struct)
{
	return (const char *)rows_struct + option->offset;
}

gboolean option_is_set(const Option *option, const void *rows_struct)
{
	const void *at = member(option, rows_struct);
	switch (option->type) {
	case OPTION_FLAG:
	case OPTION_INT:
	case OPTION_CHOICE:
		return *(const int *)at != 0;
	case OPTION_INT64:
		return *(const gint64 *)at != 0;
	case OPTION_NUMBER:
		return *(const double *)at != 0;
	case OPTION_REFUSED:
		return FALSE;
	default:
		return *(void *const *)at != NULL;
	}
}

void option_clear(const Option *option, void *rows_struct)
{
	void *at = (char *)rows_struct + option->offset;
	switch (option->type) {
	case OPTION_TEXT:
	case OPTION_HINTED:
	case OPTION_FILE:
	case OPTION_FOLDER:
		g_clear_pointer((char **)at, g_free);
		break;
	case OPTION_TEXTS:
	case OPTION_FILES:
		g_clear_pointer((char ***)at, g_strfreev);
		break;
	default:
		break;
	}
}

char *option_usage(const Option *option)
{
	GString *text = g_string_new(NULL);
	if (option->letter != 0)
		g_string_append_printf(text, "-%c", option->letter);
	if (option->name != NULL)
		g_string_append_printf(text, "%s--%s", option->letter != 0 ? ", " : "", option->name);
	if (option_takes_value(option))
		g_string_append_printf(text, "%s%s", option->name != NULL ? "=" : " ", option->argument);
	return g_string_free(text, FALSE);
}

char *option_choices_text(const char *const *choices)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; choices[i] != NULL; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ", choices[i]);
	return g_string_free(text, FALSE);
}

int option_choice(const char *const *choices, const char *text)
{
	for (int i = 0; choices[i] != NULL; i++)
		if (strcmp(choices[i], text) == 0)
			return i;
	return -1;
}

char *option_mistake(const Option *option, const char *value)
{
	if (option->mistake != NULL)
		return g_strdup(option->mistake);
	if (option->choices != NULL) {
		gboolean many = g_strv_length((char **)option->choices) > FEW_CHOICES;
		g_autofree char *choices =
		        many ? g_strjoinv(", ", (char **)option->choices) : option_choices_text(option->choices);
		return g_strdup_printf("--%s is %s%s, not \"%s\"", option->name, many ? "one of " : "", choices, value);
	}
	if (option->min == DBL_MIN)
		return g_strdup_printf("--%s takes a number above 0, at most %g", option->name, option->max);
	if (option->max >= G_MAXINT)
		return g_strdup_printf("--%s takes a number, %.0f or more", option->name, option->min);
	return g_strdup_printf("--%s takes a number from %.0f to %.0f", option->name, option->min, option->max);
}
