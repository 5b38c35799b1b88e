/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-symbols gives up, before it reads foreign bytes: core dumps, writing, new processes, the network, signals
 * to other processes, and memory and CPU time without bounds. From then on it can open, read and list the files that
 * its user may read, allocate memory that holds no code, signal itself, set its own limits within those of firebreak,
 * and answer on its socket. Where code of a file took it over, its answers are what that file wants.
 *
 * The system calls are filtered on x86-64 and aarch64; elsewhere only the limits hold. */
#pragma once

#include <glib.h>

/* A sanitizer needs address space without end, other system calls, and standard error for its report; then there is no
 * limit on memory and no filter. The build option FIREBREAK_EMULATED sets it, too: an emulator has no filters. */
#if defined(SANDBOX_IS_SANITIZED)
#elif defined(__SANITIZE_ADDRESS__)
#define SANDBOX_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_IS_SANITIZED 1
#endif
#endif
#ifndef SANDBOX_IS_SANITIZED
#define SANDBOX_IS_SANITIZED 0
#endif

/* Once, at the start. Errors: FIREBREAK_ERROR_ENVIRONMENT if the kernel filters no system calls; then no foreign bytes
 * are to be read. */
gboolean sandbox_enter(GError **error);
/* Before each request: two minutes of CPU time from now on, and 8 GiB of memory and four times the size of the file. */
void sandbox_begin_request(const char *path);
