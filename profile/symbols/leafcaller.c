#include "profile/symbols/leafcaller.h"

#include "profile/pairindex.h"
#include "profile/symbols/objectfile.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	X86_64_STACK_POINTER = 7, /* in DWARF's numbering */
	RETURN_ADDRESS_BYTES = 8,
	MAX_DISTANCE = 4096,
};
#define NOT_KNOWN G_MAXUINT32

typedef struct {
	ObjectFile file; /* file.elf is NULL if it could not be opened */
	Dwarf_CFI *cfi;
	guint64 bias;
} OpenModule;

struct LeafCallers {
	GHashTable *modules; /* number -> OpenModule */
	PairIndex known;     /* (file offset, number of the module) */
	GArray *distances;   /* of guint32, NOT_KNOWN if there is none */
};

static void module_free(gpointer data)
{
	object_file_close(&((OpenModule *)data)->file);
	g_free(data);
}

LeafCallers *leaf_callers_new(void)
{
	LeafCallers *callers = g_new0(LeafCallers, 1);
	callers->modules = g_hash_table_new_full(NULL, NULL, NULL, module_free);
	callers->distances = g_array_new(FALSE, FALSE, sizeof(guint32));
	return callers;
}

void leaf_callers_free(LeafCallers *callers)
{
	if (callers == NULL)
		return;
	g_hash_table_unref(callers->modules);
	pair_index_clear(&callers->known);
	g_array_unref(callers->distances);
	g_free(callers);
}

/* A file that cannot be read is remembered as such; the symbolizer reports it. */
static void open_module(OpenModule *open, const LeafModule *module)
{
	GElf_Ehdr header;
	Dwarf_Addr bias = 0;
	if (!object_file_open(&open->file, module->path, NULL))
		return;
	if (!object_file_check_build_id(&open->file, module->build_id, module->build_id_length, NULL) ||
	        gelf_getehdr(open->file.elf, &header) == NULL || header.e_machine != EM_X86_64)
		return;
	open->cfi = dwfl_module_eh_cfi(open->file.module, &bias);
	open->bias = bias;
}

static const OpenModule *find_module(LeafCallers *callers, const LeafModule *module)
{
	OpenModule *open = g_hash_table_lookup(callers->modules, GUINT_TO_POINTER(module->number));
	if (open == NULL) {
		open = g_new0(OpenModule, 1);
		open_module(open, module);
		g_hash_table_insert(callers->modules, GUINT_TO_POINTER(module->number), open);
	}
	return open;
}

/* The frame ends at stack pointer + offset, and the return address is the last thing in it. */
static guint32 distance_in_frame(Dwarf_Frame *frame)
{
	Dwarf_Op *operations;
	size_t n_operations;
	bool is_signal = false;
	dwarf_frame_info(frame, NULL, NULL, &is_signal);
	if (is_signal || dwarf_frame_cfa(frame, &operations, &n_operations) != 0 || n_operations != 1)
		return NOT_KNOWN;
	Dwarf_Word offset = operations[0].number;
	if (operations[0].atom == DW_OP_bregx && operations[0].number == X86_64_STACK_POINTER)
		offset = operations[0].number2;
	else if (operations[0].atom != DW_OP_breg0 + X86_64_STACK_POINTER)
		return NOT_KNOWN;
	if (offset < RETURN_ADDRESS_BYTES || offset > MAX_DISTANCE)
		return NOT_KNOWN;
	return (guint32)offset - RETURN_ADDRESS_BYTES;
}

static guint32 read_distance(const OpenModule *module, guint64 file_offset)
{
	guint64 address;
	Dwarf_Frame *frame = NULL;
	if (module->cfi == NULL || !object_file_address(&module->file, file_offset, &address) ||
	        dwarf_cfi_addrframe(module->cfi, address - module->bias, &frame) != 0)
		return NOT_KNOWN;
	guint32 distance = distance_in_frame(frame);
	free(frame);
	return distance;
}

gboolean leaf_callers_find(LeafCallers *callers, const LeafModule *module, guint64 file_offset, guint32 *distance)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&callers->known, file_offset, module->number, &is_new);
	if (is_new) {
		guint32 found = read_distance(find_module(callers, module), file_offset);
		g_array_append_val(callers->distances, found);
	}
	*distance = g_array_index(callers->distances, guint32, row);
	return *distance != NOT_KNOWN;
}
