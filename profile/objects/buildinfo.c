/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/buildinfo.h"

#include "model/textpiece.h"
#include "profile/objects/objectfile.h"

#include <dwarf.h>
#include <string.h>

enum { LANG_MIPS_ASSEMBLER = DW_LANG_Mips_Assembler, MAX_UNITS = 1 << 20, MAX_PRODUCERS = 32 };

static gboolean has_section_type(Elf *elf, GElf_Word type)
{
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn != NULL; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr header;
		if (gelf_getshdr(scn, &header) != NULL && header.sh_type == type && header.sh_size > 0)
			return TRUE;
	}
	return FALSE;
}

static char *hex_build_id(const ObjectFile *file)
{
	const guint8 *bytes = NULL;
	guint length = object_file_build_id(file, &bytes);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < length; i++)
		g_string_append_printf(text, "%02x", bytes[i]);
	return g_string_free(text, length == 0);
}

/* The meaning of the options; the last one of each kind wins, as in the compiler. GCC writes its options into
 * DW_AT_producer, clang only with -grecord-command-line: no options at all tell nothing. */
typedef struct {
	gboolean is_told, is_optimised, has_frame_pointer;
} ProducerOptions;

static void read_option(ProducerOptions *options, const char *option)
{
	options->is_told = options->is_told || option[0] == '-';
	if (g_str_has_prefix(option, "-O"))
		options->is_optimised = !g_str_equal(option, "-O0");
	else if (g_str_equal(option, "-fno-omit-frame-pointer"))
		options->has_frame_pointer = TRUE;
	else if (g_str_equal(option, "-fomit-frame-pointer"))
		options->has_frame_pointer = FALSE;
}

static ProducerOptions read_producer(const char *producer)
{
	ProducerOptions options = {0};
	g_auto(GStrv) words = g_strsplit(producer, " ", -1);
	for (char **word = words; *word != NULL; word++)
		read_option(&options, *word);
	/* without optimisation, functions keep a frame pointer */
	options.has_frame_pointer = options.has_frame_pointer || (options.is_told && !options.is_optimised);
	return options;
}

/* Adds a producer unless there are enough, which differ by options of single files. */
static void note_producer(GPtrArray *producers, const char *producer)
{
	if (producers->len < MAX_PRODUCERS && !g_ptr_array_find_with_equal_func(producers, producer, g_str_equal, NULL))
		g_ptr_array_add(producers, g_strdelimit(g_strdup(producer), "\n", ' '));
}

static void count_unit(BinaryInfo *info, GPtrArray *producers, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr base, low, high;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
	if (producer == NULL || dwarf_srclang(unit) == LANG_MIPS_ASSEMBLER ||
	        dwarf_ranges(unit, 0, &base, &low, &high) <= 0)
		return;
	ProducerOptions options = read_producer(producer);
	gboolean none_told_before = info->n_units == info->n_units_silent;
	info->n_units++;
	/* A producer with options says more than one without, so the first of those is shown. */
	if (info->producer == NULL || (options.is_told && none_told_before)) {
		g_free(info->producer);
		info->producer = g_strdup(producer);
	}
	info->n_units_silent += !options.is_told;
	info->n_units_unoptimised += options.is_told && !options.is_optimised;
	info->n_units_no_frame_pointer += options.is_told && !options.has_frame_pointer;
	if (info->bare_producer == NULL && options.is_told && !options.has_frame_pointer)
		info->bare_producer = g_strdup(producer);
	note_producer(producers, producer);
}

static void count_units(BinaryInfo *info, Dwarf *dwarf)
{
	g_autoptr(GPtrArray) producers = g_ptr_array_new_with_free_func(g_free);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;
	for (guint n = 0; n < MAX_UNITS && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL) == 0; n++)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			count_unit(info, producers, &die);
	g_ptr_array_sort(producers, text_order);
	g_ptr_array_add(producers, NULL);
	info->producers = producers->len > 1 ? g_strjoinv("\n", (char **)producers->pdata) : NULL;
}

gboolean binary_info(const char *path, BinaryInfo *out, GError **error)
{
	ObjectFile file;
	guint64 bias;
	if (!object_file_open(&file, path, error))
		return FALSE;
	BinaryInfo info = {.has_symtab = has_section_type(file.elf, SHT_SYMTAB), .build_id = hex_build_id(&file)};
	Dwarf *dwarf = object_file_dwarf(&file, &bias);
	info.has_debug = dwarf != NULL;
	if (dwarf != NULL)
		count_units(&info, dwarf);
	object_file_close(&file);
	*out = info;
	return TRUE;
}

void binary_info_clear(BinaryInfo *info)
{
	g_free(info->build_id);
	g_free(info->producer);
	g_free(info->producers);
	g_free(info->bare_producer);
	*info = (BinaryInfo){0};
}
