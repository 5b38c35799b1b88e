/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/unwind/unwind.h"

#include <string.h>

enum {
	MAX_DEPTH = 1024,    /* frames that are walked; more come only from the kernel's chain */
	MAX_ROOT_FRAMES = 2, /* what is above the caller of the outermost function with a frame pointer */
	WORD = sizeof(guint64),
	NO_REGISTER = G_MAXUINT8,
};

#define BIT(i) (G_GUINT64_CONSTANT(1) << (i))

/* The numbers that perf and DWARF give to the registers of a machine. */
typedef struct {
	guint8 dwarf[40]; /* DWARF's number of perf's register i */
	guint8 instruction, stack_pointer, frame_pointer, return_column;
	guint64 needed;       /* perf's bits */
	guint64 address_mask; /* what of a return address is address; the rest may sign it */
} Machine;

#define NOT NO_REGISTER

/* rax, r10 and r11 are no registers to keep, but code that moves its stack keeps the old one in them. perf's order is
 * that of arch/x86/include/uapi/asm/perf_regs.h; DWARF's is that of the System V ABI, where rdx and rcx come before
 * rbx. Flags and segment registers (perf's 9 to 15) take no part in unwinding. */
static const Machine x86_64 = {
        .dwarf = {0, 3, 2, 1, 4, 5, 6, 7, 16, NOT, NOT, NOT, NOT, NOT, NOT, NOT, 8, 9, 10, 11, 12, 13, 14, 15},
        .instruction = 16,
        .stack_pointer = 7,
        .frame_pointer = 6,
        .return_column = 16,
        .needed = BIT(0) | BIT(1) | BIT(6) | BIT(7) | BIT(8) | G_GUINT64_CONSTANT(0xfc0000),
        .address_mask = G_MAXUINT64,
};

/* The program counter gets the number after the stack pointer, which no rule of ours uses. x19 to x30 are those that a
 * called function must keep (AAPCS64). Above its lowest 48 bits, a return address may carry a pointer authentication
 * code. */
static const Machine aarch64 = {
        .dwarf = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                28, 29, 30, 31, 32},
        .instruction = 32,
        .stack_pointer = 31,
        .frame_pointer = 29,
        .return_column = 30,
        .needed = G_GUINT64_CONSTANT(0x1fff80000),
        .address_mask = BIT(48) - 1,
};

struct Unwinder {
	UnwindCache *cache;
	GArray *records; /* of guint64, see Repair */
};

/* A frame on the way to the root. */
typedef struct {
	UnwindCache *cache;
	const ProcessMaps *maps;
	const UnwindSample *sample;
	const Machine *machine;
	GArray *addresses;
	guint64 values[UNWIND_REGISTERS];
	guint64 known;      /* bit i: values[i] is known */
	guint64 stack_from; /* address of the piece of stack */
	guint64 ip;
	gboolean is_call; /* ip is a return address */
} Walk;

typedef enum {
	STEP_CALLER, /* the walk is at the caller now */
	STEP_ROOT,
	STEP_NO_MEMORY, /* what is needed lies outside the piece of stack */
	STEP_NO_ROW,
	STEP_NONSENSE,
} Step;

/* The kernel's chain beside the frame records it was made from: records[j] is the address of {saved frame pointer,
 * return address}, and chain[base + j] is that return address. The last of them may lie outside the piece of stack, and
 * the chain goes on after it. */
typedef struct {
	Walk walk;
	const guint64 *records;
	guint n_records, base;
	guint keep;            /* addresses up to the caller of the last function with a frame pointer; 0 = none yet */
	CachedRow *kept_plain; /* the row of that caller, if it has none */
	gboolean was_with_frame; /* the function before */
} Repair;

Unwinder *unwinder_new_reading(UnwindReader read, gpointer data)
{
	Unwinder *unwinder = g_new0(Unwinder, 1);
	unwinder->cache = unwind_cache_new(read, data);
	unwinder->records = g_array_new(FALSE, FALSE, sizeof(guint64));
	return unwinder;
}

