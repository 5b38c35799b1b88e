/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of all commands: each is parsed into its member, checked, and said in --help. */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/helptext.h"
#include "cli/output/reportformats.h"
#include "runner/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define STRUCT_BYTES 65536

/* A value that the option takes, and that is not what stands in a member of zeros. Owned by the caller. */
static char *some_value(const Option *option)
{
	switch (option->type) {
	case OPTION_INT:
	case OPTION_INT64:
	case OPTION_NUMBER:
		return g_strdup_printf("%.0f", MAX(option->max > 0 && option->max < 5 ? 1 : 5, option->min));
	default:
		if (option->choices != NULL)
			return g_strdup(option->choices[g_strv_length((char **)option->choices) - 1]);
		return g_strdup("text");
	}
}

/* Parses one word (and a second, if it is not NULL); returns the exit code, 0 if all is well. */
static int parse(const Command *command, void *options, const char *word, const char *next)
{
	char *argv[] = {(char *)command->name, (char *)word, (char *)next, NULL};
	int code = 0;
	g_auto(GStrv) rest = command_parse(command, options, argv, &code);
	return code;
}

static void assert_reaches(
        const Command *command, const OptionGroup *group, const Option *option, const char *word, const char *next)
{
	g_autofree char *options = g_malloc0(STRUCT_BYTES);
	if (parse(command, options, word, next) != 0)
		fail_msg("%s %s: refused", command->name, word);
	if (!option_is_set(option, options + group->offset))
		fail_msg("%s %s: nothing is stored", command->name, word);
	COMMAND_FOREACH_OPTION(command, other_group, other)
	/* a synonym has the same member */
	if (other_group->offset + other->offset != group->offset + option->offset && other->type != OPTION_REFUSED &&
	        option_is_set(other, options + other_group->offset))
		fail_msg("%s %s: --%s is set, too", command->name, word, other->name);
	command_clear(command, options);
}

static void every_option_reaches_its_member_and_no_other(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			if (option->type == OPTION_REFUSED)
				continue;
			g_autofree char *value = option_takes_value(option) ? some_value(option) : NULL;
			g_autofree char *name =
			        g_strconcat("--", option->name, value != NULL ? "=" : NULL, value, NULL);
			const char letter[] = {'-', option->letter, '\0'};
			assert_reaches(commands[i], group, option, name, NULL);
			if (option->letter != 0)
				assert_reaches(commands[i], group, option, letter, value);
		}
	}
}

static void a_refused_option_is_an_error_of_usage(void **state)
{
	(void)state;
	guint n = 0;
	for (guint i = 0; commands[i] != NULL; i++) {
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			if (option->type != OPTION_REFUSED)
				continue;
			g_autofree char *options = g_malloc0(STRUCT_BYTES);
			g_autofree char *name =
			        g_strdup_printf("--%s%s", option->name, option_takes_value(option) ? "=x" : "");
			assert_int_equal(parse(commands[i], options, name, NULL), 2);
			n++;
		}
	}
	assert_true(n > 4);
}

static void assert_refused(const Command *command, const Option *option, const char *value)
{
	g_autofree char *options = g_malloc0(STRUCT_BYTES);
	g_autofree char *word = g_strdup_printf("--%s=%s", option->name, value);
	if (parse(command, options, word, NULL) != 2)
		fail_msg("%s %s: taken", command->name, word);
	command_clear(command, options);
}

static void values_out_of_bounds_and_other_words_are_refused(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			gboolean number = option->type == OPTION_INT || option->type == OPTION_INT64 ||
			                  option->type == OPTION_NUMBER;
			if (number && (option->min != 0 || option->max != 0))
				assert_refused(commands[i], option, "-1");
			if (number && option->min > 0)
				assert_refused(commands[i], option, "0");
			if (number && option->max > 0 && option->max < G_MAXINT)
				assert_refused(commands[i], option, "2147483647");
			if (option->choices != NULL && option->type != OPTION_HINTED)
				assert_refused(commands[i], option, "no-such-choice");
		}
	}
}

static void a_number_that_is_not_given_stays_what_it_was(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			if (option->type != OPTION_INT)
				continue;
			g_autofree char *options = g_malloc0(STRUCT_BYTES);
			int *member = (int *)(void *)(options + group->offset + option->offset);
			*member = 17;
			assert_int_equal(parse(commands[i], options, "--no-such-option", NULL), 2);
			assert_int_equal(*member, 17);
			assert_int_equal(parse(commands[i], options, NULL, NULL), 0);
			assert_int_equal(*member, 17);
		}
	}
}

