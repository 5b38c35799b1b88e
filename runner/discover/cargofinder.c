/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jsontext.h"
#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <string.h>

/* Where `cargo bench --no-run` leaves a program, there is a hash in its name that depends on the folder. So each is
 * copied to a name that is the same on both sides. Which one it is, cargo says: it builds the package's programs, too,
 * and one of the same name differs from the bench by its hash alone. */

/* Takes the path of the program that holds benches ("test" in the profile) from cargo's messages. */
#define EXECUTABLE "sed -n 's/.*\"test\":true},\"features\".*\"executable\":\"\\([^\"]*\\)\".*/\\1/p'"

/* A build that is being filled. */
typedef struct {
	const DiscoverPlace *place;
	const char *folder;
	char *target; /* its folder `target`, relative */
	DiscoveredBuild *build;
	const char *libtest; /* `cargo` as it is called for #[bench] */
	GPtrArray *names;    /* of all targets, owned */
} Reading;

/* `cargo` as it is called for this framework. */
static const char *cargo_for(const Reading *reading, const char *framework)
{
	return g_strcmp0(framework, "libtest") == 0 ? reading->libtest : "cargo";
}

static char *manifest_word(const Reading *reading, const char *package_folder)
{
	g_autofree char *manifest = discovery_path(package_folder, "Cargo.toml");
	g_autofree char *quoted = discovery_quote_path(manifest);
	return g_str_equal(package_folder, reading->folder) && g_str_equal(reading->folder, ".")
	               ? g_strdup("")
	               : g_strdup_printf(" --manifest-path %s", quoted);
}

/* A bench, or a library with #[bench]: `selector` is "--bench NAME" or "--lib". */
static void add_bench(const Reading *reading, const char *package_folder, const char *name, const char *selector,
        const char *framework)
{
	g_autofree char *crate = g_strdelimit(g_strdup(name), "-", '_');
	g_autofree char *manifest = manifest_word(reading, package_folder);
	g_autofree char *copies = g_strdup_printf("%s/bench", reading->target);
	g_autofree char *program = g_strdup_printf("%s/%s", copies, crate);
	g_autofree char *messages = g_strconcat(program, ".json", NULL);
	g_autofree char *copies_word = discovery_quote_path(copies), *program_word = discovery_quote_path(program),
	                *messages_word = discovery_quote_path(messages);
	g_autofree char *build =
	        g_strdup_printf("mkdir -p %s\n"
	                        "%s bench%s --no-run %s --message-format=json-render-diagnostics > %s\n"
	                        "cp \"$(" EXECUTABLE " %s)\" %s",
	                copies_word, cargo_for(reading, framework), manifest, selector, messages_word, messages_word,
	                program_word);
	g_autofree char *reason = g_strdup_printf(
	        "%s of Cargo%s%s", selector, framework != NULL ? ", " : "", framework != NULL ? framework : "");
	discovered_program_explain(
	        discovered_build_add(reading->build, name, program, package_folder, framework), build, reason);
}

/* An example or a program by its name. */
static void add_named(const Reading *reading, const char *package_folder, const char *name, gboolean example)
{
	g_autofree char *program =
	        g_strdup_printf("%s/release/%s%s", reading->target, example ? "examples/" : "", name);
	g_autofree char *manifest = manifest_word(reading, package_folder);
	g_autofree char *name_word = discovery_quote(name);
	g_autofree char *build =
	        g_strdup_printf("cargo build --release%s --%s %s", manifest, example ? "example" : "bin", name_word);
	g_autofree char *reason = g_strdup_printf("%s %s, by its name", example ? "example" : "program", name);
	discovered_program_explain(
	        discovered_build_add(reading->build, name, program, package_folder, NULL), build, reason);
}

/* TRUE if a source of the library has #[bench]. */
static gboolean library_has_benches(const Reading *reading, const char *source)
{
	g_autofree char *folder = g_path_get_dirname(source);
	g_autoptr(GPtrArray) files = discover_list(reading->place, folder, "*.rs");
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *text = discover_text(reading->place, g_ptr_array_index(files, i));
		if (text != NULL && strstr(text, "#[bench]") != NULL)
			return TRUE;
	}
	return FALSE;
}

