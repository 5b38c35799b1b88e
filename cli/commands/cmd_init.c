#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/repo.h"
#include "runner/config/config.h"

#include <stdio.h>

/* Commands that build a project, by the file that tells its kind; the first match wins. */
static const struct {
	const char *file, *command;
} builds[] = {
        {"CMakeLists.txt", "cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build -j2"},
        {"meson.build", "meson setup build --buildtype=debugoptimized && meson compile -C build"},
        {"Cargo.toml", "cargo build --release"},
        {"go.mod", "go build ./..."},
        {"configure", "./configure && make -j2"},
        {"Makefile", "make -j2"},
};

static char *make_config(const char *root)
{
	const char *command = "make";
	for (gsize i = 0; i < G_N_ELEMENTS(builds); i++) {
		g_autofree char *path = g_build_filename(root, builds[i].file, NULL);
		if (g_file_test(path, G_FILE_TEST_EXISTS)) {
			command = builds[i].command;
			break;
		}
	}
	return g_strdup_printf(
	        "version: 1\n"
	        "build:\n"
	        "  # its flags stay as they are; compilers that it finds in PATH add frame pointers and debug "
	        "information\n"
	        "  command: %s\n"
	        "benchmarks:\n"
	        "  # a fixed amount of work, from 0.3 to 2 seconds of CPU time, that exits with 0\n"
	        "  - name: main\n"
	        "    command: [" CONFIG_EXAMPLE_PROGRAM ", some, argument]\n"
	        "    # engines: [callgrind]  # gate on exact instruction counts under valgrind instead of CPU time\n",
	        command);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	g_auto(GStrv) rest = command_parse(command, NULL, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[1]);
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(".", &error);
	if (repo == NULL)
		return command_failed(error);
	const char *root = repo_path_workdir(repo);
	if (root == NULL)
		return command_usage(command, "a bare repository has no place for " CONFIG_FILE);
	g_autofree char *path = g_build_filename(root, CONFIG_FILE, NULL);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return command_usage(command, "%s is there already", path);
	g_autofree char *text = make_config(root);
	if (!durable_write_file(path, text, -1, &error))
		return command_failed(error);
	fprintf(stderr, "wrote %s; name your benchmark in it, commit it, then run `firebreak check --head worktree`\n",
	        path);
	return 0;
}

const Command init_command = {
        .name = "init",
        .arguments = "",
        .summary = "write a " CONFIG_FILE " for this project",
        .run = run,
};
