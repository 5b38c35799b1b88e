/* SPDX-License-Identifier: Apache-2.0 */
/* Watches which programs a run executes, to find those that calibrate themselves, whoever starts them: a shell, make,
 * ctest, a script of another language.
 *
 * The tree of processes is looked at from time to time while it runs, by /proc: the file that each process executes,
 * its arguments, and now and then the libraries that it has mapped, among which is the program itself under valgrind.
 * Files are opened at once and read after the end, so that one that is removed meanwhile (`go test` does that) is
 * known, and reading takes no time of the run. What ends between two looks is not seen: a program that calibrates
 * itself works for longer than that.
 *
 * Programs of the system's folders are looked at like others, its libraries are not. The library of a framework is no
 * evidence: a program that links it may use but a part of it, and one that uses all of it has its names.
 *
 * Calling order: program_watch_new() before the run is released, program_watch_look() from the tick while it runs,
 * program_watch_judge() after its end. */
#pragma once

#include "core/child.h"
#include "runner/executor.h"

/* The facts about files that were read before, for all runs of an executor. */
typedef struct ProgramMemory ProgramMemory;
ProgramMemory *program_memory_new(void);
void program_memory_free(ProgramMemory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProgramMemory, program_memory_free)

typedef struct ProgramWatch ProgramWatch;

/* Watches the tree of this process, and what it leaves behind. `closely`: looks every few milliseconds, for which
 * program_watch_timer() has to be served. `memory` is borrowed. Owned by the caller. */
ProgramWatch *program_watch_new(pid_t pid, gboolean closely, ProgramMemory *memory);
void program_watch_free(ProgramWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProgramWatch, program_watch_free)

/* Looks, unless the last look was a moment ago. Up to 512 processes. */
void program_watch_look(ProgramWatch *watch);
/* Appends what calls for looks to an array of ChildWatch, if it watches closely. */
void program_watch_timer(ProgramWatch *watch, GArray *watches);

/* The framework of the first program seen that calibrates itself with the arguments that it was started with;
 * FRAMEWORK_NONE if none does. *path is the file that it was started from, owned by the caller. */
FrameworkId program_watch_calibrating(ProgramWatch *watch, char **path);
/* TRUE if a program or library that was seen, outside the system's folders, may ask a clock of CPU time. */
gboolean program_watch_asks_cpu_clock(ProgramWatch *watch);
/* Fails the outcome (CALIBRATES_FAILURE) if there is such a program, and the entry does not say what it is. */
void program_watch_judge(ProgramWatch *watch, const RunRequest *request, RunOutcome *outcome);
