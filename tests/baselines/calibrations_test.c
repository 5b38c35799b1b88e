/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/calibrations.h"

#include "baselines/calibrationtext.h"
#include "baselines/inventory.h"
#include "baselines/refwrite.h"
#include "baselines/seal.h"
#include "baselines/storedentry.h"
#include "baselines/transfer.h"
#include "tests/baselines/fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#define KIND_A "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
#define KIND_B "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define WRITERS 6
#define PUTS 10

typedef struct {
	char *repo;
	char *first, *second; /* commits */
	BaselineStore *store;
	FindingList *findings;
} World;

static void replace(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

/* An A/A campaign of a benchmark on kind A, told apart by its time. */
static Calibration *campaign(const char *benchmark, const char *commit, gint64 time_s)
{
	Calibration *calibration = calibration_new();
	replace(&calibration->benchmark, benchmark);
	replace(&calibration->commit, commit);
	replace(&calibration->fingerprint, KIND_A);
	replace(&calibration->schedule, "coscheduled");
	replace(&calibration->verdict, "pass");
	calibration->time_s = time_s;
	calibration->seed = G_MAXUINT64;
	calibration->rounds = 8;
	calibration->functions = 40;
	calibration->false_functions = 1;
	calibration->smallest_p = 1.0 / 3;
	CalibrationMetric *clock = calibration_add_metric(calibration, "task-clock", &engine_perf);
	*clock = (CalibrationMetric){clock->name, clock->engine, 1.0 / 1.01, .013, .02, .0179, TRUE, FALSE, TRUE};
	CalibrationMetric *own = calibration_add_metric(calibration, "latency \xff", &engine_benchmark);
	own->regressed = TRUE;
	return calibration;
}

static void put(World *world, const char *benchmark, const char *commit, gint64 time_s)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Calibration) calibration = campaign(benchmark, commit, time_s);
	(void)calibrations_put(world->store, calibration, &error);
	assert_no_error(error);
}

static void put_baseline(World *world, const char *benchmark, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, "", table);
	(void)baseline_store_put(world->store, measurement, &error);
	assert_no_error(error);
}

static GPtrArray *list_of(World *world, const char *benchmark, const char *fingerprint)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *list = calibrations_list(world->store, benchmark, fingerprint, world->findings, &error);
	assert_no_error(error);
	return list;
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->first);
	do_in(world->repo, "git commit -q --allow-empty -m second");
	world->second = run_in(world->repo, "git rev-parse HEAD");
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	world->findings = finding_list_new();
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	baseline_store_free(world->store);
	finding_list_free(world->findings);
	remove_folder(world->repo);
	g_free(world->first);
	g_free(world->second);
	g_free(world);
	return 0;
}

static void assert_same_campaign(const Calibration *a, const Calibration *b)
{
	assert_string_equal(a->benchmark, b->benchmark);
	assert_string_equal(a->commit, b->commit);
	assert_string_equal(a->fingerprint, b->fingerprint);
	assert_string_equal(a->schedule, b->schedule);
	assert_string_equal(a->verdict, b->verdict);
	assert_int_equal(a->time_s, b->time_s);
	assert_int_equal(a->seed, b->seed);
	assert_int_equal(a->rounds, b->rounds);
	assert_int_equal(a->functions, b->functions);
	assert_int_equal(a->false_functions, b->false_functions);
	assert_same_double(a->smallest_p, b->smallest_p);
	assert_int_equal(a->metrics->len, b->metrics->len);
	for (guint i = 0; i < a->metrics->len; i++) {
		const CalibrationMetric *x = a->metrics->pdata[i], *y = b->metrics->pdata[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->engine, y->engine);
		assert_same_double(x->change_ratio, y->change_ratio);
		assert_same_double(x->sd_log, y->sd_log);
		assert_same_double(x->margin, y->margin);
		assert_same_double(x->mde_ratio, y->mde_ratio);
		assert_int_equal(x->gates, y->gates);
		assert_int_equal(x->regressed, y->regressed);
		assert_int_equal(x->passed, y->passed);
	}
}

