/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of dumps, through the whole way to profiles. Object files in the input are opened read-only. */
#include "profile/valgrind/callgrindfold.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(CallgrindFold) fold = callgrind_fold_new(table);
	g_autoptr(Profile) costs = profile_new(table, "", ""), allocations = profile_new(table, "", "");
	const CallgrindTarget targets[] = {{"Ir", costs, 0}, {CALLGRIND_ALLOCATIONS, allocations, 0}};
	CallgrindRunSummary summary = {0};
	profile_add_run(costs);
	profile_add_run(allocations);
	g_ptr_array_add(paths, path);
	if (write(fd, data, size) == (ssize_t)size &&
	        callgrind_fold_add(fold, paths, targets, G_N_ELEMENTS(targets), NULL, &summary, NULL)) {
		g_assert(callgrind_fold_finish(fold, NULL, NULL));
		g_assert(profile_run_total(costs, 0).weight == callgrind_run_total(&summary, "Ir"));
		g_assert(profile_run_total(allocations, 0).weight ==
		         callgrind_run_total(&summary, CALLGRIND_ALLOCATIONS));
	}
	callgrind_run_summary_clear(&summary);
	close(fd);
	return 0;
}
