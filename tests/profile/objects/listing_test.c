/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/listing.h"

#include "core/error.h"
#include "tests/profile/folderexample.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A program around `probe`: what it calls and uses, with room for other things before it and in it. */
#define SOURCE(before, inside)                                                                                         \
	"struct node { struct node *next; long key, value; };\n"                                                       \
	"unsigned long strlen(const char *); int puts(const char *);\n"                                                \
	"long sink = 1; long table[8] = {1}; double ratio = 1;\n" before "\n"                                          \
	"__attribute__((noinline)) long helper(long n) { __asm__(\"\"); return n * sink; }\n"                          \
	"__attribute__((noinline)) long probe(struct node *node, long n, long m)\n"                                    \
	"{\n"                                                                                                          \
	"	static long calls;\n"                                                                                        \
	"	long sum = calls++;\n"                                                                                       \
	"	for (; node; node = node->next)\n"                                                                           \
	"		if (node->key == n) sum += helper(node->value) + 100;\n" inside "\n"                           \
	"	ratio *= 1.5;\n"                                                                                             \
	"	switch (m) { case 1: sum += 3; break; case 2: sum *= 5; break; case 3: sum = helper(7); break;\n"            \
	"	case 4: sum -= n; break; case 5: sum ^= 8; break; case 6: sum = m; break; }\n"                               \
	"	if (n > 5) sum += probe(node, n - 1, m) * 3;\n"                                                              \
	"	sum += (long)strlen((const char *)node) + table[2];\n"                                                       \
	"	puts(\"what was\\tcounted\");\n"                                                                             \
	"	return sum + sink;\n"                                                                                        \
	"}\n"                                                                                                          \
	"int main(int argc, char **argv) { (void)argv; return (int)probe(0, argc, sink); }\n"

static const char usual[] = SOURCE("", "");
/* functions and variables before it, and text of another length */
static const char moved[] =
        SOURCE("long more[100] = {1}; const char *text = \"some more text\";\n"
               "static const double factors[] = {2.5, 3.5};\n"
               "double scale(long n) { static long calls; return factors[n & 1] * calls++; }\n"
               "__attribute__((noinline)) long first(long n) { return n * more[n] + text[n]; }\n"
               "__attribute__((noinline)) long second(long n) { return first(n) + first(n + 1); }\n",
                "");
static const char edited[] = SOURCE("", "	helper(3); sink++;\n");

/* A compiler that tests are run with. */
typedef struct {
	const char *program, *options;
} Compiler;

/* Relaxing, a linker makes other instructions where an address is near. With section anchors so does gcc for aarch64
 * where another variable is the first. */
static const Compiler compilers[] = {
        {"gcc", "-O2 -g -fno-section-anchors"},
        {"gcc", "-O2 -no-pie -fno-pie -fno-section-anchors"},
        {"gcc", "-O2 -shared -fPIC -fno-section-anchors"},
        {"gcc", "-Os -falign-functions=1 -g -fno-section-anchors"},
        {"clang", "-O2"},
        {"clang", "--target=aarch64-linux-gnu -O2 -nostdlib -fuse-ld=lld -Wl,--no-relax -shared -fPIC"},
        {"clang", "--target=aarch64-linux-gnu -O2 -nostdlib -fuse-ld=lld -Wl,--no-relax -shared -fPIC "
                  "-fvisibility=hidden -Wl,-u,probe"},
        {"aarch64-linux-gnu-gcc", "-O2 -g -fno-section-anchors"},
};

static void skip_without(const char *what)
{
	print_message("skipped: no working %s\n", what);
	skip();
}

/* The listing around an address of a file; an error is a failed test. */
static FunctionListing list_at(const char *path, guint64 address)
{
	ObjectFile file;
	FunctionListing listing = {0};
	g_autoptr(GError) error = NULL;
	const SymbolListingRequest request = {.path = path, .offset = address, .are_addresses = TRUE};
	assert_true(object_file_open(&file, path, NULL));
	if (!function_listing_read(&listing, &file, &request, &error))
		fail_msg("%s", error->message);
	object_file_close(&file);
	return listing;
}

