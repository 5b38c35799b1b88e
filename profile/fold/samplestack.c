/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/samplestack.h"

/* Addresses of the kernel, on every machine that is read. */
#define FIRST_KERNEL_ADDRESS ((guint64)1 << 63)

/* Whose code the entries of a call chain are, and the markers that say so. Source: linux/perf_event.h. */
typedef enum {
	CONTEXT_KERNEL,
	CONTEXT_USER,
	CONTEXT_HYPERVISOR,
	CONTEXT_GUEST,
	CONTEXT_GUEST_KERNEL,
	CONTEXT_OTHER, /* entries are no addresses that we understand */
} Context;

static Context context_of_marker(guint64 marker)
{
	switch ((gint64)marker) {
	/* PERF_CONTEXT_HV, _KERNEL, _USER, _GUEST and _GUEST_USER, _GUEST_KERNEL. */
	case -32:
		return CONTEXT_HYPERVISOR;
	case -128:
		return CONTEXT_KERNEL;
	case -512:
		return CONTEXT_USER;
	case -2048:
	case -2560:
		return CONTEXT_GUEST;
	case -2176:
		return CONTEXT_GUEST_KERNEL;
	default:
		return CONTEXT_OTHER;
	}
}

static Context context_of_mode(PerfDataCpuMode mode)
{
	switch (mode) {
	case PERF_DATA_CPU_KERNEL:
		return CONTEXT_KERNEL;
	case PERF_DATA_CPU_HYPERVISOR:
		return CONTEXT_HYPERVISOR;
	case PERF_DATA_CPU_GUEST_KERNEL:
		return CONTEXT_GUEST_KERNEL;
	case PERF_DATA_CPU_GUEST_USER:
		return CONTEXT_GUEST;
	case PERF_DATA_CPU_USER:
	case PERF_DATA_CPU_UNKNOWN:
		break;
	}
	return CONTEXT_USER;
}

void sample_stack_init(SampleStack *stack)
{
	*stack = (SampleStack){
	        .user = g_array_new(FALSE, FALSE, sizeof(RawFrame)),
	        .kernel = g_array_new(FALSE, FALSE, sizeof(RawFrame)),
	        .addresses = g_array_new(FALSE, FALSE, sizeof(guint64)),
	        .unwound = g_array_new(FALSE, FALSE, sizeof(guint64)),
	};
}

void sample_stack_clear(SampleStack *stack)
{
	g_array_unref(stack->user);
	g_array_unref(stack->kernel);
	g_array_unref(stack->addresses);
	g_array_unref(stack->unwound);
	*stack = (SampleStack){0};
}

/* A frame that stands for all of a context is there once. */
static void add_bucket(GArray *frames, RawFrame frame)
{
	if (frames->len == 0 || g_array_index(frames, RawFrame, frames->len - 1).row != frame.row)
		g_array_append_val(frames, frame);
}

static void add_kernel(SampleStack *stack, FrameFinder *finder, guint64 address)
{
	gboolean is_named;
	RawFrame frame = frame_finder_kernel(finder, address, &is_named);
	if (is_named)
		g_array_append_val(stack->kernel, frame);
	else
		add_bucket(stack->kernel, frame);
}

/* `address` is as it stands in the chain, `is_exact` if it is no return address. */
static void add_entry(SampleStack *stack, FrameFinder *finder, Context context, guint64 address, gboolean is_exact)
{
	switch (context) {
	case CONTEXT_USER:
		g_array_append_val(stack->addresses, address);
		break;
	case CONTEXT_KERNEL:
		add_kernel(stack, finder, is_exact ? address : address - 1);
		break;
	case CONTEXT_HYPERVISOR:
		add_bucket(stack->kernel, frame_finder_outside(finder, OUTSIDE_HYPERVISOR));
		break;
	case CONTEXT_GUEST:
		add_bucket(stack->kernel, frame_finder_outside(finder, OUTSIDE_GUEST));
		break;
	case CONTEXT_GUEST_KERNEL:
		add_bucket(stack->kernel, frame_finder_outside(finder, OUTSIDE_GUEST_KERNEL));
		break;
	case CONTEXT_OTHER:
		break;
	}
}

/* Splits the call chain: frames of the kernel part, addresses of the user part. With precise events the chain may begin
 * a few instructions after the sampled one, which then replaces its first entry. */
