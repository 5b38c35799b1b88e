/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerflags.h"

#include "runner/compilers/goflags.h"

#include <string.h>

#define FRAME_POINTERS "-fno-omit-frame-pointer"
/* on machines where the compiler has leaf functions go without one by themselves */
#define LEAF_FRAME_POINTERS "-mno-omit-leaf-frame-pointer"
/* a function that moves by a few bytes keeps its place in the lines of the instruction cache */
#define ALIGNMENT "-falign-functions=32"
#define DEBUG "-g"
#define BUILD_ID "-Wl,--build-id"
#define RUST_FRAME_POINTERS "force-frame-pointers=yes"
#define RUST_STRIP "strip=none"
/* The same for Rust. A loop cost 24 % more where its function began 32 bytes later in a line of 64, so a line it is. */
#define RUST_ALIGNMENT "llvm-args=-align-all-functions=6"
#define RUST_DEBUG "debuginfo=1" /* functions and lines, by the name that every rustc knows */

/* "gcc-12.1" -> "gcc" and "x86_64-linux-gnu-g++" -> "g++". Owned by the caller. */
static char *plain_name(const char *name)
{
	const char *end = name + strlen(name), *version = end;
	while (version > name && (g_ascii_isdigit(version[-1]) || version[-1] == '.'))
		version--;
	if (version > name + 1 && version < end && version[-1] == '-')
		end = version - 1;
	g_autofree char *without_version = g_strndup(name, (gsize)(end - name));
	const char *dash = strrchr(without_version, '-');
	return g_strdup(dash != NULL ? dash + 1 : without_version);
}

CompilerKind compiler_kind(const char *name)
{
	static const struct {
		const char *name;
		CompilerKind kind;
	} known[] = {{"cc", COMPILER_C}, {"c++", COMPILER_C}, {"gcc", COMPILER_C}, {"g++", COMPILER_C},
	        {"clang", COMPILER_CLANG}, {"clang++", COMPILER_CLANG}};
	if (g_str_equal(name, "rustc"))
		return COMPILER_RUST;
	if (g_str_equal(name, "go"))
		return COMPILER_GO;
	g_autofree char *plain = plain_name(name);
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		if (g_str_equal(plain, known[i].name))
			return known[i].kind;
	return COMPILER_NONE;
}

/* TRUE unless the name says that the code is for a machine without the option. There the compiler would refuse it. */
static gboolean has_leaf_option(const char *name)
{
	static const char *const targets[] = {"x86_64-", "i386-", "i486-", "i586-", "i686-", "aarch64-"};
	g_autofree char *plain = plain_name(name);
	if (g_str_has_prefix(name, plain)) {
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
		return TRUE;
#else
		return FALSE;
#endif
	}
	for (gsize i = 0; i < G_N_ELEMENTS(targets); i++)
		if (g_str_has_prefix(name, targets[i]))
			return TRUE;
	return FALSE;
}

/* Collects what the arguments ask for. */
typedef struct {
	gboolean inputs;       /* there is a file to compile or to link */
	gboolean links;        /* up to the end: neither -c nor -S nor -E */
	gboolean has_debug;    /* a level of debug information above 0 */
	gboolean only_answers; /* the compiler is asked about itself */
} Request;

static gboolean is_one_of(const char *argument, const char *const *list)
{
	return g_strv_contains(list, argument);
}

/* Options whose value is the next argument, which is then no input. */
static gboolean takes_value(const char *argument)
{
	static const char *const options[] = {"-o", "-D", "-U", "-I", "-L", "-l", "-x", "-include", "-imacros",
	        "-isystem", "-iquote", "-idirafter", "-isysroot", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
	        "-Xpreprocessor", "-Xclang", "-u", "-z", "-T", "-e", "-target", "-arch", "--param", NULL};
	return is_one_of(argument, options);
}

/* "-g", "-g3", "-ggdb2", "-gdwarf-4" and the like; the last one counts. Not "-g0", nor "-gno-..." and the like, which
 * are about details. */
static void read_debug(Request *request, const char *argument)
{
	const char *level = argument + 2;
	if (g_str_equal(level, "0") || g_str_equal(level, "gdb0"))
		request->has_debug = FALSE;
	else if (*level == '\0' || g_ascii_isdigit(*level) || g_str_has_prefix(level, "gdb") ||
	         g_str_equal(level, "line-tables-only") ||
	         (g_str_has_prefix(level, "dwarf") && !g_str_has_prefix(level, "dwarf32") &&
	                 !g_str_has_prefix(level, "dwarf64")))
		request->has_debug = TRUE;
}

