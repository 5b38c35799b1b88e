/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/commandline.h"

#include "cli/options/helptext.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/nearestword.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define INT_NOT_GIVEN G_MININT
#define INT64_NOT_GIVEN G_MININT64
#define NUMBER_NOT_GIVEN (-G_MAXDOUBLE)

/* An option while it is parsed. */
typedef struct {
	const Option *option;
	void *member;
	char *text; /* of a choice */
	union {
		int number;
		gint64 number64;
		double real;
	} before; /* the member's value, which stays if the option is not given */
} Slot;

/* --- from rows to what GLib parses --- */

static gboolean refuse_option(const char *name, G_GNUC_UNUSED const char *value, gpointer data, GError **error)
{
	const Option *option = command_find_option(data, name + strspn(name, "-"), 0);
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: %s", name, option->help);
}

static GOptionArg parser_type(OptionType type)
{
	static const GOptionArg types[] = {
	        [OPTION_FLAG] = G_OPTION_ARG_NONE,
	        [OPTION_TEXT] = G_OPTION_ARG_STRING,
	        [OPTION_HINTED] = G_OPTION_ARG_STRING,
	        [OPTION_TEXTS] = G_OPTION_ARG_STRING_ARRAY,
	        [OPTION_FILE] = G_OPTION_ARG_FILENAME,
	        [OPTION_FOLDER] = G_OPTION_ARG_FILENAME,
	        [OPTION_FILES] = G_OPTION_ARG_FILENAME_ARRAY,
	        [OPTION_CHOICE] = G_OPTION_ARG_STRING,
	        [OPTION_INT] = G_OPTION_ARG_INT,
	        [OPTION_INT64] = G_OPTION_ARG_INT64,
	        [OPTION_NUMBER] = G_OPTION_ARG_DOUBLE,
	        [OPTION_REFUSED] = G_OPTION_ARG_CALLBACK,
	};
	return types[type];
}

static GOptionEntry entry_of(Slot *slot)
{
	const Option *option = slot->option;
	gpointer data = option->type == OPTION_CHOICE    ? &slot->text
	                : option->type == OPTION_REFUSED ? (gpointer)refuse_option
	                                                 : slot->member;
	gboolean bare = option->type == OPTION_REFUSED && !option_takes_value(option);
	return (GOptionEntry){option->name, option->letter, bare ? G_OPTION_FLAG_NO_ARG : 0, parser_type(option->type),
	        data, NULL, NULL};
}

/* Numbers get a value that says whether they were given. */
static void begin_slot(Slot *slot)
{
	switch (slot->option->type) {
	case OPTION_INT:
		slot->before.number = *(int *)slot->member;
		*(int *)slot->member = INT_NOT_GIVEN;
		break;
	case OPTION_INT64:
		slot->before.number64 = *(gint64 *)slot->member;
		*(gint64 *)slot->member = INT64_NOT_GIVEN;
		break;
	case OPTION_NUMBER:
		slot->before.real = *(double *)slot->member;
		*(double *)slot->member = NUMBER_NOT_GIVEN;
		break;
	default:
		break;
	}
}

/* Puts back what was there before; TRUE if the option is a number that was given. */
static gboolean end_number(Slot *slot, double *value)
{
	switch (slot->option->type) {
	case OPTION_INT:
		*value = *(int *)slot->member;
		if (*(int *)slot->member != INT_NOT_GIVEN)
			return TRUE;
		*(int *)slot->member = slot->before.number;
		return FALSE;
	case OPTION_INT64:
		*value = (double)*(gint64 *)slot->member;
		if (*(gint64 *)slot->member != INT64_NOT_GIVEN)
			return TRUE;
		*(gint64 *)slot->member = slot->before.number64;
		return FALSE;
	case OPTION_NUMBER:
		*value = *(double *)slot->member;
		if (*value != NUMBER_NOT_GIVEN)
			return TRUE;
		*(double *)slot->member = slot->before.real;
		return FALSE;
	default:
		return FALSE;
	}
}

/* Checks one option and stores the choice. On an error the message is returned, owned by the caller; else NULL. */
static char *end_slot(Slot *slot)
{
	const Option *option = slot->option;
	const char *text = option->type == OPTION_TEXT ? *(char **)slot->member : slot->text;
	double value = 0;
	gboolean bounded = option->min != 0 || option->max != 0;
	if (end_number(slot, &value) && bounded && !(value >= option->min && value <= option->max))
		return option_mistake(option, NULL);
	if (option->choices == NULL || text == NULL || option->type == OPTION_HINTED)
		return NULL;
	int choice = option_choice(option->choices, text);
	if (choice < 0)
		return option_mistake(option, text);
	if (option->type == OPTION_CHOICE)
		*(int *)slot->member = choice;
	return NULL;
}

static void clear_slot(gpointer data)
{
	g_free(((Slot *)data)->text);
}

static GArray *make_slots(const Command *command, void *options)
{
	GArray *slots = g_array_new(FALSE, TRUE, sizeof(Slot));
	g_array_set_clear_func(slots, clear_slot);
	COMMAND_FOREACH_OPTION(command, group, option)
	{
		Slot slot = {.option = option, .member = (char *)options + group->offset + option->offset};
		if (option->type != OPTION_REFUSED)
			begin_slot(&slot);
		g_array_append_val(slots, slot);
	}
	return slots;
}

/* Ends all slots, so that no number is left as it must not be seen, and returns the first mistake or NULL. */
static char *end_slots(GArray *slots)
{
	char *first = NULL;
	for (guint i = 0; i < slots->len; i++) {
		char *mistake = end_slot(&g_array_index(slots, Slot, i));
		if (first == NULL)
			first = mistake;
		else
			g_free(mistake);
	}
	return first;
}