static gboolean read_in_child(
        gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	return symbol_child_unwind_rows(data, file, file_offset, rows, error);
}

Unwinder *unwinder_new(SymbolChild *child)
{
	return unwinder_new_reading(read_in_child, child);
}

void unwinder_free(Unwinder *unwinder)
{
	if (unwinder == NULL)
		return;
	unwind_cache_free(unwinder->cache);
	g_array_unref(unwinder->records);
	g_free(unwinder);
}

void unwinder_set_symfs(Unwinder *unwinder, const char *symfs)
{
	unwind_cache_set_symfs(unwinder->cache, symfs);
}

void unwinder_set_budget(Unwinder *unwinder, gint64 budget_us)
{
	unwind_cache_set_budget(unwinder->cache, budget_us);
}

const GError *unwinder_problem(const Unwinder *unwinder)
{
	return unwind_cache_problem(unwinder->cache);
}

static const Machine *machine_of(UnwindMachine machine)
{
	return machine == UNWIND_X86_64 ? &x86_64 : &aarch64;
}

guint64 unwind_registers_needed(UnwindMachine machine)
{
	return machine_of(machine)->needed;
}

static gboolean is_known(const Walk *walk, guint number)
{
	return (walk->known & BIT(number)) != 0;
}

/* The kernel writes one word for each bit of the mask, lowest bit first (perf_output_sample_regs() in
 * kernel/events/core.c), so values are counted by bits that are set. */
static void load_registers(Walk *walk, const PerfDataRegisters *registers)
{
	const guint64 *value = registers->values;
	for (guint i = 0; i < 64; i++) {
		if ((registers->mask & BIT(i)) == 0)
			continue;
		/* The rest of the table is 0, which only for perf's register 0 is a number of DWARF. */
		guint number = i < G_N_ELEMENTS(walk->machine->dwarf) ? walk->machine->dwarf[i] : NO_REGISTER;
		if (number < UNWIND_REGISTERS && (number != 0 || i == 0)) {
			walk->values[number] = *value;
			walk->known |= BIT(number);
		}
		value++;
	}
}

/* FALSE without the registers that a walk starts from. The words of a 32-bit process have four bytes, and DWARF numbers
 * its registers in another order. */
static gboolean walk_init(
        Walk *walk, const Unwinder *unwinder, const ProcessMaps *maps, const UnwindSample *sample, GArray *addresses)
{
	const Machine *machine = machine_of(sample->machine);
	*walk = (Walk){
	        .cache = unwinder->cache, .maps = maps, .sample = sample, .machine = machine, .addresses = addresses};
	unwind_cache_trim(unwinder->cache);
	load_registers(walk, &sample->registers);
	walk->ip = walk->values[machine->instruction];
	walk->stack_from = walk->values[machine->stack_pointer];
	return !sample->registers.is_32bit && is_known(walk, machine->instruction) &&
	       is_known(walk, machine->stack_pointer);
}

static gboolean read_word(const Walk *walk, guint64 address, guint64 *value)
{
	const UnwindSample *sample = walk->sample;
	guint64 offset = address - walk->stack_from;
	if (address < walk->stack_from || sample->stack_bytes < WORD || offset > sample->stack_bytes - WORD)
		return FALSE;
	memcpy(value, sample->stack + offset, WORD);
	*value = GUINT64_FROM_LE(*value);
	return TRUE;
}

/* Appends where the walk is. What looks one byte before each entry but the first, since it is a return address, must
 * find the right instruction also where it is none: that of the trampoline to which a signal handler returns is the
 * trampoline's first byte, and what the signal interrupted was not called from. Both are put one byte later. */
static void put_address(Walk *walk, const CachedRow *row)
{
	gboolean is_leaf = walk->addresses->len == 0, is_return = walk->is_call && !(row != NULL && row->row.is_signal);
	guint64 address = walk->ip + (is_leaf || is_return ? 0 : 1);
	g_array_append_val(walk->addresses, address);
}