static FunctionListing list_function(const char *path, const char *name)
{
	Extent extent = find_function(path, name);
	assert_true(extent.size > 0);
	return list_at(path, extent.offset);
}

static const ListedInstruction *instruction_at(const FunctionListing *listing, guint i)
{
	return &g_array_index(listing->instructions, ListedInstruction, i);
}

/* The first instruction whose text has this in it, or NULL. */
static const ListedInstruction *find_text(const FunctionListing *listing, const char *wanted)
{
	for (guint i = 0; i < listing->instructions->len; i++)
		if (strstr(instruction_at(listing, i)->text, wanted) != NULL)
			return instruction_at(listing, i);
	return NULL;
}

static void assert_has_text(const FunctionListing *listing, const char *wanted)
{
	if (find_text(listing, wanted) != NULL)
		return;
	for (guint i = 0; i < listing->instructions->len; i++)
		print_error("%s\n", instruction_at(listing, i)->text);
	fail_msg("no instruction has %s", wanted);
}

/* The keys of a function without padding, one per line; NULL if this compiler is not here. Owned by the caller. */
static char *keys_of(const Example *e, const Compiler *compiler, const char *source)
{
	g_autofree char *path =
	        compile(e->folder, compiler->program, compiler->options, "example.c", source, "example");
	if (path == NULL)
		return NULL;
	GString *keys = g_string_new(NULL);
	FunctionListing listing = list_function(path, "probe");
	for (guint i = 0; i < listing.instructions->len; i++)
		if (!g_str_equal(instruction_at(&listing, i)->key, "nop"))
			g_string_append_printf(keys, "%s\n", instruction_at(&listing, i)->key);
	function_listing_clear(&listing);
	return g_string_free(keys, FALSE);
}

static void an_unchanged_function_has_equal_keys_where_others_moved_it(void **state)
{
	guint n_checked = 0;
	for (guint i = 0; i < G_N_ELEMENTS(compilers); i++) {
		g_autofree char *before = keys_of(*state, &compilers[i], usual);
		g_autofree char *after = before != NULL ? keys_of(*state, &compilers[i], moved) : NULL;
		if (after == NULL)
			continue;
		if (!g_str_equal(before, after))
			print_error("%s %s\n", compilers[i].program, compilers[i].options);
		assert_string_equal(before, after);
		n_checked++;
	}
	if (n_checked == 0)
		skip_without("compiler");
}

/* The number of lines of `after` that are in `before`, in their order: of a text where something was only put in, all
 * of it. */
static guint count_kept(const char *before, const char *after)
{
	guint kept = 0;
	g_auto(GStrv) old = g_strsplit(before, "\n", -1), new = g_strsplit(after, "\n", -1);
	char **at = new;
	for (char **line = old; *line != NULL; line++) {
		char **found = at;
		while (*found != NULL && !g_str_equal(*found, *line))
			found++;
		if (*found == NULL)
			continue;
		kept++;
		at = found + 1;
	}
	return kept;
}

static void an_edit_changes_few_keys_though_all_jumps_are_longer(void **state)
{
	const Compiler plain = {"gcc", "-O1"};
	g_autofree char *before = keys_of(*state, &plain, usual);
	if (before == NULL)
		skip_without("gcc");
	g_autofree char *after = keys_of(*state, &plain, edited);
	g_auto(GStrv) lines = g_strsplit(before, "\n", -1);
	assert_string_not_equal(before, after);
	assert_true(count_kept(before, after) + 4 >= g_strv_length(lines));
}