static void a_campaign_comes_back_as_it_was(void **state)
{
	World *world = *state;
	put(world, "a name / with .. bad\nbytes\xff", world->first, 1700000000);
	g_autoptr(Calibration) wanted = campaign("a name / with .. bad\nbytes\xff", world->first, 1700000000);
	g_autoptr(GPtrArray) list = list_of(world, wanted->benchmark, KIND_A);
	assert_int_equal(list->len, 1);
	assert_same_campaign(wanted, list->pdata[0]);
	assert_int_equal(finding_count(world->findings), 0);
	do_in(world->repo, "git fsck --strict --no-dangling");
}

static void an_empty_store_has_no_campaigns(void **state)
{
	g_autoptr(GPtrArray) list = list_of(*state, "parse", NULL);
	assert_int_equal(list->len, 0);
}

static void campaigns_of_all_commits_are_listed_newest_first(void **state)
{
	World *world = *state;
	put(world, "parse", world->first, 300);
	put(world, "parse", world->second, 100);
	put(world, "parse", world->second, 400);
	put(world, "parse", world->first, 1000000000000); /* more digits than the others */
	put(world, "sort", world->first, 500);
	static const gint64 times[] = {1000000000000, 400, 300, 100};
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	assert_int_equal(list->len, G_N_ELEMENTS(times));
	for (guint i = 0; i < list->len; i++)
		assert_int_equal(((Calibration *)list->pdata[i])->time_s, times[i]);
}

static void equal_times_are_ordered_by_commit_and_seed(void **state)
{
	World *world = *state;
	for (guint i = 0; i < 4; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Calibration) calibration = campaign("parse", i % 2 ? world->first : world->second, 300);
		calibration->seed = 9 - i;
		(void)calibrations_put(world->store, calibration, &error);
		assert_no_error(error);
	}
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	assert_int_equal(list->len, 4);
	for (guint i = 1; i < list->len; i++) {
		const Calibration *a = list->pdata[i - 1], *b = list->pdata[i];
		int by_commit = strcmp(a->commit, b->commit);
		assert_true(by_commit < 0 || (by_commit == 0 && a->seed < b->seed));
	}
}

static void other_kinds_of_machines_are_left_out_unless_any_will_do(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(Calibration) other = campaign("parse", world->first, 100);
	replace(&other->fingerprint, KIND_B);
	(void)calibrations_put(world->store, other, &error);
	assert_no_error(error);
	put(world, "parse", world->first, 200);
	g_autoptr(GPtrArray) a = list_of(world, "parse", KIND_A);
	g_autoptr(GPtrArray) b = list_of(world, "parse", KIND_B);
	g_autoptr(GPtrArray) any = list_of(world, "parse", NULL);
	g_autoptr(GPtrArray) same_digits = list_of(world, "parse", "0123456789abcdef" KIND_A);
	assert_int_equal(a->len, 1);
	assert_int_equal(b->len, 1);
	assert_string_equal(((Calibration *)b->pdata[0])->fingerprint, KIND_B);
	assert_int_equal(any->len, 2);
	assert_int_equal(same_digits->len, 0);
}

static void storing_the_same_campaign_twice_changes_nothing(void **state)
{
	World *world = *state;
	g_autofree char *command = g_strconcat("git rev-parse refs/firebreak/", world->first, NULL);
	put(world, "parse", world->first, 100);
	g_autofree char *before = run_in(world->repo, command);
	put(world, "parse", world->first, 100);
	g_autofree char *after = run_in(world->repo, command);
	assert_string_equal(before, after);
}

static void the_order_of_writes_does_not_show(void **state)
{
	World *world = *state;
	g_autofree char *show = g_strconcat("git rev-parse refs/firebreak/", world->first, NULL);
	g_autofree char *drop = g_strconcat("git update-ref -d refs/firebreak/", world->first, NULL);
	put(world, "parse", world->first, 100);
	put_baseline(world, "parse", world->first);
	put(world, "parse", world->first, 200);
	g_autofree char *one = run_in(world->repo, show);
	do_in(world->repo, drop);
	put_baseline(world, "parse", world->first);
	put(world, "parse", world->first, 200);
	put(world, "parse", world->first, 100);
	g_autofree char *other = run_in(world->repo, show);
	assert_string_equal(one, other);
}

