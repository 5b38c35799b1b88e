/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what docs/FORMATS.md says can be done with plain git commands. */
#include "baselines/calibrations.h"

#include "tests/baselines/fixture.h"

/* The script between the fences of the document. */
static char *documented_script(void)
{
	g_autofree char *path = g_build_filename(SOURCE_DIR, "docs", "FORMATS.md", NULL);
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	char *start = strstr(text, "```sh\n");
	assert_non_null(start);
	start += strlen("```sh\n");
	char *end = strstr(start, "```");
	assert_non_null(end);
	return g_strndup(start, (gsize)(end - start));
}

/* Runs the script with a store of one baseline; returns the lines it printed. */
static char **run_documented_script(const char *repo)
{
	g_autofree char *script = documented_script();
	g_autofree char *file = g_build_filename(repo, "script", NULL);
	assert_true(g_file_set_contents(file, script, -1, NULL));
	g_autofree char *out = run_in(repo, "sh -e script");
	return g_strsplit(out, "\n", -1);
}

/* Index of the first line that starts with `prefix`, from `from` on. */
static guint find_line(char **lines, guint from, const char *prefix)
{
	for (guint i = from; lines[i] != NULL; i++) {
		if (g_str_has_prefix(lines[i], prefix))
			return i;
	}
	fail_msg("no line starts with '%s'", prefix);
	return 0;
}

static void the_documented_commands_show_the_baseline(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, &error);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse", commit, "", table);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);

	g_auto(GStrv) lines = run_documented_script(repo);
	g_autofree char *ref = g_strconcat("refs/firebreak/", commit, NULL);
	assert_true(g_str_has_prefix(lines[0], ref));
	assert_true(g_str_has_suffix(lines[1], "/parse/manifest.json"));
	assert_true(g_str_has_suffix(lines[2], "/parse/stacks"));
	guint end = find_line(lines, 3, "}");
	assert_true(strlen(lines[end + 1]) == 64 && g_str_has_prefix(lines[end + 2], lines[end + 1]));
	assert_true(strlen(lines[end + 3]) == 64 && g_str_has_prefix(lines[end + 4], lines[end + 3]));
	find_line(lines, end + 5, "main;lib%3Bx.so`parse(char const*, int) 500000");
	remove_folder(repo);
}

static void put_campaign(BaselineStore *store, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Calibration) calibration = calibration_new();
	char **fields[] = {&calibration->commit, &calibration->benchmark, &calibration->fingerprint,
	        &calibration->schedule, &calibration->verdict};
	const char *values[] = {commit, "parse", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	        "sequential", "pass"};
	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_free(*fields[i]);
		*fields[i] = g_strdup(values[i]);
	}
	calibration->time_s = 1700000000;
	calibrations_put(store, calibration, &error);
	assert_no_error(error);
}

static void the_documented_commands_show_an_a_a_campaign_named_after_time_and_hash(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, &error);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse", commit, "", table);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
	put_campaign(store, commit);

	g_auto(GStrv) lines = run_documented_script(repo);
	const char *path = lines[find_line(lines, 0, "calibration/0123456789abcdef/parse/001700000000-")];
	g_autofree char *show = g_strdup_printf("git show refs/firebreak/%s:%s", commit, path);
	g_autofree char *text = run_in(repo, show); /* without the newline at its end */
	g_autofree char *whole = g_strconcat(text, "\n", NULL);
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, whole, -1);
	g_autofree char *end = g_strdup_printf("-%.16s.json", hash);
	assert_true(g_str_has_suffix(path, end));
	remove_folder(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_documented_commands_show_the_baseline),
	        cmocka_unit_test(the_documented_commands_show_an_a_a_campaign_named_after_time_and_hash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
