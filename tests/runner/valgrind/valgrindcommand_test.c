/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindcommand.h"

#include "core/durable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LONG_VARIABLE "FIREBREAK_TEST_LONG"

/* A command for the benchmark with the keys `keys`; nothing of it exists. */
typedef struct {
	Config *config;
	Valgrind valgrind;
	Arena *arena;
	Side side;
	RunRequest request;
	ValgrindCommand command;
} Call;

static Call *call_new(const char *keys, const char *folder)
{
	Call *call = g_new0(Call, 1);
	g_autofree char *text = g_strdup_printf(
	        "version: 1\nbuild: {command: make}\nbenchmarks:\n  - name: sample\n    engines: [callgrind]\n%s",
	        keys);
	call->config = config_parse(text, strlen(text), CONFIG_FILE, NULL);
	assert_non_null(call->config);
	call->valgrind = (Valgrind){.program = (char *)"/bin/valgrind", .tunables = (char *)"glibc.cpu.x=1"};
	/* only names in it are asked for */
	g_autofree char *dir = g_dir_make_tmp("firebreak-command-XXXXXX", NULL);
	call->arena = arena_new(dir, NULL, NULL);
	durable_remove_tree(dir, NULL);
	call->side = (Side){.name = "base", .tree_dir = (char *)"/tree", .arena = call->arena};
	call->request = (RunRequest){
	        .benchmark = call->config->benchmarks->pdata[0],
	        .side = &call->side,
	        .pass_env = call->config->pass_env,
	};
	call->command = (ValgrindCommand){
	        .valgrind = &call->valgrind,
	        .request = &call->request,
	        .kind = VALGRIND_CALLGRIND,
	        .folder = folder,
	        .dir = folder,
	};
	return call;
}

static void call_free(Call *call)
{
	config_free(call->config);
	arena_free(call->arena);
	g_free(call);
}

/* The options, one per line. Owned by the caller. */
static char *options(const Call *call)
{
	g_autoptr(GPtrArray) argv = valgrind_command_argv(&call->command);
	return g_strjoinv("\n", (char **)argv->pdata);
}

/* Bytes of the environment, with a pointer per variable. */
static gsize environment_bytes(const Call *call)
{
	g_auto(GStrv) environment = valgrind_command_environment(&call->command);
	gsize bytes = 0;
	for (char **variable = environment; *variable != NULL; variable++)
		bytes += strlen(*variable) + 1 + sizeof(char *);
	return bytes;
}

static void any_length_of_paths_gives_an_environment_of_the_same_size(void **state)
{
	(void)state;
	Call *one = call_new("    command: [./prog]\n", "/a");
	Call *other = call_new("    command: [./prog]\n", "/a-folder/with-a/much-longer-name");
	assert_int_equal(environment_bytes(one), environment_bytes(other));
	call_free(one);
	call_free(other);
}

/* The name of the program is on the stack twice. */
static void a_longer_command_gives_a_shorter_environment(void **state)
{
	(void)state;
	Call *one = call_new("    command: [./prog]\n", "/a");
	Call *argument = call_new("    command: [./prog, abc]\n", "/a");
	Call *program = call_new("    command: [./prog12]\n", "/a");
	assert_int_equal(environment_bytes(argument), environment_bytes(one) - sizeof "abc" - sizeof(char *));
	assert_int_equal(environment_bytes(program), environment_bytes(one) - 4);
	call_free(one);
	call_free(argument);
	call_free(program);
}

static void what_is_longer_than_usual_is_padded_to_the_next_multiple(void **state)
{
	(void)state;
	g_autofree char *value = g_strnfill(20000, 'v');
	Call *one = call_new("    command: [./prog]\nenv: [" LONG_VARIABLE "]\n", "/a");
	g_setenv(LONG_VARIABLE, "", TRUE);
	gsize usual = environment_bytes(one);
	g_setenv(LONG_VARIABLE, value, TRUE);
	gsize longer = environment_bytes(one);
	g_unsetenv(LONG_VARIABLE);
	assert_true(usual < 16384);
	assert_int_equal(longer, usual + 16384);
	call_free(one);
}

static void options_follow_the_configuration(void **state)
{
	(void)state;
	Call *call =
	        call_new("    command: [./prog, -x]\n    cache: true\n    measure: region\n    call_depth: 7\n", "/a");
	g_autofree char *text = options(call);
	g_auto(GStrv) environment = valgrind_command_environment(&call->command);
	assert_true(g_str_has_prefix(text, "/bin/valgrind\n--tool=callgrind\n"));
	assert_true(g_str_has_suffix(text, "\n--\n./prog\n-x"));
	assert_non_null(strstr(text, "\n--separate-callers=7\n"));
	assert_non_null(strstr(text, "\n--dump-before=fork\n"));
	assert_non_null(strstr(text, "\n--dump-before=execve\n"));
	assert_non_null(strstr(text, "\n--LL=8388608,16,64\n"));
	assert_non_null(strstr(text, "\n--collect-atstart=no\n"));
	assert_string_equal(g_environ_getenv(environment, "FIREBREAK_VALGRIND"), "1");
	call_free(call);
}

static void without_wishes_there_are_no_caches_and_no_region(void **state)
{
	(void)state;
	Call *call = call_new("    command: [./prog]\n", "/a");
	g_autofree char *text = options(call);
	g_auto(GStrv) environment = valgrind_command_environment(&call->command);
	assert_null(strstr(text, "--cache-sim"));
	assert_null(strstr(text, "--collect-atstart"));
	assert_null(g_environ_getenv(environment, "FIREBREAK_VALGRIND"));
	call_free(call);
}

static void dhat_gets_no_options_of_callgrind(void **state)
{
	(void)state;
	Call *call = call_new("    command: [./prog]\n    cache: true\n", "/a");
	call->command.kind = VALGRIND_DHAT;
	g_autofree char *text = options(call);
	assert_non_null(strstr(text, "\n--dhat-out-file=/a/dhat.%p\n"));
	assert_non_null(strstr(text, "\n--tool=dhat\n"));
	assert_non_null(strstr(text, "\n--num-callers=500\n"));
	assert_non_null(strstr(text, "\n--log-file=/a/dhat-log.%p\n"));
	assert_null(strstr(text, "callgrind"));
	assert_null(strstr(text, "--cache-sim"));
	call_free(call);
}

static void a_percent_in_the_folder_stays_one(void **state)
{
	(void)state;
	Call *call = call_new("    command: [./prog]\n", "/50%/%p");
	g_autofree char *text = options(call);
	assert_non_null(strstr(text, "\n--callgrind-out-file=/50%%/%%p/callgrind.%p\n"));
	call_free(call);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(any_length_of_paths_gives_an_environment_of_the_same_size),
	        cmocka_unit_test(a_longer_command_gives_a_shorter_environment),
	        cmocka_unit_test(what_is_longer_than_usual_is_padded_to_the_next_multiple),
	        cmocka_unit_test(options_follow_the_configuration),
	        cmocka_unit_test(without_wishes_there_are_no_caches_and_no_region),
	        cmocka_unit_test(dhat_gets_no_options_of_callgrind),
	        cmocka_unit_test(a_percent_in_the_folder_stays_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
