/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/read/profileformat.h"

#include "core/error.h"
#include "model/textpiece.h"
#include "profile/exchange/gunzip.h"
#include "profile/exchange/pprofread.h"
#include "profile/perfscript/perfscript.h"
#include "profile/perfscript/perfscriptline.h"
#include "profile/valgrind/callgrindread.h"
#include "profile/valgrind/dhatread.h"

#include <string.h>

#define INSPECTED_BYTES 1048576
#define INSPECTED_BINARY 1024
#define INSPECTED_LINES 100
#define MIN_ADDRESS_DIGITS 4
#define MIN_LINES_OF_TWO 4

const char *const profile_format_names[] = {"perf.data", "perf-script", "callgrind", "dhat", "pprof", "folded", NULL};

typedef struct {
	const char *bytes;
	gsize length;
	const char *what;
} Beginning;

static const Beginning recordings[] = {
        {"PERFILE2", 8, NULL},
        {"2ELIFREP", 8, NULL},
        {"PERFFILE", 8, NULL},
};

/* The formats of gperftools and Go before there was the protocol buffer. */
#define CONVERT_IT "; convert it with pprof -proto"
#define OLD_PROFILE "an old profile of gperftools or Go" CONVERT_IT
#define OLD_HEAP_PROFILE "an old heap profile of gperftools, jemalloc or Go" CONVERT_IT
#define OLD_CPU_PROFILE "an old CPU profile of gperftools" CONVERT_IT