static Request read_request(char *const *arguments)
{
	static const char *const answers[] = {
	        "--version", "--help", "-dumpversion", "-dumpmachine", "-dumpspecs", "-dumpfullversion", "-###", NULL};
	static const char *const stops[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", NULL};
	Request request = {.links = TRUE};
	for (char *const *at = arguments; *at != NULL; at++) {
		const char *argument = *at;
		if (is_one_of(argument, answers) || g_str_has_prefix(argument, "-print-") ||
		        g_str_has_prefix(argument, "--print-"))
			request.only_answers = TRUE;
		else if (is_one_of(argument, stops))
			request.links = FALSE;
		else if (takes_value(argument) && at[1] != NULL)
			at++;
		else if (g_str_has_prefix(argument, "-g"))
			read_debug(&request, argument);
		else if (*argument != '-' || g_str_equal(argument, "-"))
			request.inputs = TRUE;
	}
	return request;
}

/* Arguments of the linker that remove the names of functions, or their lines. */
static gboolean strips(const char *argument)
{
	static const char *const all[] = {
	        "-s", "-Wl,-s", "-Wl,-S", "-Wl,--strip-all", "-Wl,--strip-debug", "--strip-all", "--strip-debug", NULL};
	return is_one_of(argument, all);
}

static void add(GPtrArray *arguments, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add(GPtrArray *arguments, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	g_ptr_array_add(arguments, g_strdup_vprintf(format, values));
	va_end(values);
}

static void add_c(GPtrArray *to, const CompilerPlan *plan, const Request *request)
{
	/* clang warns of options that a step does not need, and -Werror makes that an error */
	if (plan->kind == COMPILER_CLANG)
		add(to, "-Qunused-arguments");
	if (!request->has_debug)
		add(to, DEBUG);
	add(to, FRAME_POINTERS);
	if (has_leaf_option(plan->name))
		add(to, LEAF_FRAME_POINTERS);
	add(to, ALIGNMENT);
	if (plan->source != NULL && *plan->source != '\0')
		add(to, "-ffile-prefix-map=%s=.", plan->source);
	if (plan->layout > 0)
		add(to, "-ffunction-sections");
	if (request->links)
		add(to, BUILD_ID);
	if (request->links && plan->layout > 0) {
		/* The linker of GNU binutils cannot shuffle. */
		add(to, "-fuse-ld=lld");
		add(to, "-Wl,--shuffle-sections=.text*=%u", plan->layout);
	}
}

/* The value of a codegen option in "-Cname=value", or in "name=value" after "-C"; NULL if it is another one. */
static const char *codegen_value(char *const *at, const char *name)
{
	const char *option = g_str_has_prefix(*at, "-C") && (*at)[2] != '\0' ? *at + 2
	                     : g_str_equal(*at, "-C")                        ? at[1]
	                                                                     : NULL;
	gsize length = strlen(name);
	return option != NULL && strncmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1
	                                                                                     : NULL;
}

/* LLVM takes the option once, and only LLVM does. */
static gboolean can_align(char *const *arguments)
{
	for (char *const *at = arguments; *at != NULL; at++)
		if (strstr(*at, "align-all-functions") != NULL || strstr(*at, "codegen-backend") != NULL)
			return FALSE;
	return TRUE;
}

static void add_rust(GPtrArray *to, const CompilerPlan *plan, char *const *arguments)
{
	gboolean has_debug = FALSE;
	for (char *const *at = arguments; *at != NULL; at++) {
		const char *level = codegen_value(at, "debuginfo");
		if (level != NULL)
			has_debug = !g_str_equal(level, "0") && !g_str_equal(level, "none");
		else if (g_str_equal(*at, "-g"))
			has_debug = TRUE;
	}
	add(to, "-C");
	add(to, RUST_FRAME_POINTERS);
	add(to, "-C");
	add(to, RUST_STRIP);
	if (can_align(arguments)) {
		add(to, "-C");
		add(to, RUST_ALIGNMENT);
	}
	if (!has_debug) {
		add(to, "-C");
		add(to, RUST_DEBUG);
	}
	if (plan->source != NULL && *plan->source != '\0')
		add(to, "--remap-path-prefix=%s=.", plan->source);
}

GPtrArray *compiler_arguments(const CompilerPlan *plan, char *const *arguments)
{
	if (plan->kind == COMPILER_GO)
		return go_arguments(arguments);
	GPtrArray *result = g_ptr_array_new_with_free_func(g_free);
	Request request = read_request(arguments);
	gboolean changes = plan->kind != COMPILER_NONE && request.inputs && !request.only_answers;
	for (char *const *at = arguments; *at != NULL; at++) {
		gboolean is_value = at > arguments && takes_value(at[-1]);
		if (!changes || plan->kind == COMPILER_RUST || is_value || !strips(*at))
			g_ptr_array_add(result, g_strdup(*at));
	}
	if (changes && plan->kind == COMPILER_RUST)
		add_rust(result, plan, arguments);
	else if (changes)
		add_c(result, plan, &request);
	g_ptr_array_add(result, NULL);
	return result;
}

const char *compiler_flags_text(void)
{
	return DEBUG " " FRAME_POINTERS " " LEAF_FRAME_POINTERS " " ALIGNMENT " " BUILD_ID " -C " RUST_FRAME_POINTERS
	             " -C " RUST_STRIP " -C " RUST_ALIGNMENT " -C " RUST_DEBUG;
}