/* The row of the code that the walk is at; a return address may be the first byte of the next function. */
static CachedRow *find_row(const Walk *walk, guint64 address, gboolean is_call)
{
	return unwind_cache_find(walk->cache, walk->maps, walk->sample->pid, address - is_call);
}

/* The byte before a return address is looked up, since a call may be the last instruction of its map. */
static gboolean is_code(const Walk *walk, guint64 address)
{
	guint module;
	guint64 offset;
	return process_maps_find(walk->maps, walk->sample->pid, address - 1, &module, &offset);
}

static gboolean find_frame(const Walk *walk, const UnwindRow *row, guint64 *frame)
{
	guint base = row->frame_kind == UNWIND_FRAME_PLT ? walk->machine->stack_pointer : row->frame_register;
	guint64 address = walk->values[base];
	if (!is_known(walk, base))
		return FALSE;
	/* An entry of a PLT pushes one word on its way, at an instruction that the low bits of its address tell. */
	if (row->frame_kind == UNWIND_FRAME_PLT)
		*frame = address + WORD + ((walk->ip & 15) >= (guint64)row->frame_offset ? WORD : 0);
	else
		*frame = address + (guint64)(gint64)row->frame_offset;
	return row->frame_kind != UNWIND_FRAME_MEMORY || read_word(walk, *frame, frame);
}

/* The caller's value of a register. */
static gboolean apply_rule(const Walk *walk, UnwindRule rule, guint number, guint64 frame, guint64 *value)
{
	guint64 distance = (guint64)(gint64)rule.offset;
	guint source = rule.kind == UNWIND_AT_REGISTER || rule.kind == UNWIND_IN_REGISTER ? rule.number : number;
	*value = walk->values[source];
	switch (rule.kind) {
	case UNWIND_SAME:
	case UNWIND_IN_REGISTER:
		return is_known(walk, source);
	case UNWIND_AT_FRAME:
		/* a slot below the stack pointer was popped, so the register has its value back, though compilers do
		 * not always say so */
		if (frame + distance < walk->values[walk->machine->stack_pointer])
			return is_known(walk, source);
		return read_word(walk, frame + distance, value);
	case UNWIND_IS_FRAME:
		*value = frame + distance;
		return TRUE;
	case UNWIND_AT_REGISTER:
		return is_known(walk, source) && read_word(walk, *value + distance, value);
	default:
		return FALSE;
	}
}

/* Each caller's frame lies above; one of a function that has not used the stack may begin where its own does. After a
 * signal it can be anywhere. */
static gboolean is_progress(const Walk *walk, const UnwindRow *row, guint64 new_stack_pointer)
{
	guint64 old = walk->values[walk->machine->stack_pointer];
	return row->is_signal || new_stack_pointer > old || (new_stack_pointer == old && !walk->is_call);
}

static void restore_registers(Walk *walk, const CachedRow *cached, guint64 frame)
{
	guint64 values[UNWIND_REGISTERS], known = walk->known & ~cached->undefined;
	/* All rules are about the values in this frame, so none is overwritten before all are applied. */
	memcpy(values, walk->values, sizeof values);
	for (guint64 rest = cached->computed; rest != 0; rest &= rest - 1) {
		guint i = (guint)__builtin_ctzll(rest);
		known &= ~BIT(i);
		if (apply_rule(walk, cached->row.rules[i], i, frame, &values[i]))
			known |= BIT(i);
	}
	memcpy(walk->values, values, sizeof values);
	walk->known = known;
}

static Step step_by_row(Walk *walk, const CachedRow *cached)
{
	const UnwindRow *row = &cached->row;
	const guint8 column = row->return_column, stack_pointer = walk->machine->stack_pointer;
	UnwindRule rule = row->rules[column];
	guint64 frame, address, new_stack_pointer;
	if (rule.kind == UNWIND_UNDEFINED)
		return STEP_ROOT;
	/* A function that has called another one cannot have its own return address in the register any more: the call
	 * wrote the next one there. To believe the row would be to stay at this address for ever. */
	if (rule.kind == UNWIND_SAME && walk->is_call)
		return STEP_NONSENSE;
	if (!find_frame(walk, row, &frame) || !apply_rule(walk, rule, column, frame, &address) ||
	        !apply_rule(walk, row->rules[stack_pointer], stack_pointer, frame, &new_stack_pointer))
		return STEP_NO_MEMORY;
	address &= walk->machine->address_mask;
	if (address == 0)
		return STEP_ROOT;
	if (!is_progress(walk, row, new_stack_pointer))
		return STEP_NONSENSE;
	restore_registers(walk, cached, frame);
	walk->ip = address;
	walk->is_call = !row->is_signal;
	return STEP_CALLER;
}