static const Beginning old_profiles[] = {
        {"heap profile:", 13, OLD_HEAP_PROFILE},
        {"heap_v2/", 8, OLD_HEAP_PROFILE},
        {"--- ", 4, OLD_PROFILE},
        {"threadcreate profile:", 21, OLD_PROFILE},
        {"goroutine profile:", 18, OLD_PROFILE},
        /* word 0 is 0, word 1 is 3, in words of 64 and of 32 bits, in either order of bytes */
        {"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 16, OLD_CPU_PROFILE},
        {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3", 16, OLD_CPU_PROFILE},
        {"\0\0\0\0\3\0\0\0", 8, OLD_CPU_PROFILE},
        {"\0\0\0\0\0\0\0\3", 8, OLD_CPU_PROFILE},
};

/* Names of files that are no profiles, by their first bytes. */
static const Beginning strangers[] = {
        {"\x7f"
         "ELF",
                4, "an ELF file: a program or library, not a profile of it"},
        {"\xff\xfe", 2, "UTF-16 text; convert it to UTF-8"},
        {"\xfe\xff", 2, "UTF-16 text; convert it to UTF-8"},
        {"\x28\xb5\x2f\xfd", 4, "compressed by zstd; unpack it first"},
        {"\xfd"
         "7zXZ",
                5, "compressed by xz; unpack it first"},
        {"BZh", 3, "compressed by bzip2; unpack it first"},
        {"PK\x03\x04", 4, "a zip archive; unpack it first"},
        {"{", 1, "JSON, which is not read; export the profile as folded stacks or pprof"},
        {"[{", 2, "JSON, which is not read; export the profile as folded stacks or pprof"},
        {"<", 1, "XML or HTML; if it is a flame graph, give what it was made from"},
};

static gboolean begins_with(TextPiece text, const Beginning *beginning)
{
	return text.length >= beginning->length && memcmp(text.start, beginning->bytes, beginning->length) == 0;
}

static gboolean is_recording(TextPiece text)
{
	for (guint i = 0; i < G_N_ELEMENTS(recordings); i++)
		if (begins_with(text, &recordings[i]))
			return TRUE;
	return FALSE;
}

/* A flame graph says so in its first lines. */
static gboolean is_svg(TextPiece text)
{
	gsize n = MIN(text.length, INSPECTED_BINARY);
	return text.length > 0 && text.start[0] == '<' && memmem(text.start, n, "<svg", 4) != NULL;
}

const char *profile_format_old_profile(const guint8 *bytes, gsize length)
{
	TextPiece text = {length > 0 ? (const char *)bytes : "", length};
	for (guint i = 0; i < G_N_ELEMENTS(old_profiles); i++)
		if (begins_with(text, &old_profiles[i]))
			return old_profiles[i].what;
	return NULL;
}

static const char *name_stranger(TextPiece text)
{
	const char *old_profile = profile_format_old_profile((const guint8 *)text.start, text.length);
	if (old_profile != NULL)
		return old_profile;
	if (text.length == 0)
		return "empty";
	if (is_svg(text))
		return "an SVG picture; give what it was made from";
	for (guint i = 0; i < G_N_ELEMENTS(strangers); i++)
		if (begins_with(text, &strangers[i]))
			return strangers[i].what;
	if (gunzip_detect((const guint8 *)text.start, text.length))
		return "compressed by gzip, and no pprof profile; unpack it first";
	if (memchr(text.start, '\0', MIN(text.length, INSPECTED_BINARY)) != NULL)
		return "binary data of no known format";
	return NULL;
}

static gboolean is_pprof(const guint8 *bytes, gsize length)
{
	if (!gunzip_detect(bytes, length))
		return pprof_detect(bytes, length);
	g_autoptr(GByteArray) content = gunzip_beginning(bytes, length, INSPECTED_BYTES);
	return pprof_detect(content->data, content->len);
}

/* Lengths and kinds of the first fields of a pprof profile are control characters. */
static gboolean is_plain_text(TextPiece text)
{
	for (gsize i = 0; i < MIN(text.length, INSPECTED_BINARY); i++)
		if (g_ascii_iscntrl(text.start[i]) && !g_ascii_isspace(text.start[i]))
			return FALSE;
	return TRUE;
}

/* A stack, a blank and a number. */
static gboolean is_folded_line(TextPiece line)
{
	gsize digits = 0;
	while (digits < line.length &&
	        (g_ascii_isdigit(line.start[line.length - 1 - digits]) || line.start[line.length - 1 - digits] == '.'))
		digits++;
	return digits > 0 && digits + 1 < line.length && line.start[line.length - 1 - digits] == ' ';
}

/* The first line that is neither empty nor a comment decides. */
static gboolean is_folded(TextPiece text)
{
	const char *at = text.start, *end = at + text.length;
	if (text_starts_with(text, "\xef\xbb\xbf"))
		at += 3;
	while (at < end) {
		TextPiece line = text_trimmed(text_take_line(&at, end));
		if (line.length > 0 && line.start[0] != '#')
			return is_folded_line(line);
	}
	return FALSE;
}

/* TRUE if some line looks like a stack, though the first one does not. */
static gboolean has_folded_lines(TextPiece text)
{
	const char *at = text.start, *end = at + text.length;
	for (guint i = 0; i < INSPECTED_LINES && at < end; i++) {
		TextPiece line = text_trimmed(text_take_line(&at, end));
		if (is_folded_line(line) && memchr(line.start, ';', line.length) != NULL)
			return TRUE;
	}
	return FALSE;
}

/* An indented line of an address and a name. */
static gboolean is_frame_line(TextPiece line)
{
	TextPiece address, name;
	gboolean is_indented = line.length > 0 && (line.start[0] == '\t' || line.start[0] == ' ');
	return is_indented && script_split_frame(line, &address, &name) && address.length >= MIN_ADDRESS_DIGITS &&
	       name.length > 0 && !is_folded_line(text_trimmed(line));
}

/* Frames as perf script prints them. */
static gboolean has_frames(TextPiece text)
{
	const char *at = text.start, *end = at + text.length;
	for (guint i = 0; i < INSPECTED_LINES && at < end; i++)
		if (is_frame_line(text_take_line(&at, end)))
			return TRUE;
	return FALSE;
}

static ProfileFormat text_format(TextPiece text)
{
	if (callgrind_detect(text.start, text.length))
		return PROFILE_FORMAT_CALLGRIND;
	if (perf_script_detect(text.start, text.length))
		return PROFILE_FORMAT_PERF_SCRIPT;
	return is_folded(text) ? PROFILE_FORMAT_FOLDED : PROFILE_FORMAT_AUTO;
}

/* Says what is wrong with text that is of no format or seems to be folded stacks; NULL if nothing is known. */
static const char *name_odd_text(TextPiece text, ProfileFormat found)
{
	if (found != PROFILE_FORMAT_AUTO && found != PROFILE_FORMAT_FOLDED)
		return NULL;
	if (has_frames(text))
		return "no event in this text; use perf script's default fields";
	gboolean begins_otherwise = found == PROFILE_FORMAT_AUTO && has_folded_lines(text);
	return begins_otherwise ? "its first line is not a stack with a count, but others are; if these are folded "
	                          "stacks, give --format=folded"
	                        : NULL;
}

gboolean profile_format_detect(
        const guint8 *bytes, gsize length, const char *name, ProfileFormat *format, GError **error)
{
	TextPiece text = {length > 0 ? (const char *)bytes : "", MIN(length, INSPECTED_BYTES)};
	ProfileFormat found = PROFILE_FORMAT_AUTO;
	const char *stranger = NULL;
	if (is_recording(text))
		found = PROFILE_FORMAT_PERF_DATA;
	else if (dhat_detect(text.start, text.length))
		found = PROFILE_FORMAT_DHAT;
	else if (!is_plain_text(text) && is_pprof(bytes, length))
		found = PROFILE_FORMAT_PPROF;
	else
		stranger = name_stranger(text);
	if (found == PROFILE_FORMAT_AUTO && stranger == NULL) {
		found = text_format(text);
		stranger = name_odd_text(text, found);
	}
	if (stranger != NULL)
		found = PROFILE_FORMAT_AUTO;
	if (found == PROFILE_FORMAT_AUTO) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: %s", name,
		        stranger != NULL ? stranger
		                         : "neither perf.data, nor text of perf script, nor a file of callgrind, DHAT "
		                           "or pprof, nor folded stacks");
		return FALSE;
	}
	*format = found;
	return TRUE;
}

gboolean profile_format_has_two_counts(const guint8 *bytes, gsize length)
{
	const char *at = (const char *)bytes, *end = at + MIN(length, INSPECTED_BYTES);
	guint n_lines = 0;
	for (guint i = 0; i < INSPECTED_LINES && at < end; i++) {
		TextPiece line = text_trimmed(text_take_line(&at, end));
		if (line.length == 0 || line.start[0] == '#')
			continue;
		const char *blank = memrchr(line.start, ' ', line.length);
		if (!is_folded_line(line) || !is_folded_line(text_trimmed(text_between(line.start, blank))))
			return FALSE;
		n_lines++;
	}
	return n_lines >= MIN_LINES_OF_TWO;
}
