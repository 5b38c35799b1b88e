/* SPDX-License-Identifier: Apache-2.0 */
#include "model/toolnames.h"

#include <string.h>

#define RUST_HASH_DIGITS 16

typedef struct {
	const char *text;
	gsize length;
	gsize at;
} NameScan;

static gboolean starts_with(const char *text, gsize length, const char *prefix)
{
	gsize n = strlen(prefix);
	return length >= n && memcmp(text, prefix, n) == 0;
}

static gboolean ends_with(const char *text, gsize length, const char *suffix)
{
	gsize n = strlen(suffix);
	return length >= n && memcmp(text + length - n, suffix, n) == 0;
}

static gboolean is_at(const NameScan *scan, const char *word)
{
	return starts_with(scan->text + scan->at, scan->length - scan->at, word);
}

/* `operator<<` and its kind are no brackets. Steps over one of them. */
static gboolean skip_operator(NameScan *scan)
{
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", "<=", ">>", ">=", "->", "()", "<", ">"};
	char before = scan->at > 0 ? scan->text[scan->at - 1] : ':';
	if (!is_at(scan, "operator") || g_ascii_isalnum(before) || before == '_')
		return FALSE;
	scan->at += strlen("operator");
	for (guint i = 0; i < G_N_ELEMENTS(signs); i++)
		if (is_at(scan, signs[i])) {
			scan->at += strlen(signs[i]);
			break;
		}
	return TRUE;
}

/* The change of the depth of brackets that the byte here makes: 1, 0 or -1. */
static int depth_step(const NameScan *scan)
{
	switch (scan->text[scan->at]) {
	case '<':
	case '{':
	case '[':
	case '(':
		return 1;
	case '>':
		/* An arrow in front of a return type is no bracket. */
		return scan->at > 0 && scan->text[scan->at - 1] == '-' ? 0 : -1;
	case '}':
	case ']':
	case ')':
		return -1;
	default:
		return 0;
	}
}

static gboolean begins_arguments(const NameScan *scan)
{
	/* Go writes the type of a method in brackets: main.(*Tree).walk. */
	gboolean is_go_type = scan->at > 0 && scan->text[scan->at - 1] == '.';
	return scan->at > 0 && scan->text[scan->at] == '(' && !is_go_type && !is_at(scan, "(anonymous namespace)");
}

gsize tool_name_without_arguments(const char *name, gsize length)
{
	NameScan scan = {name, length, 0};
	gsize depth = 0;
	while (scan.at < length) {
		if (name[scan.at] == 'o' && skip_operator(&scan))
			continue;
		if (depth == 0 && begins_arguments(&scan))
			break;
		int step = depth_step(&scan);
		depth = step < 0 && depth == 0 ? 0 : depth + (gsize)step;
		scan.at++;
	}
	while (scan.at > 1 && name[scan.at - 1] == ' ')
		scan.at--;
	return scan.at;
}

gsize tool_name_after_type(const char *name, gsize length)
{
	NameScan scan = {name, length, 0};
	gsize depth = 0, start = 0;
	while (scan.at < length) {
		if (depth == 0 && name[scan.at] == 'o' && skip_operator(&scan))
			break;
		int step = depth_step(&scan);
		depth = step < 0 && depth == 0 ? 0 : depth + (gsize)step;
		if (depth == 0 && name[scan.at] == ' ' && scan.at + 1 < length)
			start = scan.at + 1;
		scan.at++;
	}
	return start;
}

gsize tool_name_until(const char *text, gsize length, char separator)
{
	NameScan scan = {text, length, 0};
	gsize depth = 0;
	while (scan.at < length) {
		if (text[scan.at] == 'o' && skip_operator(&scan))
			continue;
		if (text[scan.at] == separator && depth == 0 && scan.at > 0)
			break;
		int step = depth_step(&scan);
		depth = step < 0 && depth == 0 ? 0 : depth + (gsize)step;
		scan.at++;
	}
	return scan.at;
}

/* Tells where the hash at the end begins; the length if there is none. */
static gsize rust_hash(const char *name, gsize length)
{
	gsize start = length - RUST_HASH_DIGITS - 1;
	if (length <= RUST_HASH_DIGITS + 1 || name[start] != 'h')
		return length;
	for (gsize i = start + 1; i < length; i++)
		if (!g_ascii_isxdigit(name[i]))
			return length;
	return start;
}

