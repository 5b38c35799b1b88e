/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/discoverplace.h"

#include "core/durable.h"
#include "core/error.h"
#include "core/git/repocheckout.h"
#include "model/textpiece.h"
#include "runner/compilers/compilerfolder.h"
#include "runner/discover/discovery.h"
#include "runner/discover/sourcehints.h"
#include "runner/trees/campaignfolder.h"
#include "runner/trees/hostenv.h"

#include <string.h>
#include <sys/stat.h>

#define MAX_TEXT (4 << 20)
#define MAX_OUTPUT (32 << 20)
#define MIN_DATA 1024
#define MAX_DATA (64 << 20)
#define MAX_DEPTH 6
#define MAX_FILES 2000
#define ASK_MS (300 * 1000)

/* Nothing listens at port 9 (discard) of the machine itself. */
#define NO_PROXY "http://127.0.0.1:9"

/* The environment of builds, with variables that make downloads fail at once. */
static char **offline_environment(const BuildPlace *place)
{
	static const char *const offline[][2] = {{"http_proxy", NO_PROXY}, {"https_proxy", NO_PROXY},
	        {"HTTP_PROXY", NO_PROXY}, {"HTTPS_PROXY", NO_PROXY}, {"ALL_PROXY", NO_PROXY}, {"all_proxy", NO_PROXY},
	        {"GOPROXY", "off"}, {"GOTOOLCHAIN", "local"}, {"CARGO_NET_OFFLINE", "true"},
	        {"GIT_ALLOW_PROTOCOL", "file"}, {"PIP_NO_INDEX", "1"}, {"GIT_TERMINAL_PROMPT", "0"}};
	char **environment = build_environment(place);
	for (gsize i = 0; i < G_N_ELEMENTS(offline); i++)
		environment = g_environ_setenv(environment, offline[i][0], offline[i][1], TRUE);
	return environment;
}

static gboolean check_out(Repo *repo, const char *tree, GError **error)
{
	g_autofree char *sha = NULL;
	return repo_worktree_tree(repo, &sha, error) && repo_checkout_tree(repo, sha, tree, NULL, error) &&
	       repo_checkout_submodules(repo, sha, tree, NULL, NULL, error);
}

DiscoverPlace *discover_place_new(Repo *repo, GError **error)
{
	g_autoptr(CampaignFolder) folder = campaign_folder_new(NULL, error);
	if (folder == NULL)
		return NULL;
	const char *top = campaign_folder_path(folder);
	g_autofree char *tree = g_build_filename(top, "tree", NULL), *home = g_build_filename(top, "home", NULL);
	g_autofree char *compilers = g_build_filename(top, "compilers", NULL);
	const BuildPlace build = {.source = tree, .scratch = home, .compilers = compilers};
	if (!durable_make_dir(home, error) || !compiler_folder_make(compilers, g_getenv("PATH"), error) ||
	        !check_out(repo, tree, error))
		return NULL;
	DiscoverPlace *place = g_new0(DiscoverPlace, 1);
	place->tree = g_steal_pointer(&tree);
	place->environment = offline_environment(&build);
	place->run_environment = benchmark_environment(home, NULL, 0);
	place->folder = g_steal_pointer(&folder);
	return place;
}

DiscoverPlace *discover_place_at(const char *tree, char *const *environment)
{
	DiscoverPlace *place = g_new0(DiscoverPlace, 1);
	place->tree = g_strdup(tree);
	place->environment = g_strdupv((char **)environment);
	place->run_environment = g_strdupv((char **)environment);
	return place;
}

void discover_place_free(DiscoverPlace *place)
{
	if (place == NULL)
		return;
	campaign_folder_free(place->folder);
	g_free(place->tree);
	g_strfreev(place->environment);
	g_strfreev(place->run_environment);
	g_free(place);
}

char *discover_file(const DiscoverPlace *place, const char *path)
{
	return g_build_filename(place->tree, path, NULL);
}

gboolean discover_has(const DiscoverPlace *place, const char *path)
{
	g_autofree char *file = discover_file(place, path);
	return g_file_test(file, G_FILE_TEST_EXISTS);
}

