/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/recordingorigin.h"

#include "profile/objects/buildidnote.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#define KERNEL_MAP "[kernel.kallsyms]"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define MARK_DIGITS 32
/* Files are dated by a coarser clock than the boot. */
#define BOOT_SLACK_SECONDS 5

/* The comparison of a fact of the recording with that of this machine. */
typedef enum { FACT_NOT_TOLD, FACT_DIFFERS, FACT_EQUAL } Fact;

static Fact compare_text(const char *recorded, const char *here)
{
	if (recorded == NULL || *recorded == '\0' || here == NULL)
		return FACT_NOT_TOLD;
	return g_str_equal(recorded, here) ? FACT_EQUAL : FACT_DIFFERS;
}

static Fact compare_kernel(const PerfDataSummary *summary)
{
	guint8 running[BUILD_ID_MAX_BYTES];
	guint length = build_id_of_running_kernel(running);
	for (guint i = 0; length > 0 && i < summary->build_ids->len; i++) {
		const PerfDataBuildId *known = &g_array_index(summary->build_ids, PerfDataBuildId, i);
		if (!g_str_has_prefix(known->path, KERNEL_MAP) || known->length == 0)
			continue;
		return known->length == length && memcmp(known->bytes, running, length) == 0 ? FACT_EQUAL
		                                                                             : FACT_DIFFERS;
	}
	return FACT_NOT_TOLD;
}

char *recording_origin_mark(void)
{
	struct utsname machine;
	g_autofree char *boot = NULL;
	if (uname(&machine) != 0 || !g_file_get_contents(BOOT_ID, &boot, NULL, NULL))
		return NULL;
	/* All containers of a machine have one boot id, but files of their own; the host's name tells them apart. */
	g_autofree char *both = g_strconcat(g_strchomp(boot), "\n", machine.nodename, NULL);
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, both, -1);
	return g_strndup(hash, MARK_DIGITS);
}

/* Compares the host with this one. A mark that differs may be of an earlier boot of this host. */
static Fact compare_host(const PerfDataSummary *summary, const struct utsname *machine)
{
	g_autofree char *mark = recording_origin_mark();
	Fact host = compare_text(summary->host, machine->nodename);
	return host == FACT_NOT_TOLD ? compare_text(summary->mark, mark) : host;
}

static OriginPlace find_place(const PerfDataSummary *summary, Fact kernel)
{
	struct utsname machine;
	if (uname(&machine) != 0)
		return ORIGIN_UNCERTAIN;
	Fact release = compare_text(summary->kernel_release, machine.release);
	if (kernel == FACT_DIFFERS || release == FACT_DIFFERS ||
	        compare_text(summary->machine, machine.machine) == FACT_DIFFERS)
		return ORIGIN_OTHER;
	Fact host = compare_host(summary, &machine);
	/* Many machines run the same release, so that alone proves nothing; the host has to be this one, too. */
	if (release == FACT_EQUAL)
		return host == FACT_EQUAL ? ORIGIN_HERE : ORIGIN_UNCERTAIN;
	/* Another host name with the running kernel's build-id may be a container of this machine. */
	return host == FACT_DIFFERS && kernel != FACT_EQUAL ? ORIGIN_OTHER : ORIGIN_UNCERTAIN;
}

static gboolean is_younger_than_boot(const char *path)
{
	struct stat status;
	struct timespec since_boot;
	if (stat(path, &status) != 0 || clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0)
		return FALSE;
	return status.st_mtime >= time(NULL) - since_boot.tv_sec - BOOT_SLACK_SECONDS;
}

/* When the file was written last; what is no file, such as a pipe, has just been. */
static gint64 end_of_recording(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return g_get_real_time() * 1000;
	return status.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + status.st_mtim.tv_nsec;
}

RecordingOrigin recording_origin(const char *path, const PerfDataSummary *summary)
{
	Fact kernel = compare_kernel(summary);
	return (RecordingOrigin){
	        .place = find_place(summary, kernel),
	        .is_since_boot = is_younger_than_boot(path),
	        .is_kernel_proved = kernel == FACT_EQUAL,
	        .end_ns = end_of_recording(path),
	};
}

gboolean recording_origin_is_local(const RecordingOrigin *origin)
{
	return origin->place == ORIGIN_HERE && origin->is_since_boot;
}

char *recording_origin_text(const PerfDataSummary *summary)
{
	const char *host = summary->host != NULL ? summary->host : "";
	const char *release = summary->kernel_release != NULL ? summary->kernel_release : "";
	return g_strconcat(
	        host, *host != '\0' && *release != '\0' ? ", " : "", *release != '\0' ? "Linux " : "", release, NULL);
}