static void addresses_have_names(void **state)
{
	static const char *const wanted[] = {"call helper", "call probe", "call strlen@plt", "[rip + table+0x10]",
	        "[rip + calls.", "# 0x3ff8000000000000", "# \"what was\\tcounted\"", "[rip + sink]"};
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-O1 -fno-inline -m64", "example.c", usual, "example");
	if (path == NULL)
		skip_without("gcc for x86-64");
	FunctionListing listing = list_function(path, "probe");
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_has_text(&listing, wanted[i]);
	assert_string_equal(listing.name, "probe");
	assert_false(listing.is_cut);
	function_listing_clear(&listing);
}

static void calls_through_the_table_of_the_dynamic_linker_have_names(void **state)
{
	static const char *const wanted[] = {
	        "call qword ptr [rip + strlen@got]", "call qword ptr [rip + helper@got]", "[rip + sink@got]"};
	const Compiler shared = {"gcc", "-O1 -m64 -shared -fPIC -fno-plt"};
	const Example *e = *state;
	g_autofree char *before = keys_of(e, &shared, usual), *after = keys_of(e, &shared, moved);
	g_autofree char *path = compile(e->folder, shared.program, shared.options, "example.c", usual, "example");
	if (path == NULL)
		skip_without("gcc for x86-64");
	FunctionListing listing = list_function(path, "probe");
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_has_text(&listing, wanted[i]);
	assert_string_equal(before, after);
	function_listing_clear(&listing);
}

static void what_is_in_memory_and_its_new_value_both_have_names(void **state)
{
	static const char source[] = "void one(void) {} void (*chosen)(void);\n"
	                             "void probe(void) { chosen = one; }\n"
	                             "int main(void) { probe(); return 0; }\n";
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-O1 -m64 -no-pie -fno-pie", "example.c", source, "example");
	if (path == NULL)
		skip_without("gcc for x86-64");
	FunctionListing listing = list_function(path, "probe");
	assert_has_text(&listing, "mov qword ptr [rip + chosen], one");
	function_listing_clear(&listing);
}

static void addresses_in_two_instructions_have_names_on_aarch64(void **state)
{
	static const char *const wanted[] = {"bl helper", "bl strlen@plt", "[x", "# \"what was\\tcounted\"", ", sink]"};
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "clang",
	        "--target=aarch64-linux-gnu -O1 -nostdlib -fuse-ld=lld -shared -Wl,-Bsymbolic", "example.c", usual,
	        "example");
	if (path == NULL)
		skip_without("clang and lld for aarch64");
	FunctionListing listing = list_function(path, "probe");
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_has_text(&listing, wanted[i]);
	const ListedInstruction *page = find_text(&listing, "adrp");
	assert_non_null(page);
	assert_true(g_str_has_suffix(page->key, ", ?"));
	function_listing_clear(&listing);
}

/* A text of either program without what they write in their own ways: blanks, `ptr`, the scale 1 and a distance of 0,
 * decimal numbers, the signs of numbers, brackets after a segment. Owned by the caller. */
static char *plain_text(const char *text)
{
	GString *plain = g_string_new(NULL);
	g_auto(GStrv) code = g_strsplit_set(text, "#<", 2);
	g_autofree char *lower = g_ascii_strdown(code[0], -1);
	for (const char *at = lower; *at != '\0';) {
		char before = plain->len > 0 ? plain->str[plain->len - 1] : ' ';
		gboolean is_negative = *at == '-' && g_ascii_isdigit(at[1]) && before == ',';
		if (g_ascii_isdigit(at[is_negative]) && !g_ascii_isalnum(before)) {
			char *end;
			guint64 value = g_ascii_strtoull(at, &end, 0);
			g_string_append_printf(plain, "%" G_GINT64_MODIFIER "x", value);
			at = end;
		} else if (g_str_has_prefix(at, "ptr ")) {
			at += strlen("ptr ");
		} else {
			if (!g_ascii_isspace(*at))
				g_string_append_c(plain, *at);
			at++;
		}
	}
	g_string_replace(plain, "*1", "", 0);
	g_string_replace(plain, "+0]", "]", 0);
	return g_string_free(plain, FALSE);
}