char *discover_build_folder(const DiscoverPlace *place, const char *folder)
{
	g_autofree char *usual = discovery_path(folder, "build");
	return discover_has(place, usual) ? discovery_path(folder, "build-bench") : g_steal_pointer(&usual);
}

char *discover_text(const DiscoverPlace *place, const char *path)
{
	g_autofree char *file = discover_file(place, path);
	struct stat status;
	char *text = NULL;
	if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MAX_TEXT)
		return NULL;
	g_file_get_contents(file, &text, NULL, NULL);
	return text;
}

const char *discover_framework(const DiscoverPlace *place, const char *path)
{
	g_autofree char *text = discover_text(place, path);
	return text != NULL ? hint_framework(text) : NULL;
}

const char *discover_inside(const DiscoverPlace *place, const char *path)
{
	gsize length = strlen(place->tree);
	if (strncmp(path, place->tree, length) != 0)
		return NULL;
	return path[length] == '\0' ? "." : path[length] == '/' ? path + length + 1 : NULL;
}

const char *discover_key(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text != NULL ? text : "";
}

/* Lists of files */

gboolean discover_is_foreign(const char *name)
{
	static const char *const foreign[] = {"node_modules", "vendor", "third_party", "third-party", "thirdparty",
	        "external", "extern", "deps", "subprojects", "target", "build", "bazel-out", NULL};
	return *name == '.' || *name == '_' || g_strv_contains(foreign, name);
}

typedef struct {
	const DiscoverPlace *place;
	GPatternSpec *pattern;
	GPtrArray *files;
} Listing;

static void list_folder(const Listing *listing, const char *folder, guint depth)
{
	g_autofree char *path = discover_file(listing->place, folder);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		g_autofree char *inner = discovery_path(folder, name);
		g_autofree char *file = discover_file(listing->place, inner);
		struct stat status;
		if (lstat(file, &status) != 0)
			continue;
		if (S_ISDIR(status.st_mode) && depth < MAX_DEPTH && !discover_is_foreign(name))
			list_folder(listing, inner, depth + 1);
		else if (S_ISREG(status.st_mode) && listing->files->len < MAX_FILES &&
		         g_pattern_spec_match_string(listing->pattern, name))
			g_ptr_array_add(listing->files, g_steal_pointer(&inner));
	}
}

GPtrArray *discover_list(const DiscoverPlace *place, const char *folder, const char *pattern)
{
	const Listing listing = {place, g_pattern_spec_new(pattern), g_ptr_array_new_with_free_func(g_free)};
	list_folder(&listing, folder, 0);
	g_pattern_spec_free(listing.pattern);
	g_ptr_array_sort(listing.files, text_order);
	return listing.files;
}

GPtrArray *discover_folders(const DiscoverPlace *place)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(place->tree, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		g_autofree char *path = discover_file(place, name);
		struct stat status;
		if (!discover_is_foreign(name) && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
			g_ptr_array_add(folders, g_strdup(name));
	}
	g_ptr_array_sort(folders, text_order);
	return folders;
}