static void baselines_and_campaigns_of_a_commit_survive_each_other(void **state)
{
	World *world = *state;
	g_autoptr(StackTable) table = stack_table_new();
	put(world, "parse", world->first, 100);
	put_baseline(world, "parse", world->first);
	put(world, "parse", world->first, 200);
	put_baseline(world, "parse", world->first);
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	g_autoptr(Measurement) baseline = baseline_store_get(world->store, world->first, NULL, "parse", table, NULL);
	assert_int_equal(list->len, 2);
	assert_non_null(baseline);
}

static void what_could_not_be_read_again_is_not_stored(void **state)
{
	World *world = *state;
	static const char *const verdicts[] = {"error", "", "fine"};
	for (guint i = 0; i < G_N_ELEMENTS(verdicts); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Calibration) calibration = campaign("parse", world->first, 100);
		replace(&calibration->verdict, verdicts[i]);
		assert_false(calibrations_put(world->store, calibration, &error));
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	}
	g_autoptr(GError) error = NULL;
	g_autoptr(Calibration) calibration = campaign("parse", "worktree", 100);
	assert_false(calibrations_put(world->store, calibration, &error));
	assert_error_code(error, FIREBREAK_ERROR_USAGE);
	g_autofree char *refs = run_in(world->repo, "git for-each-ref refs/firebreak/");
	assert_string_equal(refs, "");
}

static void no_more_than_the_newest_are_read(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(RefFile));
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	for (guint i = 0; i < CALIBRATIONS_MAX + 10; i++) {
		g_autoptr(Calibration) calibration = campaign("parse", world->first, 1000 + i);
		GString *text = calibration_text_write(calibration);
		char *path = stored_campaign_path(calibration, text);
		RefFile file = {path, text};
		g_array_append_val(files, file);
		g_ptr_array_add(paths, path);
		g_ptr_array_add(texts, text);
	}
	RefChanges changes = {.files = files};
	(void)ref_store_write(baseline_store_refs(world->store), world->first, &changes, 1600000000, &error);
	assert_no_error(error);
	for (guint i = 0; i < texts->len; i++)
		g_string_free(texts->pdata[i], TRUE);
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	assert_int_equal(list->len, CALIBRATIONS_MAX);
	assert_int_equal(((Calibration *)list->pdata[0])->time_s, 1000 + CALIBRATIONS_MAX + 9);
	assert_int_equal(((Calibration *)list->pdata[CALIBRATIONS_MAX - 1])->time_s, 1010);
}

/* --- damage --- */

/* The path of the loose object of `name`. */
static char *object_path(const char *repo, const char *name)
{
	g_autofree char *command = g_strdup_printf("git rev-parse --verify %s", name);
	g_autofree char *oid = run_in(repo, command);
	return g_strdup_printf("%s/.git/objects/%.2s/%s", repo, oid, oid + 2);
}

static char *campaign_path(const char *commit, gint64 time_s)
{
	g_autoptr(Calibration) calibration = campaign("parse", commit, time_s);
	GString *text = calibration_text_write(calibration);
	char *path = stored_campaign_path(calibration, text);
	g_string_free(text, TRUE);
	return path;
}

/* With a fresh look at the store, as nothing is cached there. */
static gboolean verify(World *world)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(BaselineStore) fresh = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	gboolean ok = TRUE;
	baseline_store_verify(fresh, findings, &ok, &error);
	assert_no_error(error);
	assert_int_equal(finding_has(findings, "baseline_corrupt"), !ok);
	return ok;
}

static guint list_fresh(World *world, FindingList *findings)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(BaselineStore) fresh = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	g_autoptr(GPtrArray) list = calibrations_list(fresh, "parse", KIND_A, findings, &error);
	assert_no_error(error);
	return list->len;
}