typedef struct {
	const char *from, *to;
} Replacement;

static const Replacement rust_escapes[] = {
        {"..", "::"},
        {"$SP$", "@"},
        {"$BP$", "*"},
        {"$RF$", "&"},
        {"$LT$", "<"},
        {"$GT$", ">"},
        {"$LP$", "("},
        {"$RP$", ")"},
        {"$C$", ","},
        {"$u7e$", "~"},
        {"$u20$", " "},
        {"$u21$", "!"},
        {"$u22$", "\""},
        {"$u27$", "'"},
        {"$u2b$", "+"},
        {"$u3b$", ";"},
        {"$u3d$", "="},
        {"$u5b$", "["},
        {"$u5d$", "]"},
        {"$u7b$", "{"},
        {"$u7d$", "}"},
};

static const Replacement *rust_escape_at(const char *text, gsize length)
{
	for (guint i = 0; i < G_N_ELEMENTS(rust_escapes); i++)
		if (starts_with(text, length, rust_escapes[i].from))
			return &rust_escapes[i];
	return NULL;
}

gboolean tool_name_mend_rust(const char *name, gsize length, GString *mended)
{
	gsize end = rust_hash(name, length);
	if (end == length)
		return FALSE;
	if (end > 2 && name[end - 1] == ':' && name[end - 2] == ':')
		end -= 2;
	g_string_truncate(mended, 0);
	for (gsize i = starts_with(name, end, "_$") ? 1 : 0; i < end;) {
		gboolean may_escape = name[i] == '$' || name[i] == '.';
		const Replacement *escape = may_escape ? rust_escape_at(name + i, end - i) : NULL;
		if (escape != NULL)
			g_string_append(mended, escape->to);
		else
			g_string_append_c(mended, name[i]);
		i += escape != NULL ? strlen(escape->from) : 1;
	}
	return TRUE;
}

/* `vmlinux` at the end of the path, with or without a version. */
static gboolean is_vmlinux(const char *file, gsize length)
{
	for (gsize i = length; i > 0 && file[i - 1] != '/'; i--) {
		if (starts_with(file + i - 1, length - i + 1, "vmlinux"))
			return TRUE;
		if (!g_ascii_isalnum(file[i - 1]) && strchr("-._", file[i - 1]) == NULL)
			return FALSE;
	}
	return FALSE;
}

gboolean tool_file_is_kernel(const char *file, gsize length)
{
	static const char *const of_process[] = {
	        "[heap]", "[stack", "[vdso]", "[vsyscall]", "[uprobes]", "[anon", "[unknown]"};
	for (guint i = 0; i < G_N_ELEMENTS(of_process); i++)
		if (starts_with(file, length, of_process[i]))
			return FALSE;
	/* perf writes kernel modules in brackets, too, as [nf_tables]. */
	return starts_with(file, length, "[") || ends_with(file, length, ".ko") || is_vmlinux(file, length);
}

/* `prefix`, digits, then `suffix` or, if that is NULL, anything. */
static gboolean has_number_between(const char *text, gsize length, const char *prefix, const char *suffix)
{
	gsize at = strlen(prefix);
	if (!starts_with(text, length, prefix) || at >= length || !g_ascii_isdigit(text[at]))
		return FALSE;
	while (at < length && g_ascii_isdigit(text[at]))
		at++;
	return suffix == NULL || starts_with(text + at, length - at, suffix);
}

gboolean tool_file_is_jit(const char *file, gsize length)
{
	const char *found = memmem(file, length, "/tmp/perf-", strlen("/tmp/perf-"));
	if (found != NULL && has_number_between(found, length - (gsize)(found - file), "/tmp/perf-", ".map"))
		return TRUE;
	/* `perf inject --jit` writes each function to a file jitted-PID-NUMBER.so. */
	const char *slash = memrchr(file, '/', length);
	gsize base = slash != NULL ? (gsize)(slash + 1 - file) : 0;
	return ends_with(file, length, ".so") && has_number_between(file + base, length - base, "jitted-", NULL);
}