/* FALSE for an instruction with a target, which has a name in one and a number in the other, or is written in too many
 * ways. */
static gboolean is_compared(const char *text)
{
	return strstr(text, "rip") == NULL && *text != 'j' && !g_str_has_prefix(text, "call") &&
	       strstr(text, "nop") == NULL && strstr(text, "xchg") == NULL && strstr(text, "fs:") == NULL;
}

/* Compares with a line of objdump, "  401136:\tpush   rbp"; TRUE if it is an instruction that was compared. */
static gboolean matches_line(const FunctionListing *listing, const char *line, guint *row)
{
	char *end;
	guint64 address = g_ascii_strtoull(line, &end, 16);
	if (*line != ' ' || *end != ':' || end[1] != '\t')
		return FALSE;
	const ListedInstruction *listed = instruction_at(listing, *row);
	assert_true(*row < listing->instructions->len);
	(*row)++;
	assert_true(listed->address == address);
	if (!is_compared(end + 2))
		return FALSE;
	g_autofree char *theirs = plain_text(end + 2), *ours = plain_text(listed->text);
	assert_string_equal(ours, theirs);
	return TRUE;
}

static void operands_are_those_that_objdump_shows(void **state)
{
	const Example *e = *state;
	guint row = 0, n_compared = 0;
	g_autofree char *output = NULL;
	g_autofree char *path = compile(e->folder, "gcc", "-O1 -m64", "example.c", usual, "example");
	const char *const argv[] = {
	        "objdump", "-d", "-M", "intel", "--no-show-raw-insn", "--disassemble=probe", path, NULL};
	if (path == NULL || !run_command(argv, &output))
		skip_without("gcc for x86-64, or objdump");
	FunctionListing listing = list_function(path, "probe");
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		n_compared += matches_line(&listing, *line, &row);
	assert_int_equal(row, listing.instructions->len);
	assert_true(n_compared > 30);
	function_listing_clear(&listing);
}

#define UNLIKELY                                                                                                       \
	"__attribute__((cold, noinline)) void failed(long n) { __asm__ volatile(\"\" :: \"r\"(n)); }\n"                \
	"long sink;\n"                                                                                                 \
	"__attribute__((noinline)) long probe(long n)\n"                                                               \
	"{ for (long i = 0; i < n; i++) { sink += i; if (sink == 77) { failed(i); failed(n); sink--; } } return n; "   \
	"}\n"                                                                                                          \
	"int main(int argc, char **argv) { (void)argv; return (int)probe(argc); }\n"

/* The part that a compiler put aside is listed, too, whichever part was asked for. */
static void both_parts_of_a_function_are_listed(void **state)
{
	static const char *const options[] = {"-O2", "-O2 -g"};
	const Example *e = *state;
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *path = compile(e->folder, "gcc", options[i], "example.c", UNLIKELY, "example");
		Extent cold = path != NULL ? find_function(path, "probe.cold") : (Extent){0};
		if (cold.size == 0)
			skip_without("gcc that puts unlikely code aside");
		Extent hot = find_function(path, "probe");
		FunctionListing listing = list_at(path, hot.offset), other = list_at(path, cold.offset + 1);
		guint n = listing.instructions->len;
		assert_int_equal(other.instructions->len, n);
		assert_true(instruction_at(&listing, 0)->address == hot.offset);
		assert_true(instruction_at(&other, 0)->address == hot.offset);
		assert_true(instruction_at(&listing, n - 1)->address - cold.offset < cold.size);
		assert_has_text(&listing, "part2+0x");
		assert_string_equal(other.name, "probe");
		function_listing_clear(&listing);
		function_listing_clear(&other);
	}
}