static void a_damaged_campaign_is_a_finding_and_the_others_count(void **state)
{
	World *world = *state;
	put(world, "parse", world->first, 100);
	put(world, "parse", world->first, 200);
	assert_true(verify(world));
	g_autofree char *place = campaign_path(world->first, 100);
	g_autofree char *name = g_strdup_printf("refs/firebreak/%s:%s", world->first, place);
	g_autofree char *path = object_path(world->repo, name);
	g_autofree char *content = NULL;
	gsize length;
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	const gsize lengths[] = {0, 1, length / 2, length - 1, length};
	for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
		g_autoptr(FindingList) findings = finding_list_new();
		content[length / 2] ^= 0x10;
		assert_true(g_file_set_contents(path, content, (gssize)lengths[i], NULL));
		content[length / 2] ^= 0x10;
		assert_int_equal(list_fresh(world, findings), 1);
		assert_int_equal(finding_count(findings), 1);
		assert_true(finding_has(findings, "calibration_damaged"));
		assert_false(verify(world));
	}
}

static void a_damaged_folder_or_ref_is_a_finding(void **state)
{
	World *world = *state;
	put(world, "parse", world->first, 100);
	put(world, "parse", world->second, 200);
	static const char *const below[] = {
	        "", "^{tree}", ":calibration", ":calibration/aaaaaaaaaaaaaaaa", ":calibration/aaaaaaaaaaaaaaaa/parse"};
	for (guint i = 0; i < G_N_ELEMENTS(below); i++) {
		g_autoptr(FindingList) findings = finding_list_new();
		g_autoptr(GError) error = NULL;
		g_autofree char *name = g_strdup_printf("refs/firebreak/%s%s", world->first, below[i]);
		g_autofree char *path = object_path(world->repo, name), *content = NULL;
		gsize length;
		assert_true(g_file_get_contents(path, &content, &length, NULL));
		assert_true(g_file_set_contents(path, content, (gssize)length / 2, NULL));
		assert_int_equal(list_fresh(world, findings), 1);
		assert_int_equal(finding_count(findings), 1);
		assert_false(verify(world));
		g_autoptr(BaselineStore) fresh = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
		g_autoptr(Calibration) more = campaign("parse", world->first, 300);
		assert_false(calibrations_put(fresh, more, &error));
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
		assert_true(g_file_set_contents(path, content, (gssize)length, NULL));
	}
	assert_true(verify(world));
}

/* Writes `text` where it does not belong, or what is no campaign where one belongs. */
static void write_text(World *world, const char *commit, const char *path, const char *text)
{
	g_autoptr(GError) error = NULL;
	GString *content = g_string_new(text);
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(RefFile));
	RefFile file = {path, content};
	g_array_append_val(files, file);
	RefChanges changes = {.files = files};
	(void)ref_store_write(baseline_store_refs(world->store), commit, &changes, 1600000000, &error);
	g_string_free(content, TRUE);
	assert_no_error(error);
}

static void what_lies_where_it_does_not_belong_is_not_believed(void **state)
{
	World *world = *state;
	g_autoptr(Calibration) calibration = campaign("parse", world->first, 100);
	GString *text = calibration_text_write(calibration);
	g_autofree char *own = stored_campaign_path(calibration, text);
	static const char folder[] = "calibration/aaaaaaaaaaaaaaaa/parse/";
	static const char *const names[] = {"000000000200-0000000000000000.json", "x.json", "-9.json"};
	write_text(world, world->second, own, text->str); /* of another commit */
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_strconcat(folder, names[i], NULL);
		write_text(world, world->first, path, text->str);
	}
	g_autofree char *skipped = g_strconcat(folder, "notes.txt", NULL);
	write_text(world, world->first, skipped, "not of the documented form");
	write_text(world, world->first, "calibration/kind/parse/x.json", "likewise");
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	assert_int_equal(list->len, 0);
	assert_int_equal(finding_count(world->findings), 1 + G_N_ELEMENTS(names));
	g_string_free(text, TRUE);
}