/* Along the frame pointer, where nothing is known of the code. A frame pointer of zero marks the root. */
static Step step_by_record(Walk *walk)
{
	const Machine *machine = walk->machine;
	guint64 record = walk->values[machine->frame_pointer], saved, address;
	if (!is_known(walk, machine->frame_pointer))
		return STEP_NO_ROW;
	if (record == 0)
		return STEP_ROOT;
	/* Code that is compiled without frame pointers uses that register for any number. It is taken for a frame
	 * record only if it points into the piece of stack, above the stack pointer, and a return address into code
	 * stands beside it. */
	if (record < walk->values[machine->stack_pointer] || !read_word(walk, record, &saved) ||
	        !read_word(walk, record + WORD, &address))
		return STEP_NO_ROW;
	address &= machine->address_mask;
	if (address == 0)
		return STEP_ROOT;
	if (!is_code(walk, address))
		return STEP_NO_ROW;
	/* Where other registers were saved is not known without a row, so they are lost from here on. */
	walk->known = BIT(machine->frame_pointer) | BIT(machine->stack_pointer);
	walk->values[machine->frame_pointer] = saved;
	walk->values[machine->stack_pointer] = record + 2 * WORD;
	walk->ip = address;
	walk->is_call = TRUE;
	return STEP_CALLER;
}

static Step take_step(Walk *walk, const CachedRow *row)
{
	return row != NULL ? step_by_row(walk, row) : step_by_record(walk);
}

static UnwindEnd end_of(Step step)
{
	switch (step) {
	case STEP_ROOT:
		return UNWIND_COMPLETE;
	case STEP_NO_ROW:
		return UNWIND_NO_ROW;
	case STEP_NONSENSE:
		return UNWIND_FAILED;
	default:
		return UNWIND_STACK_END;
	}
}

UnwindEnd unwinder_walk(Unwinder *unwinder, const ProcessMaps *maps, const UnwindSample *sample, GArray *addresses)
{
	Walk walk;
	g_array_set_size(addresses, 0);
	if (!walk_init(&walk, unwinder, maps, sample, addresses))
		return UNWIND_FAILED;
	Step step = STEP_CALLER;
	while (step == STEP_CALLER && addresses->len < MAX_DEPTH) {
		CachedRow *row = find_row(&walk, walk.ip, walk.is_call);
		put_address(&walk, row);
		step = take_step(&walk, row);
	}
	return end_of(step);
}

/* Does the code keep the frame pointer on a frame record? On x86-64 the frame is found by the frame pointer, directly
 * or, where the stack was realigned, through a word beside it. On aarch64 compilers go on counting from the stack
 * pointer, but save both registers as a pair. */
static gboolean keeps_frame_pointer(const Machine *machine, const UnwindRow *row)
{
	UnwindRule saved = row->rules[machine->frame_pointer], address = row->rules[machine->return_column];
	gboolean by_frame_pointer = row->frame_register == machine->frame_pointer && !row->is_signal;
	if (by_frame_pointer && row->frame_kind == UNWIND_FRAME_MEMORY)
		return saved.kind == UNWIND_AT_REGISTER && saved.number == machine->frame_pointer && saved.offset == 0;
	if (row->frame_kind != UNWIND_FRAME_REGISTER || saved.kind != UNWIND_AT_FRAME ||
	        address.kind != UNWIND_AT_FRAME || (gint64)saved.offset + WORD != address.offset)
		return FALSE;
	return machine == &aarch64 || (by_frame_pointer && (gint64)saved.offset == -(gint64)row->frame_offset);
}

