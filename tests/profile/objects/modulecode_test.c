/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/modulecode.h"

#include "tests/profile/folderexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A program around `probe`: what it calls and uses, with room for other things before it. */
#define SOURCE(before, body)                                                                                           \
	"#include <string.h>\n"                                                                                        \
	"struct node { struct node *next; long key, value; };\n"                                                       \
	"long sink = 1; double ratio = 1;\n" before "\n"                                                               \
	"__attribute__((noinline)) long helper(long n) { __asm__(\"\"); return n * sink; }\n"                          \
	"__attribute__((noinline)) long other(long n) { __asm__(\"\"); return n + sink; }\n"                           \
	"__attribute__((noinline)) long probe(struct node *node, long n, long m)\n"                                    \
	"{\n"                                                                                                          \
	"	long sum = 0;\n" body "\n"                                                                             \
	"	return sum + sink;\n"                                                                                        \
	"}\n"                                                                                                          \
	"int main(int argc, char **argv) { (void)argv; return (int)probe(0, argc, sink); }\n"

#define BODY                                                                                                           \
	"	for (; node; node = node->next)\n"                                                                           \
	"		if (node->key == n) sum += helper(node->value) + 100;\n"                                                    \
	"	ratio *= 1.5;\n"                                                                                             \
	"	switch (m) { case 1: sum += 3; break; case 2: sum *= 5; break; case 3: sum = helper(7); break;\n"            \
	"	case 4: sum -= n; break; case 5: sum ^= 8; break; case 6: sum = m; break; }\n"                               \
	"	sum += (long)strlen((const char *)node);\n"

static const char usual[] = SOURCE("", BODY);
/* functions and variables before it, and text of another length */
static const char moved[] =
        SOURCE("long more[100] = {1}; const char *text = \"some more text\";\n"
               "__attribute__((noinline)) long first(long n) { return n * sink * more[n] + text[n]; }\n"
               "__attribute__((noinline)) long second(long n) { return first(n) + first(n + 1); }\n",
                BODY);

static const struct {
	const char *what, *text, *replacement;
} edits[] = {
        {"a number", "+ 100", "+ 101"},
        {"an offset in a struct", "node->value", "node->key"},
        {"a register", "sum -= n", "sum -= m"},
        {"the called function", "sum = helper(7)", "sum = other(7)"},
        {"the called function of a library", "(long)strlen((const char *)node)", "(long)strdup((const char *)node)"},
        {"a constant", "ratio *= 1.5", "ratio *= 2.5"},
        {"a comparison", "node->key == n", "node->key < n"},
        {"a statement more", "sum ^= 8", "sum ^= 8; sink++"},
};

/* Hash of the function of this name in a program; 0 if there is none. */
static CodeHash hash_of(const char *path, const char *name)
{
	ObjectFile file;
	ElfSymbols symbols;
	CodeHash hash = {0};
	assert_true(object_file_open(&file, path, NULL));
	elf_symbols_init(&symbols, &file);
	ModuleCode *code = module_code_new(&file, &symbols);
	for (guint i = 0; i < symbols.symbols->len; i++) {
		const ElfSymbol *symbol = &g_array_index(symbols.symbols, ElfSymbol, i);
		const ModuleCodeQuery query = {.symbol = symbol, .address = symbol->start};
		if (g_str_equal(symbol->name, name))
			hash = module_code_hash(code, &query);
	}
	module_code_free(code);
	elf_symbols_clear(&symbols);
	object_file_close(&file);
	return hash;
}

/* A compiler that tests are run with. */
typedef struct {
	const char *program, *options;
} Compiler;

static const Compiler compilers[] = {
        {"gcc", "-O2 -fno-builtin-strdup"},
        {"gcc", "-O2 -no-pie -fno-pie -fno-builtin-strdup"},
        {"gcc", "-O2 -shared -fPIC"},
        {"gcc", "-Os -falign-functions=1"},
        {"gcc", "-O3 -static"},
        {"clang", "-O2"},
        {"clang", "--target=aarch64-linux-gnu -O2 -nostdlib -nostdinc -I. -fuse-ld=lld -shared -fPIC"},
        {"aarch64-linux-gnu-gcc", "-O2"},
};

/* FALSE if this compiler is not here. */
static gboolean hash_source(const Example *e, const Compiler *compiler, const char *source, CodeHash *hash)
{
	gboolean is_bare = strstr(compiler->options, "-nostdinc") != NULL;
	g_auto(GStrv) parts = g_strsplit(source, "#include <string.h>\n", 2);
	g_autofree char *bare =
	        g_strconcat("unsigned long strlen(const char *); char *strdup(const char *);\n", parts[1], NULL);
	g_autofree char *path = compile(
	        e->folder, compiler->program, compiler->options, "example.c", is_bare ? bare : source, "example");
	if (path == NULL)
		return FALSE;
	*hash = hash_of(path, "probe");
	assert_true(hash->hash != 0 && hash->sketch != 0);
	return TRUE;
}