static void texts_with_members_of_the_wrong_kind_are_refused(void **state)
{
	static const char *const changes[][2] = {{"\"time_s\": 100", "\"time_s\": -1"},
	        {"\"seed\": \"", "\"seed\": \"9"}, {"\"rounds\": 8", "\"rounds\": 9007199254740993"},
	        {"\"pass\"", "\"error\""}, {"\"coscheduled\"", "\"both\""}, {"\"aaaa", "\"AAAA"},
	        {"\"metrics\": [", "\"metrics\": [3, "}, {"\"margin\": 0.02", "\"margin\": \"2\""},
	        {"\"gates\": true", "\"gates\": 1"}, {"\"smallest_p\"", "\"p\""}};
	(void)state;
	g_autoptr(Calibration) calibration = campaign("parse", "00", 100);
	GString *text = calibration_text_write(calibration);
	char *members = strstr(text->str, "\"benchmark\"");
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autoptr(GError) error = NULL;
		g_auto(GStrv) parts = g_strsplit(members, changes[i][0], 2);
		assert_int_equal(g_strv_length(parts), 2);
		g_autofree char *changed = g_strjoinv(changes[i][1], parts);
		g_autofree char *object = g_strconcat("{\n ", g_strchomp(changed), NULL);
		GString *sealed = seal_json("firebreak-calibration", 1, object);
		assert_null(calibration_text_read(sealed, &error));
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
		g_string_free(sealed, TRUE);
	}
	g_string_free(text, TRUE);
}

/* --- together with what lists, checks and exports baselines --- */

static void the_list_counts_campaigns_beside_the_baselines(void **state)
{
	World *world = *state;
	put(world, "a / b", world->first, 100);
	put(world, "a / b", world->first, 200);
	put(world, "z", world->first, 100);
	put_baseline(world, "z", world->first);
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	static const struct {
		const char *benchmark;
		guint campaigns, runs;
	} rows[] = {{"z", 0, 3}, {"a / b", 2, 0}, {"z", 1, 0}};
	assert_int_equal(list->len, G_N_ELEMENTS(rows));
	for (guint i = 0; i < list->len; i++) {
		const BaselineEntry *entry = list->pdata[i];
		assert_string_equal(entry->benchmark, rows[i].benchmark);
		assert_int_equal(entry->campaigns, rows[i].campaigns);
		assert_int_equal(entry->runs, rows[i].runs);
		assert_int_equal(strlen(entry->fingerprint), 64);
		assert_null(entry->problem);
	}
}

static void a_damaged_campaign_is_listed_with_its_problem(void **state)
{
	World *world = *state;
	write_text(world, world->first, "calibration/aaaaaaaaaaaaaaaa/parse/x.json", "garbage");
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	assert_int_equal(list->len, 1);
	const BaselineEntry *entry = list->pdata[0];
	assert_int_equal(entry->campaigns, 1);
	assert_string_equal(entry->benchmark, "parse");
	assert_non_null(entry->problem);
	assert_false(verify(world));
}

static void exports_carry_campaigns(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *file = g_build_filename(world->repo, "exported.json", NULL);
	put(world, "parse", world->first, 100); /* also without any baseline */
	for (guint with_baseline = 0; with_baseline < 2; with_baseline++) {
		g_autofree char *show = g_strdup_printf("git rev-parse refs/firebreak/%s^{tree}", world->first);
		g_autofree char *before = run_in(world->repo, show);
		g_autofree char *drop = g_strconcat("git update-ref -d refs/firebreak/", world->first, NULL);
		(void)baseline_export(world->store, world->first, file, &error);
		assert_no_error(error);
		do_in(world->repo, drop);
		G_GNUC_UNUSED g_autofree char *commit = baseline_import(world->store, file, NULL, &error);
		assert_no_error(error);
		g_autofree char *after = run_in(world->repo, show);
		assert_string_equal(before, after);
		put_baseline(world, "parse", world->first);
	}
	g_autofree char *other = baseline_import(world->store, file, world->second, &error);
	assert_no_error(error);
	assert_string_equal(other, world->second);
	assert_true(verify(world));
	g_autoptr(GPtrArray) list = list_of(world, "parse", KIND_A);
	assert_int_equal(list->len, 2);
}