static void every_option_is_in_the_help_with_its_choices(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		g_autofree char *help = help_text(commands[i]);
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			if (option->section == SECTION_HIDDEN)
				continue;
			g_autofree char *usage = option_usage(option);
			g_autofree char *line = g_strconcat(" ", usage, NULL);
			assert_non_null(strstr(help, line));
			for (guint c = 0; option->choices != NULL && option->choices[c] != NULL; c++)
				if (strstr(help, option->choices[c]) == NULL)
					fail_msg("%s --%s: the help does not name %s", commands[i]->name, option->name,
					        option->choices[c]);
		}
	}
}

static void names_and_letters_of_a_command_differ(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			assert_ptr_equal(command_find_option(commands[i], option->name, 0), option);
			assert_true(option->letter == 0 ||
			            command_find_option(commands[i], NULL, option->letter) == option);
			assert_string_not_equal(option->name, "help");
			assert_int_not_equal(option->letter, 'h');
		}
	}
}

static void help_is_one_line_without_full_stop(void **state)
{
	(void)state;
	for (guint i = 0; commands[i] != NULL; i++) {
		assert_false(g_str_has_suffix(commands[i]->summary, "."));
		COMMAND_FOREACH_OPTION(commands[i], group, option)
		{
			if (option->section == SECTION_HIDDEN)
				continue;
			assert_non_null(option->help);
			assert_null(strchr(option->help, '\n'));
			assert_true(!g_str_has_suffix(option->help, ".") || g_str_has_suffix(option->help, "..."));
		}
	}
}

static void names_may_be_cut_only_where_the_command_says_so(void **state)
{
	(void)state;
	g_autofree char *options = g_malloc0(STRUCT_BYTES);
	assert_int_equal(parse(&flamegraph_command, options, "--minw=1", NULL), 0);
	command_clear(&flamegraph_command, options);
	memset(options, 0, STRUCT_BYTES);
	assert_int_equal(parse(&check_command, options, "--bas=x", NULL), 2);
}

static void the_value_of_an_option_is_no_argument(void **state)
{
	(void)state;
	g_auto(GStrv) with = g_strsplit("record -qo file --cpu 0 --timeout=3 -e cycles make -x", " ", -1);
	g_auto(GStrv) without = g_strsplit("record -qo file --cpu 0 --timeout=3 -e cycles", " ", -1);
	assert_string_equal(command_first_argument(&record_command, with), "make");
	assert_null(command_first_argument(&record_command, without));
}

static void a_folder_is_found_in_a_line_with_mistakes(void **state)
{
	(void)state;
	g_auto(GStrv) with = g_strsplit("check --nonsense -o there --rounds many", " ", -1);
	g_auto(GStrv) without = g_strsplit("check --nonsense --rounds many", " ", -1);
	g_autofree char *folder = command_file_given(&check_command, "out", with);
	assert_string_equal(folder, "there");
	assert_null(command_file_given(&check_command, "out", without));
}

static void schedules_are_named_as_in_the_configuration(void **state)
{
	(void)state;
	const char *const *choices = command_find_option(&check_command, "schedule", 0)->choices;
	for (guint i = 0; choices[i] != NULL; i++)
		assert_string_equal(choices[i], schedule_name((Schedule)i));
	assert_int_equal(g_strv_length((char **)choices), SCHEDULE_SEQUENTIAL + 1);
}

static void formats_of_a_report_are_those_that_are_offered(void **state)
{
	(void)state;
	g_autofree char *help = report_formats_help();
	g_auto(GStrv) lines = g_strsplit(help, "\n  ", -1);
	assert_int_equal(g_strv_length(lines), g_strv_length((char **)output_form_names) + 1);
	for (guint i = 0; output_form_names[i] != NULL; i++) {
		g_autofree char *begins = g_strconcat(output_form_names[i], " ", NULL);
		assert_true(g_str_has_prefix(lines[i + 1], begins));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_option_reaches_its_member_and_no_other),
	        cmocka_unit_test(a_refused_option_is_an_error_of_usage),
	        cmocka_unit_test(values_out_of_bounds_and_other_words_are_refused),
	        cmocka_unit_test(a_number_that_is_not_given_stays_what_it_was),
	        cmocka_unit_test(every_option_is_in_the_help_with_its_choices),
	        cmocka_unit_test(names_and_letters_of_a_command_differ),
	        cmocka_unit_test(help_is_one_line_without_full_stop),
	        cmocka_unit_test(names_may_be_cut_only_where_the_command_says_so),
	        cmocka_unit_test(the_value_of_an_option_is_no_argument),
	        cmocka_unit_test(a_folder_is_found_in_a_line_with_mistakes),
	        cmocka_unit_test(schedules_are_named_as_in_the_configuration),
	        cmocka_unit_test(formats_of_a_report_are_those_that_are_offered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