/* The return address of the first record: the entry after the instruction pointer, or one later, where the kernel put
 * the word at the stack pointer between because a probe sits on the first instruction. 0 = the chain is not made of
 * these records. */
static guint first_of_chain(const Walk *walk, guint64 record)
{
	const UnwindSample *sample = walk->sample;
	guint64 address;
	if (sample->chain_length < 2)
		return 0;
	/* The first record lies outside the piece of stack, where the kernel could still read: its chain is believed.
	 */
	if (!read_word(walk, record + WORD, &address))
		return 1;
	address &= walk->machine->address_mask;
	for (guint i = 1; i <= 2 && i < sample->chain_length; i++)
		if (sample->chain[i] == address)
			return i;
	return 0;
}

/* Follows the frame records as the kernel did, as far as the piece of stack reaches. */
static void find_records(Repair *repair, GArray *records)
{
	const Walk *walk = &repair->walk;
	guint64 record = walk->values[walk->machine->frame_pointer], address, next;
	g_array_set_size(records, 0);
	repair->base = is_known(walk, walk->machine->frame_pointer) ? first_of_chain(walk, record) : 0;
	for (guint i = repair->base; i > 0 && i < walk->sample->chain_length; i++, record = next) {
		gboolean is_read = read_word(walk, record, &next) && read_word(walk, record + WORD, &address);
		if (is_read && (address & walk->machine->address_mask) != walk->sample->chain[i])
			break;
		g_array_append_val(records, record);
		/* Callers lie above on the stack, so a pointer that does not rise ends the records, as it must: a
		 * damaged stack may have a circle of them. */
		if (!is_read || next <= record)
			break;
	}
	repair->records = (const guint64 *)records->data;
	repair->n_records = records->len;
}

/* Code without a frame pointer that another function with one was found above: it is no root. */
static void note_frame(Repair *repair, CachedRow *row)
{
	gboolean with_frame = row != NULL && keeps_frame_pointer(repair->walk.machine, &row->row);
	/* a signal handler's caller is no root, whoever was interrupted */
	if (row != NULL && row->row.is_signal) {
		repair->keep = 0;
		repair->kept_plain = NULL;
	} else if (repair->was_with_frame) {
		repair->keep = repair->walk.addresses->len;
		repair->kept_plain = with_frame ? NULL : row;
	} else if (with_frame && repair->kept_plain != NULL) {
		repair->kept_plain->is_inner = TRUE;
	}
	repair->was_with_frame = with_frame;
}

/* The first record that is at least `from`, and `only` that one if it is asked for; its entry of the chain, or 0. */
static guint entry_of_record(const Repair *repair, guint64 from, gboolean only)
{
	for (guint i = 0; i < repair->n_records; i++)
		if (only ? repair->records[i] == from : repair->records[i] >= from)
			return repair->base + i;
	return 0;
}

/* Tells where the chain goes on: at the entry that returns from the function the walk is at or, if that is lost
 * (*doubtful), at the next one that is not known yet. 0 = nowhere. */
static guint next_of_chain(const Repair *repair, const CachedRow *row, gboolean *doubtful)
{
	const Walk *walk = &repair->walk;
	const Machine *machine = walk->machine;
	guint entry = 0;
	*doubtful = row != NULL && !keeps_frame_pointer(machine, &row->row);
	if (is_known(walk, machine->frame_pointer))
		entry = entry_of_record(repair, walk->values[machine->frame_pointer], TRUE);
	if (entry == 0) {
		*doubtful = TRUE;
		entry = entry_of_record(repair, walk->values[machine->stack_pointer], FALSE);
	}
	return entry != 0 && *doubtful && !is_code(walk, walk->sample->chain[entry]) ? 0 : entry;
}

/* Goes on with the kernel's chain, which is right from function to function as long as they keep frame pointers. After
 * one that does not, entries are taken as long as they are code. After the trampoline of a signal handler, the function
 * that was interrupted is missing. */
