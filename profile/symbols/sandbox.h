/* What firebreak-symbols gives up before it reads foreign bytes: core dumps, writing, new processes, the network, and
 * memory and CPU time without bounds. From then on it can read files, allocate memory and answer on its socket.
 *
 * A kernel without seccomp leaves the system calls open; the limits hold all the same. */
#pragma once

#include <glib.h>

/* A sanitizer needs address space without end, other system calls, and standard error for its report; then there is no
 * limit on memory and no filter. */
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_IS_SANITIZED 1
#endif
#endif
#ifndef SANDBOX_IS_SANITIZED
#define SANDBOX_IS_SANITIZED 0
#endif

/* Once, at the start. */
void sandbox_enter(void);
/* Before each request: two minutes of CPU time from now on, and 8 GiB of memory and four times the size of the file. */
void sandbox_begin_request(const char *path);
