/* The perf.data reader, through the whole way to folded stacks. Module paths in the input are opened read-only. */
#include "profile/foldperf.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(PerfFold) fold = perf_fold_new(table);
	g_autoptr(Profile) profile = profile_new(table, "", "");
	RunQuality quality;
	profile_add_run(profile);
	if (write(fd, data, size) == (ssize_t)size && perf_fold_add(fold, path, profile, 0, NULL, &quality, NULL))
		perf_fold_finish(fold, NULL, NULL);
	close(fd);
	return 0;
}
