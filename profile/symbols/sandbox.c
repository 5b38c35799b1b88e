/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/sandbox.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REQUEST_CPU_SECONDS 120
#define BASE_BYTES ((rlim_t)8 << 30)
#define BYTES_PER_FILE_BYTE 4
#define MAX_FILE_BYTES ((rlim_t)8 << 30)
/* Each file of split debug information stays open. */
#define MAX_OPEN_FILES 16384

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

/* The system calls that reading files, allocating memory and answering take. Others fail with ENOSYS, for which
 * libraries have other ways. */
static const guint32 allowed_calls[] = {
        SYS_read,
        SYS_write,
        SYS_pread64,
        SYS_close,
        SYS_fstat,
        SYS_newfstatat,
        SYS_statx,
        SYS_lseek,
        SYS_fcntl,
        SYS_readlinkat,
        SYS_faccessat,
        SYS_getdents64,
        SYS_getcwd,
        SYS_munmap,
        SYS_mremap,
        SYS_madvise,
        SYS_brk,
        SYS_futex,
        SYS_getrandom,
        SYS_getrusage,
        SYS_sysinfo,
        SYS_uname,
        SYS_clock_gettime,
        SYS_getpid,
        SYS_gettid,
        SYS_rt_sigprocmask,
        SYS_rt_sigaction,
        SYS_rt_sigreturn,
        SYS_restart_syscall,
        SYS_exit,
        SYS_exit_group,
#ifdef SYS_stat /* calls that newer machines do not have */
        SYS_stat,
        SYS_lstat,
        SYS_access,
        SYS_readlink,
        SYS_getrlimit,
        SYS_setrlimit,
#endif
};

/* Calls that are allowed without these bits in their third argument. */
static const struct {
	guint32 call, bits;
} guarded_calls[] = {
        {SYS_openat, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)},
        {SYS_mmap, PROT_EXEC},
        {SYS_mprotect, PROT_EXEC},
};

/* Calls whose first argument says which process is meant: this one. */
static const guint32 own_calls[] = {SYS_prlimit64, SYS_tgkill};

/* The lower half of an argument, in the kernel's order of bytes. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + (n) * sizeof(guint64))
#else
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + (n) * sizeof(guint64) + sizeof(guint32))
#endif

typedef struct {
	struct sock_filter code[2 * G_N_ELEMENTS(allowed_calls) + 5 * G_N_ELEMENTS(guarded_calls) +
	                        7 * G_N_ELEMENTS(own_calls) + 8];
	gushort length;
} Filter;

static void emit(Filter *filter, struct sock_filter instruction)
{
	g_assert(filter->length < G_N_ELEMENTS(filter->code));
	filter->code[filter->length++] = instruction;
}

static void load(Filter *filter, gsize offset)
{
	emit(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (guint32)offset));
}

static void answer(Filter *filter, guint32 verdict)
{
	emit(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

/* Skips `n` instructions unless the loaded word is `value`. */
static void skip_unless_equal(Filter *filter, guint32 value, guint8 n)
{
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n));
}

/* If the loaded word is this call, decides by its first argument; zero stands for the caller itself. abort() sends its
 * signal by tgkill(). */
static void allow_for_own(Filter *filter, guint32 call, guint32 own_pid)
{
	skip_unless_equal(filter, call, 6);
	load(filter, ARGUMENT(0));
	skip_unless_equal(filter, 0, 1);
	answer(filter, SECCOMP_RET_ALLOW);
	skip_unless_equal(filter, own_pid, 1);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

static void build_filter(Filter *filter)
{
	/* Numbers stand for other calls under another ABI, such as i386 on x86-64; those of x32 have a bit more and
	 * match none. */
	load(filter, offsetof(struct seccomp_data, arch));
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
	answer(filter, SECCOMP_RET_KILL_PROCESS);
	load(filter, offsetof(struct seccomp_data, nr));
	for (gsize i = 0; i < G_N_ELEMENTS(allowed_calls); i++) {
		skip_unless_equal(filter, allowed_calls[i], 1);
		answer(filter, SECCOMP_RET_ALLOW);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(guarded_calls); i++) {
		skip_unless_equal(filter, guarded_calls[i].call, 4);
		load(filter, ARGUMENT(2));
		emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, guarded_calls[i].bits, 0, 1));
		answer(filter, SECCOMP_RET_ERRNO | EPERM);
		answer(filter, SECCOMP_RET_ALLOW);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(own_calls); i++)
		allow_for_own(filter, own_calls[i], (guint32)getpid());
	answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
}

static void limit(int what, rlim_t value)
{
	struct rlimit now;
	if (getrlimit(what, &now) != 0)
		return;
	now.rlim_cur = MIN(value, now.rlim_max);
	setrlimit(what, &now);
}

/* If memory runs short, this process is the one to go. */
static void volunteer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	/* without it, the order is the kernel's */
	if (write(fd, "1000", 4) < 0)
		errno = 0;
	close(fd);
}

static gboolean enter_filter(GError **error)
{
	static Filter filter;
	build_filter(&filter);
	const struct sock_fprog program = {.len = filter.length, .filter = filter.code};
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno,
		        "firebreak-symbols refuses to read files: no filter of system calls (seccomp)");
	return TRUE;
}

gboolean sandbox_enter(GError **error)
{
	/* The files in /proc of a process that cannot be dumped belong to root (proc(5)), so this is written before. */
	volunteer();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, MAX_OPEN_FILES);
	/* The filter comes last, since it allows none of the calls above. */
	return SANDBOX_IS_SANITIZED || MACHINE == 0 || enter_filter(error);
}

void sandbox_begin_request(const char *path)
{
	struct rusage used;
	struct stat status;
	if (SANDBOX_IS_SANITIZED)
		return;
	/* Files are mapped, and inflated debug sections take several times their size. */
	rlim_t size = stat(path, &status) == 0 ? MIN((rlim_t)status.st_size, MAX_FILE_BYTES) : 0;
	limit(RLIMIT_AS, BASE_BYTES + BYTES_PER_FILE_BYTE * size);
	if (getrusage(RUSAGE_SELF, &used) == 0)
		/* The kernel counts CPU time from the start of the process, so the limit moves on with it. */
		limit(RLIMIT_CPU, (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + REQUEST_CPU_SECONDS);
}