static GOptionContext *make_context(const Command *command, GArray *slots, gboolean *help)
{
	g_autoptr(GArray) entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
	Slot help_slot = {.option = &command_help_option, .member = help};
	GOptionContext *context = g_option_context_new(NULL);
	GOptionGroup *group = g_option_group_new("", "", "", (gpointer)command, NULL);
	for (guint i = 0; i <= slots->len; i++) {
		GOptionEntry entry = entry_of(i < slots->len ? &g_array_index(slots, Slot, i) : &help_slot);
		g_array_append_val(entries, entry);
	}
	g_option_group_add_entries(group, (const GOptionEntry *)(void *)entries->data);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_main_group(context, group);
	return context;
}

/* --- names that are cut --- */

/* The only option whose name begins so, or has it in full; NULL if there is none, or more than one. */
static const char *full_name(const Command *command, const char *text, gsize length)
{
	const char *found = NULL;
	guint n = 0;
	COMMAND_FOREACH_OPTION(command, group, option)
	{
		if (strncmp(option->name, text, length) != 0)
			continue;
		if (option->name[length] == '\0')
			return option->name;
		found = option->name;
		n++;
	}
	return n == 1 ? found : NULL;
}

/* The arguments with names of long options in full. What stands after `--` stays. Owned by the caller. */
static char **complete_names(const Command *command, char *const *argv)
{
	GPtrArray *all = g_ptr_array_new();
	gboolean options_end = FALSE;
	for (; *argv != NULL; argv++) {
		options_end = options_end || strcmp(*argv, "--") == 0;
		gsize length = strcspn(*argv, "=");
		const char *name = !options_end && length > 3 && g_str_has_prefix(*argv, "--")
		                           ? full_name(command, *argv + 2, length - 2)
		                           : NULL;
		g_ptr_array_add(all, name != NULL ? g_strconcat("--", name, *argv + length, NULL) : g_strdup(*argv));
	}
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_free(all, FALSE);
}

/* --- parsing --- */

/* The option that was probably meant by one that is unknown; NULL if there is none. Borrowed from the rows. */
static const char *option_meant(const Command *command, const GError *error)
{
	const char *given = strstr(error->message, "--");
	if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || given == NULL)
		return NULL;
	g_autofree char *word = g_strndup(given + 2, strcspn(given + 2, "="));
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	COMMAND_FOREACH_OPTION(command, group, option)
	if (option->section != SECTION_HIDDEN)
		g_ptr_array_add(known, (gpointer)option->name);
	g_ptr_array_add(known, (gpointer)command_help_option.name);
	g_ptr_array_add(known, NULL);
	return nearest_word(word, (const char *const *)known->pdata);
}

static int say_unparsed(const Command *command, const GError *error)
{
	const char *meant = option_meant(command, error);
	gboolean folder = g_str_has_suffix(error->message, " -C");
	return command_usage(command, "%s%s%s%s%s", error->message, meant != NULL ? "; did you mean --" : "",
	        meant != NULL ? meant : "", meant != NULL ? "?" : "",
	        folder ? ": it goes before the command, as in git" : "");
}

char **command_parse(const Command *command, void *options, char **argv, int *exit_code)
{
	gboolean help = FALSE;
	g_autoptr(GArray) slots = make_slots(command, options);
	g_autoptr(GOptionContext) context = make_context(command, slots, &help);
	g_autoptr(GError) error = NULL;
	/* the parser moves pointers about and frees what it takes: give it a copy that owns all strings */
	g_auto(GStrv) rest = command->abbreviates ? complete_names(command, argv) : g_strdupv(argv);
	gboolean parsed = g_option_context_parse_strv(context, &rest, &error);
	g_autofree char *mistake = end_slots(slots);
	if (!parsed)
		*exit_code = say_unparsed(command, error);
	else if (help) {
		g_autofree char *text = help_text(command);
		*exit_code = print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
	} else if (mistake != NULL)
		*exit_code = command_usage(command, "%s", mistake);
	else
		return g_steal_pointer(&rest);
	return NULL;
}

int command_run(const Command *command, void *options, char **argv, guint most, CommandAction action)
{
	int code = 0;
	g_auto(GStrv) rest = command_parse(command, options, argv, &code);
	if (rest != NULL && g_strv_length(rest) - 1 > most)
		code = command_usage(command, "unexpected argument \"%s\"", rest[1 + most]);
	if (rest != NULL && code == 0)
		code = action(command, options, rest + 1);
	command_clear(command, options);
	return code;
}

char *command_file_given(const Command *command, const char *name, char **argv)
{
	const Option *option = command_find_option(command, name, 0);
	char *value = NULL;
	const GOptionEntry entries[] = {
	        {option->name, option->letter, 0, G_OPTION_ARG_FILENAME, &value, NULL, NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_auto(GStrv) arguments = g_strdupv(argv);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_ignore_unknown_options(context, TRUE);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_parse_strv(context, &arguments, NULL);
	return value;
}

int command_failed(const GError *error)
{
	g_autofree char *safe = escape_to_string(escape_terminal, error->message);
	fprintf(stderr, "firebreak: %s\n", safe);
	return firebreak_error_exit_code(error);
}

int command_usage(const Command *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	fprintf(stderr, "firebreak %s: %s\ntry `firebreak %s --help`\n", command->name, safe, command->name);
	return FIREBREAK_ERROR_USAGE;
}