static void add_target(const Reading *reading, const char *package_folder, const json_t *target)
{
	const char *kind = json_string_value(json_array_get(json_object_get(target, "kind"), 0));
	const char *name = discover_key(target, "name"),
	           *source = discover_inside(reading->place, discover_key(target, "src_path"));
	if (kind == NULL || source == NULL)
		return;
	g_autofree char *name_word = discovery_quote(name);
	g_autofree char *selector = g_strdup_printf("--bench %s", name_word);
	if (g_str_equal(kind, "bench"))
		add_bench(reading, package_folder, name, selector, discover_framework(reading->place, source));
	else if (g_str_equal(kind, "lib") && library_has_benches(reading, source))
		add_bench(reading, package_folder, name, "--lib", "libtest");
	else if ((g_str_equal(kind, "example") || g_str_equal(kind, "bin")) && hint_name(name))
		add_named(reading, package_folder, name, g_str_equal(kind, "example"));
}

static void add_package(const Reading *reading, const json_t *package)
{
	g_autofree char *folder = g_path_get_dirname(discover_key(package, "manifest_path"));
	const char *inside = discover_inside(reading->place, folder);
	json_t *target;
	gsize i;
	if (inside == NULL)
		return;
	json_array_foreach(json_object_get(package, "targets"), i, target)
	{
		g_ptr_array_add(reading->names, g_strdup(discover_key(target, "name")));
		add_target(reading, inside, target);
	}
}

static gboolean has_nightly(const DiscoverPlace *place)
{
	const char *argv[] = {"cargo", "+nightly", "--version", NULL};
	g_autofree char *version = discover_ask(place, ".", argv, NULL);
	return version != NULL;
}

/* The text of the file by which the project chooses its compiler; NULL if it has none. Owned by the caller. */
static char *toolchain_text(const DiscoverPlace *place)
{
	char *text = discover_text(place, "rust-toolchain.toml");
	return text != NULL ? text : discover_text(place, "rust-toolchain");
}

/* #[bench] is open to the nightly compiler alone, or to one that is told. The project's own choice stays: `+nightly`
 * would take another nightly than the one that it names, and other code comes out. */
static const char *libtest_cargo(const DiscoverPlace *place)
{
	g_autofree char *own = toolchain_text(place);
	if (own == NULL)
		return has_nightly(place) ? "cargo +nightly" : "RUSTC_BOOTSTRAP=1 cargo";
	gboolean nightly =
	        g_regex_match_simple("^\\s*(channel\\s*=\\s*[\"'])?nightly", own, G_REGEX_MULTILINE | G_REGEX_RAW, 0);
	return nightly ? "cargo" : "RUSTC_BOOTSTRAP=1 cargo";
}

static void read_metadata(Reading *reading, const json_t *metadata)
{
	const char *target = discover_inside(reading->place, discover_key(metadata, "target_directory"));
	reading->target = target != NULL ? g_strdup(target) : discovery_path(reading->folder, "target");
	json_t *package;
	gsize i;
	json_array_foreach(json_object_get(metadata, "packages"), i, package) add_package(reading, package);
	g_free(reading->target);
}

gboolean find_cargo(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *file = discovery_path(folder, "Cargo.toml");
	if (!discover_has(place, file))
		return FALSE;
	g_autofree char *manifest = discovery_path_argument(file);
	const char *argv[] = {"cargo", "metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path",
	        manifest, NULL};
	g_autofree char *failure = NULL;
	g_autofree char *text = discover_ask(place, ".", argv, &failure);
	json_auto_t *metadata = text != NULL ? json_load_text(text, strlen(text), "cargo metadata", NULL) : NULL;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Cargo", folder);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	Reading reading = {.place = place, .folder = folder, .build = build, .names = names};
	if (metadata == NULL)
		discovery_remark(discovery, "Cargo in %s: %s", folder,
		        failure != NULL ? failure : "`cargo metadata` did not answer with JSON");
	else {
		reading.libtest = libtest_cargo(place);
		read_metadata(&reading, metadata);
		if (build->programs->len == 0)
			discovery_looked_at_names(discovery, build, "target", names,
			        "there is neither a [[bench]] nor a library with #[bench]");
	}
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}