/* --- many writers --- */

/* In a child: campaigns and baselines in turn, the former with times of its own. */
static int write_many(const char *repo, const char *commit, guint writer)
{
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, NULL);
	for (guint i = 0; store != NULL && i < PUTS; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(StackTable) table = stack_table_new();
		g_autofree char *name = g_strdup_printf("writer-%u-%u", writer, i);
		g_autoptr(Calibration) calibration = campaign("parse", commit, 1 + writer * PUTS + i);
		g_autoptr(Measurement) measurement = awkward_measurement(name, commit, "", table);
		if (!calibrations_put(store, calibration, &error) || !baseline_store_put(store, measurement, &error)) {
			print_message("%s: %s\n", name, error->message);
			return 1;
		}
	}
	return store == NULL;
}

static void writers_of_one_commit_lose_nothing(void **state)
{
	World *world = *state;
	pid_t pids[WRITERS];
	for (guint i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0)
			_exit(write_many(world->repo, world->first, i));
	}
	for (guint i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GPtrArray) entries = baseline_store_list(world->store, NULL);
	assert_int_equal(list_fresh(world, findings), WRITERS * PUTS);
	assert_int_equal(entries->len, WRITERS * PUTS + 1);
	assert_int_equal(finding_count(findings), 0);
	assert_true(verify(world));
	do_in(world->repo, "git fsck --strict --no-dangling");
}

static void in_a_huge_store_campaigns_of_the_history_are_found(void **state)
{
	World *world = *state;
	g_autofree char *tip = g_strdup_printf("refs/firebreak/%s", world->second);
	g_autoptr(GString) refs = g_string_new("# pack-refs with: peeled fully-peeled sorted \n");
	put(world, "b", world->second, 100);
	g_autofree char *reads = g_strdup_printf("git rev-parse %s", tip);
	g_autofree char *oid = run_in(world->repo, reads);
	for (guint i = 0; i <= CALIBRATIONS_MAX_COMMITS; i++)
		g_string_append_printf(refs, "%s refs/firebreak/%040x\n", oid, i);
	g_autofree char *packed = g_build_filename(world->repo, ".git", "packed-refs", NULL);
	assert_true(g_file_set_contents(packed, refs->str, -1, NULL));
	g_autoptr(GPtrArray) list = list_of(world, "b", NULL);
	assert_int_equal(list->len, 1);
	/* nobody looked at the others, whose campaign is of another commit */
	assert_int_equal(finding_count(world->findings), 0);
}

#define in_world(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        in_world(a_campaign_comes_back_as_it_was),
	        in_world(an_empty_store_has_no_campaigns),
	        in_world(campaigns_of_all_commits_are_listed_newest_first),
	        in_world(equal_times_are_ordered_by_commit_and_seed),
	        in_world(other_kinds_of_machines_are_left_out_unless_any_will_do),
	        in_world(storing_the_same_campaign_twice_changes_nothing),
	        in_world(the_order_of_writes_does_not_show),
	        in_world(baselines_and_campaigns_of_a_commit_survive_each_other),
	        in_world(what_could_not_be_read_again_is_not_stored),
	        in_world(no_more_than_the_newest_are_read),
	        in_world(a_damaged_campaign_is_a_finding_and_the_others_count),
	        in_world(a_damaged_folder_or_ref_is_a_finding),
	        in_world(what_lies_where_it_does_not_belong_is_not_believed),
	        cmocka_unit_test(texts_with_members_of_the_wrong_kind_are_refused),
	        in_world(the_list_counts_campaigns_beside_the_baselines),
	        in_world(a_damaged_campaign_is_listed_with_its_problem),
	        in_world(exports_carry_campaigns),
	        in_world(writers_of_one_commit_lose_nothing),
	        in_world(in_a_huge_store_campaigns_of_the_history_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