static void instructions_have_the_lines_of_the_innermost_code(void **state)
{
	static const char source[] = "long sink;\n"
	                             "static inline __attribute__((always_inline)) void inner(long n)\n"
	                             "{\n"
	                             "	sink *= n;\n"
	                             "}\n"
	                             "__attribute__((noinline)) void probe(long n)\n"
	                             "{\n"
	                             "	inner(n);\n"
	                             "}\n"
	                             "int main(int argc, char **argv) { (void)argv; probe(argc); return 0; }\n";
	const Example *e = *state;
	gboolean has_inner = FALSE;
	g_autofree char *path = compile(e->folder, "gcc", "-O2 -g", "example.c", source, "example");
	if (path == NULL)
		skip_without("gcc");
	FunctionListing listing = list_function(path, "probe");
	for (guint i = 0; i < listing.instructions->len; i++) {
		const ListedInstruction *listed = instruction_at(&listing, i);
		assert_true(g_path_is_absolute(listed->file) && g_str_has_suffix(listed->file, "/example.c"));
		has_inner |= listed->line == 4;
	}
	assert_true(has_inner);
	assert_null(listing.note);
	function_listing_clear(&listing);
}

static void without_debug_information_a_note_says_so(void **state)
{
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-O1", "example.c", usual, "example");
	if (path == NULL)
		skip_without("gcc");
	FunctionListing listing = list_function(path, "probe");
	assert_null(instruction_at(&listing, 0)->file);
	assert_int_equal(instruction_at(&listing, 0)->line, 0);
	assert_non_null(strstr(listing.note, "no line information"));
	function_listing_clear(&listing);
}

static void offsets_are_in_the_file_unless_addresses_are_asked_for(void **state)
{
	ObjectFile file;
	FunctionListing by_offset = {0};
	guint64 address;
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-O1 -no-pie -fno-pie", "example.c", usual, "example");
	if (path == NULL)
		skip_without("gcc");
	FunctionListing listing = list_function(path, "probe");
	const ListedInstruction *second = instruction_at(&listing, 1);
	assert_true(second->offset == second->address);
	assert_true(object_file_open(&file, path, NULL));
	SymbolListingRequest request = {.path = path};
	/* where this program is loaded, its first byte is too */
	while (!object_file_address(&file, request.offset, &address) || address != second->address)
		assert_true(request.offset++ < 0x10000);
	assert_true(request.offset != address);
	assert_true(function_listing_read(&by_offset, &file, &request, NULL));
	assert_int_equal(by_offset.instructions->len, listing.instructions->len);
	assert_true(instruction_at(&by_offset, 1)->address == address);
	assert_true(instruction_at(&by_offset, 1)->offset == request.offset);
	object_file_close(&file);
	function_listing_clear(&by_offset);
	function_listing_clear(&listing);
}

#define LARGE                                                                                                          \
	"	.globl _start\n	.type probe, @function\n_start: nop\nprobe: .rept 9000\n	nop\n	.endr\n	"                     \
	".size probe, . - probe\n"

static void of_a_large_function_the_part_around_the_place_is_listed(void **state)
{
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-nostdlib", "example.s", LARGE, "example");
	if (path == NULL)
		skip_without("gcc");
	Extent extent = find_function(path, "probe");
	const guint64 places[] = {0, extent.size / 2, extent.size - 1};
	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		FunctionListing listing = list_at(path, extent.offset + places[i]);
		guint n = listing.instructions->len;
		assert_true(listing.is_cut);
		assert_int_equal(n, LISTING_MAX_INSTRUCTIONS);
		assert_true(instruction_at(&listing, 0)->address <= extent.offset + places[i]);
		assert_true(instruction_at(&listing, n - 1)->address + instruction_at(&listing, n - 1)->size >
		            extent.offset + places[i]);
		function_listing_clear(&listing);
	}
}

static void what_is_no_instruction_is_told_as_bytes(void **state)
{
	static const char source[] = "	.globl _start\n	.type probe, @function\n"
	                             "_start: nop\nprobe: .byte 0x06\n	ret\n	.size probe, . - probe\n";
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-nostdlib -m64", "example.s", source, "example");
	if (path == NULL)
		skip_without("gcc for x86-64");
	FunctionListing listing = list_function(path, "probe");
	assert_string_equal(instruction_at(&listing, 0)->text, ".byte 0x06");
	assert_string_equal(instruction_at(&listing, 1)->text, "ret");
	function_listing_clear(&listing);
}