static gint64 file_size(const DiscoverPlace *place, const char *path)
{
	g_autofree char *file = discover_file(place, path);
	struct stat status;
	return lstat(file, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

/* Texts about the project are no data. */
static gboolean is_data(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	return !g_regex_match_simple(
	        "^(CMakeLists|meson|requirements|LICEN|COPYING|README|CHANGE|NEWS|TODO|AUTHORS|index)", base,
	        G_REGEX_CASELESS | G_REGEX_RAW, 0);
}

char *discover_data_file(const DiscoverPlace *place)
{
	static const char *const patterns[] = {
	        "*.xml", "*.json", "*.csv", "*.txt", "*.dat", "*.bin", "*.log", "*.html"};
	g_autofree char *largest = NULL;
	gint64 size = MIN_DATA - 1;
	for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
		g_autoptr(GPtrArray) files = discover_list(place, ".", patterns[i]);
		for (guint j = 0; j < files->len; j++) {
			const char *path = g_ptr_array_index(files, j);
			gint64 bytes = is_data(path) ? file_size(place, path) : -1;
			if (bytes > size && bytes <= MAX_DATA) {
				g_free(largest);
				largest = g_strdup(path);
				size = bytes;
			}
		}
	}
	return g_steal_pointer(&largest);
}

/* Tools */

/* The first line that matches, with the next one if it ends with a colon: CMake says there where the error is, and on
 * the next line what it is. NULL if none does. Owned by the caller. */
static char *first_match(char *const *lines, const GRegex *regex)
{
	for (; *lines != NULL; lines++) {
		if (!g_regex_match(regex, *lines, 0, NULL))
			continue;
		char *const *next = lines + 1;
		while (*next != NULL && **next == '\0')
			next++;
		return g_str_has_suffix(*lines, ":") && *next != NULL ? g_strconcat(*lines, " ", *next, NULL)
		                                                      : g_strdup(*lines);
	}
	return NULL;
}

static const char *last_line(char *const *lines)
{
	const char *last = "";
	for (; *lines != NULL; lines++)
		if (**lines != '\0')
			last = *lines;
	return last;
}

char *discover_error_line(const char *text)
{
	/* what compilers and make say of an error tells more than what a configure step did not find before it */
	static const char *const patterns[] = {
	        "\\berror:|\\berror\\[|CMake Error|: \\*\\*\\* ", "\\b(error|fatal|failed|cannot|could not)\\b"};
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	char *best = NULL;
	for (char **line = lines; *line != NULL; line++)
		g_strstrip(*line);
	for (gsize i = 0; i < G_N_ELEMENTS(patterns) && best == NULL; i++) {
		g_autoptr(GRegex) regex = g_regex_new(patterns[i], G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL);
		best = first_match(lines, regex);
	}
	g_autofree char *valid = g_utf8_make_valid(best != NULL ? best : last_line(lines), -1);
	g_free(best);
	return g_utf8_strlen(valid, -1) > 200 ? g_utf8_substring(valid, 0, 200) : g_steal_pointer(&valid);
}

/* TRUE for what tools say when they want to download something. */
static gboolean wants_download(const char *text)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex,
		        g_regex_new(
		                "GOPROXY=off|disabled by GOPROXY|transport '[a-z]+' not allowed|127\\.0\\.0\\.1 port "
		                "9\\b|127\\.0\\.0\\.1:9\\b|--offline|in offline mode|CARGO_NET_OFFLINE|"
		                "wrap-mode=nodownload|Could not resolve (host|proxy)|no required module provides",
		                G_REGEX_RAW, 0, NULL));
	return g_regex_match(regex, text, 0, NULL);
}

char *discover_failure_text(const char *trouble, const char *output)
{
	g_autofree char *line = discover_error_line(output);
	return g_strdup_printf("%s%s%s%s", trouble, *line != '\0' ? ": " : "", line,
	        wants_download(output) ? "; nothing is downloaded here: first install what it needs, or fetch it "
	                                 "(`go mod download`, `cargo fetch`, `git submodule update --init`)"
	                               : "");
}

char *discover_ask(const DiscoverPlace *place, const char *folder, const char *const *argv, char **failure)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *cwd = discover_file(place, folder);
	const ChildSpec spec = {
	        .argv = argv,
	        .envp = (const char *const *)place->environment,
	        .cwd = cwd,
	        .timeout_ms = ASK_MS,
	        .keep_bytes = MAX_OUTPUT,
	};
	g_autoptr(Child) child = child_run(&spec, &error);
	if (child == NULL) {
		if (failure != NULL)
			*failure = g_strdup(error->message);
		return NULL;
	}
	const ChildResult *result = child_result(child);
	g_autofree char *trouble = child_describe_failure(result);
	if (trouble == NULL)
		return g_strndup(result->out->str, result->out->len);
	g_autofree char *all = g_strconcat(result->err->str, "\n", result->out->str, NULL);
	g_autofree char *text = discover_failure_text(trouble, all);
	/* of the shell, what it was told */
	g_autofree char *shown = g_strdelimit(g_strdup(g_str_equal(argv[0], "/bin/sh") ? argv[2] : argv[0]), "\n", ';');
	if (failure != NULL)
		*failure = g_strdup_printf("`%s` %s", shown, text);
	return NULL;
}