static void code_that_moved_has_the_same_hash(void **state)
{
	guint n_checked = 0;
	for (guint i = 0; i < G_N_ELEMENTS(compilers); i++) {
		CodeHash before, after;
		if (!hash_source(*state, &compilers[i], usual, &before) ||
		        !hash_source(*state, &compilers[i], moved, &after))
			continue;
		if (before.hash != after.hash)
			print_error("%s %s\n", compilers[i].program, compilers[i].options);
		assert_true(before.hash == after.hash && before.sketch == after.sketch);
		n_checked++;
	}
	if (n_checked == 0) {
		print_message("skipped: no working compiler\n");
		skip();
	}
}

static void check_edits(const Example *e, const Compiler *compiler, const CodeHash *before)
{
	for (guint i = 0; i < G_N_ELEMENTS(edits); i++) {
		CodeHash after = {0};
		g_auto(GStrv) parts = g_strsplit(usual, edits[i].text, 2);
		assert_non_null(parts[1]);
		g_autofree char *edited = g_strconcat(parts[0], edits[i].replacement, parts[1], NULL);
		assert_true(hash_source(e, compiler, edited, &after));
		if (before->hash == after.hash)
			print_error("%s: %s %s\n", edits[i].what, compiler->program, compiler->options);
		assert_true(before->hash != after.hash);
	}
}

static void edited_code_has_another_hash(void **state)
{
	guint n_checked = 0;
	for (guint i = 0; i < G_N_ELEMENTS(compilers); i++) {
		CodeHash before;
		if (!hash_source(*state, &compilers[i], usual, &before))
			continue;
		check_edits(*state, &compilers[i], &before);
		n_checked++;
	}
	if (n_checked == 0) {
		print_message("skipped: no working compiler\n");
		skip();
	}
}

static void a_renamed_function_keeps_its_hash(void **state)
{
	CodeHash before = {0};
	const Example *e = *state;
	if (!hash_source(e, &compilers[0], usual, &before)) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	g_auto(GStrv) parts = g_strsplit(usual, "probe", -1);
	g_autofree char *renamed = g_strjoinv("renamed", parts);
	g_autofree char *path = compile(e->folder, "gcc", compilers[0].options, "example.c", renamed, "example");
	assert_true(hash_of(path, "renamed").hash == before.hash);
}

/* A clone of the callee has a suffix that comes and goes. */
static void the_name_of_a_callee_is_that_without_the_suffix_of_a_clone(void **state)
{
	static const char text[] = "	.globl _start\n	.type probe, @function\n"
	                           "_start: ret\n"
	                           "probe: call %s\n	ret\n	.size probe, . - probe\n"
	                           "	.type %s, @function\n%s: nop\n	ret\n	.size %s, 2\n";
	static const char *const names[] = {"callee", "callee.constprop.0", "another"};
	CodeHash hashes[G_N_ELEMENTS(names)];
	const Example *e = *state;
	/* other machines have no `call` */
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *source = g_strdup_printf(text, names[i], names[i], names[i], names[i]);
		g_autofree char *path = compile(e->folder, "gcc", "-nostdlib", "example.s", source, "example");
		if (path == NULL) {
			print_message("skipped: no working gcc for x86-64\n");
			skip();
		}
		hashes[i] = hash_of(path, "probe");
		assert_int_not_equal(hashes[i].hash, 0);
	}
	assert_true(hashes[0].hash == hashes[1].hash);
	assert_true(hashes[0].hash != hashes[2].hash);
}

static void what_is_in_no_function_has_no_hash(void **state)
{
	ObjectFile file;
	ElfSymbols symbols;
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-O2", "example.c", usual, "example");
	if (path == NULL) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	assert_true(object_file_open(&file, path, NULL));
	elf_symbols_init(&symbols, &file);
	ModuleCode *code = module_code_new(&file, &symbols);
	const ElfSymbol nowhere = {.start = 0x7000000000, .size = 16}, unsized = {.start = 0x1000};
	assert_int_equal(module_code_hash(code, &(ModuleCodeQuery){.address = 0x1000}).hash, 0);
	assert_int_equal(module_code_hash(code, &(ModuleCodeQuery){.symbol = &nowhere, .address = 0x1000}).hash, 0);
	assert_int_equal(module_code_hash(code, &(ModuleCodeQuery){.symbol = &unsized, .address = 0x1000}).hash, 0);
	module_code_free(code);
	elf_symbols_clear(&symbols);
	object_file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(code_that_moved_has_the_same_hash, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(edited_code_has_another_hash, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_renamed_function_keeps_its_hash, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                the_name_of_a_callee_is_that_without_the_suffix_of_a_clone, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_in_no_function_has_no_hash, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