static UnwindEnd follow_chain(Repair *repair, guint index, gboolean doubtful)
{
	const Walk *walk = &repair->walk;
	CachedRow *row = NULL;
	gboolean is_lost = doubtful, is_plain = FALSE;
	for (guint i = index; i < walk->sample->chain_length; i++) {
		guint64 address = walk->sample->chain[i];
		if (doubtful && !is_code(walk, address))
			break;
		is_lost = is_lost || is_plain;
		row = find_row(walk, address, TRUE);
		gboolean is_signal = row != NULL && row->row.is_signal;
		is_lost = is_lost || is_signal;
		address += is_signal;
		g_array_append_val(walk->addresses, address);
		if (row != NULL && row->row.rules[row->row.return_column].kind == UNWIND_UNDEFINED)
			return is_lost ? UNWIND_STACK_END : UNWIND_COMPLETE;
		is_plain = row != NULL && !keeps_frame_pointer(walk->machine, &row->row);
		doubtful = doubtful || is_plain;
	}
	return is_lost || (row != NULL && (!is_plain || row->is_inner)) ? UNWIND_STACK_END : UNWIND_COMPLETE;
}

static gboolean is_same_module(const Walk *walk, guint64 one, guint64 other)
{
	guint module[2];
	guint64 offset;
	return process_maps_find(walk->maps, walk->sample->pid, one - 1, &module[0], &offset) &&
	       process_maps_find(walk->maps, walk->sample->pid, other - 1, &module[1], &offset) &&
	       module[0] == module[1];
}

/* Libraries call main() and the functions of threads without frame pointers, so the kernel's chain ends at that call.
 * Where the piece of stack reaches further, the few frames above are left out: else stacks would have another root the
 * deeper they are. They are recognised by having nothing to do with the module whose function was called; only what
 * the kernel starts, at the very root, may be of that module. */
static gboolean cut_at_root(Repair *repair, gboolean is_complete)
{
	GArray *addresses = repair->walk.addresses;
	if (repair->kept_plain == NULL || repair->kept_plain->is_inner ||
	        addresses->len - repair->keep > MAX_ROOT_FRAMES)
		return FALSE;
	guint64 called = g_array_index(addresses, guint64, repair->keep - 2);
	guint64 kept = g_array_index(addresses, guint64, repair->keep - 1);
	gboolean is_one_module = is_same_module(&repair->walk, called, kept);
	for (guint i = repair->keep; !is_one_module && i < addresses->len - is_complete; i++)
		if (is_same_module(&repair->walk, called, g_array_index(addresses, guint64, i)))
			return FALSE;
	g_array_set_size(addresses, repair->keep);
	return TRUE;
}

/* Walks as far as the piece of stack reaches, then goes on with the chain. */
static UnwindEnd walk_and_follow(Repair *repair)
{
	Walk *walk = &repair->walk;
	CachedRow *row = NULL;
	gboolean doubtful;
	Step step = STEP_CALLER;
	while (step == STEP_CALLER && walk->addresses->len < MAX_DEPTH) {
		row = find_row(walk, walk->ip, walk->is_call);
		put_address(walk, row);
		note_frame(repair, row);
		step = take_step(walk, row);
	}
	guint next = step == STEP_ROOT || step == STEP_CALLER ? 0 : next_of_chain(repair, row, &doubtful);
	if (next != 0)
		return follow_chain(repair, next, doubtful);
	return cut_at_root(repair, step == STEP_ROOT) ? UNWIND_COMPLETE : end_of(step);
}

UnwindEnd unwinder_repair(Unwinder *unwinder, const ProcessMaps *maps, const UnwindSample *sample, GArray *addresses)
{
	Repair repair = {0};
	g_array_set_size(addresses, 0);
	if (!walk_init(&repair.walk, unwinder, maps, sample, addresses)) {
		g_array_append_vals(addresses, sample->chain, sample->chain_length);
		return UNWIND_FAILED;
	}
	find_records(&repair, unwinder->records);
	return walk_and_follow(&repair);
}