static void split_chain(SampleStack *stack, FrameFinder *finder, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	const Context sampled = context_of_mode(record->cpu_mode);
	Context context = sampled;
	gboolean is_exact = TRUE, is_leaf = TRUE;
	for (guint i = 0; i < sample->chain_length; i++) {
		guint64 address = sample->chain[i];
		if (address >= PERF_DATA_FIRST_MARKER) {
			context = context_of_marker(address);
			is_exact = TRUE;
			continue;
		}
		if (is_leaf && context == sampled && sample->ip != 0)
			address = sample->ip;
		add_entry(stack, finder, context, address, is_exact);
		is_exact = is_leaf = FALSE;
	}
	if (is_leaf)
		add_entry(stack, finder, sampled, sample->ip, TRUE);
}

/* Call sites of the processor's call stack, put as return addresses. The function that runs is at the sampled
 * instruction; if that is in the kernel, where the chain says that user code was left, else where the innermost call
 * went to. */
static void take_calls(SampleStack *stack, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	guint64 leaf = sample->calls[0].to;
	if (context_of_mode(record->cpu_mode) == CONTEXT_USER)
		leaf = sample->ip;
	else if (stack->addresses->len > 0)
		leaf = g_array_index(stack->addresses, guint64, 0);
	g_array_set_size(stack->addresses, 0);
	g_array_append_val(stack->addresses, leaf);
	for (guint i = 0; i < sample->n_calls; i++) {
		guint64 after = sample->calls[i].from + 1;
		/* Entries that the processor left empty are 0, and a call stack may have entries of the kernel. */
		if (after > 1 && after < FIRST_KERNEL_ADDRESS)
			g_array_append_val(stack->addresses, after);
	}
}

static void unwind(SampleStack *stack, const SampleStackSource *source, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	const UnwindSample unwound = {
	        .machine = source->machine,
	        .pid = record->pid,
	        .registers = sample->user_registers,
	        .stack = sample->user_stack,
	        .stack_bytes = sample->user_stack_bytes,
	        .chain = (const guint64 *)(gpointer)stack->addresses->data,
	        .chain_length = stack->addresses->len,
	};
	const ProcessMaps *maps = frame_finder_maps(source->finder);
	gboolean has_chain = stack->addresses->len > 1;
	UnwindEnd end = has_chain ? unwinder_repair(source->unwinder, maps, &unwound, stack->unwound)
	                          : unwinder_walk(source->unwinder, maps, &unwound, stack->unwound);
	/* Without registers there is nothing better than the chain as the kernel gave it. */
	if (stack->unwound->len == 0)
		return;
	stack->is_incomplete = end != UNWIND_COMPLETE;
	/* The leaf stays the sampled instruction, which a precise event tells better than the registers do. */
	if (stack->addresses->len > 0)
		g_array_index(stack->unwound, guint64, 0) = g_array_index(stack->addresses, guint64, 0);
	GArray *chain = stack->addresses;
	stack->addresses = stack->unwound;
	stack->unwound = chain;
}

static void name_user_part(SampleStack *stack, FrameFinder *finder, gboolean keeps_all)
{
	for (guint i = 0; i < stack->addresses->len; i++) {
		guint64 address = g_array_index(stack->addresses, guint64, i);
		RawFrame frame = frame_finder_user(finder, i == 0 || address == 0 ? address : address - 1);
		g_array_append_val(stack->user, frame);
	}
	GArray *user = stack->user;
	while (!keeps_all && user->len > 1 &&
	        frame_finder_is_nowhere(finder, g_array_index(user, RawFrame, user->len - 1)))
		g_array_set_size(user, user->len - 1);
}

void sample_stack_collect(SampleStack *stack, const SampleStackSource *source, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	g_array_set_size(stack->user, 0);
	g_array_set_size(stack->kernel, 0);
	g_array_set_size(stack->addresses, 0);
	g_array_set_size(stack->unwound, 0);
	stack->is_incomplete = FALSE;
	split_chain(stack, source->finder, record);
	if (source->unwinder != NULL && sample->user_registers.mask != 0 && sample->user_stack != NULL)
		unwind(stack, source, record);
	else if (sample->n_calls > 0)
		take_calls(stack, record);
	name_user_part(stack, source->finder, source->keeps_all);
}