/* Two functions whose names begin alike, and one with control characters and a byte that is no text. */
static void names_are_cut_and_made_harmless(void **state)
{
	const Example *e = *state;
	g_autofree char *lengthy = g_strnfill(300, 'x');
	g_autofree char *source = g_strdup_printf("	.globl _start\n	.type probe, @function\n"
	                                          "_start: nop\nprobe: call %s1\n	call %s2\n	call "
	                                          "\"a\033[2J\tb\xff\"\n	.size probe, . - probe\n"
	                                          "	.type %s1, @function\n%s1: ret\n	.size %s1, 1\n"
	                                          "	.type %s2, @function\n%s2: ret\n	.size %s2, 1\n"
	                                          "	.type \"a\033[2J\tb\xff\", @function\n\"a\033[2J\tb\xff\": "
	                                          "ret\n	.size \"a\033[2J\tb\xff\", 1\n",
	        lengthy, lengthy, lengthy, lengthy, lengthy, lengthy, lengthy, lengthy);
	g_autofree char *path = compile(e->folder, "gcc", "-nostdlib -m64", "example.s", source, "example");
	if (path == NULL)
		skip_without("gcc for x86-64");
	FunctionListing listing = list_function(path, "probe");
	const ListedInstruction *one = instruction_at(&listing, 0), *two = instruction_at(&listing, 1);
	assert_int_equal(strlen(one->text), LISTING_MAX_TEXT);
	assert_true(g_str_has_suffix(one->text, "xxx..."));
	assert_string_not_equal(one->key, two->key);
	assert_true(strlen(one->key) <= LISTING_MAX_TEXT);
	assert_string_equal(instruction_at(&listing, 2)->text, "call a?[2J?b\xef\xbf\xbd");
	function_listing_clear(&listing);
}

static void assert_refused(const char *path, guint64 address, const char *why)
{
	ObjectFile file;
	FunctionListing listing = {0};
	g_autoptr(GError) error = NULL;
	const SymbolListingRequest request = {.path = path, .offset = address, .are_addresses = TRUE};
	assert_true(object_file_open(&file, path, NULL));
	assert_false(function_listing_read(&listing, &file, &request, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(error->message, why));
	assert_non_null(strstr(error->message, path));
	assert_null(listing.instructions);
	object_file_close(&file);
}

static void where_no_function_is_and_of_other_machines_there_is_none(void **state)
{
	const Example *e = *state;
	gsize length;
	g_autofree char *content = NULL;
	g_autofree char *path = compile(e->folder, "gcc", "-O1", "example.c", usual, "example");
	if (path == NULL)
		skip_without("gcc");
	Extent extent = find_function(path, "probe");
	assert_refused(path, 0x7000000000, "no function");
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	const guint16 machine = EM_RISCV;
	memcpy(content + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine);
	assert_true(g_file_set_contents(path, content, (gssize)length, NULL));
	assert_refused(path, extent.offset, "machine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                an_unchanged_function_has_equal_keys_where_others_moved_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                an_edit_changes_few_keys_though_all_jumps_are_longer, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(addresses_have_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                calls_through_the_table_of_the_dynamic_linker_have_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_in_memory_and_its_new_value_both_have_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(addresses_in_two_instructions_have_names_on_aarch64, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(operands_are_those_that_objdump_shows, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(both_parts_of_a_function_are_listed, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(instructions_have_the_lines_of_the_innermost_code, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(without_debug_information_a_note_says_so, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                offsets_are_in_the_file_unless_addresses_are_asked_for, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                of_a_large_function_the_part_around_the_place_is_listed, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_instruction_is_told_as_bytes, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(names_are_cut_and_made_harmless, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                where_no_function_is_and_of_other_machines_there_is_none, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
