/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlglossary.h"

#include "report/html/htmltext.h"

const GlossaryEntry html_glossary[] = {
        {"base, head", "The commit to compare with, and the commit (or working tree) that is judged."},
        {"margin", "The change that is still allowed."},
        {"pass margin",
                "The change that a pass rules out; larger than the margin, since noise has to fit between the two."},
        {"interval, [+17, +20]",
                "The range in which the true change lies with the confidence that docs/STATISTICS.md states."},
        {"inconclusive", "Neither could be shown in the rounds that were allowed, or a second campaign did not find "
                         "the regression again. Exit code 3."},
        {"too noisy", "Runs differ so much that only changes above the named size are visible; longer runs help."},
        {"too close to call", "Noise is small enough, but the change lies so near the margin that neither a pass nor a "
                              "regression is shown."},
        {"detectable", "The smallest change that these rounds would have found in 80 of 100 checks."},
        {"accepted", "A regression that somebody accepted on purpose, in firebreak.yml or by a commit trailer; it no "
                     "longer fails the check."},
        {"cost moved", "A benchmark that passed as a whole while cost moved from one function to another that the "
                       "change edits."},
        {"slower in a function",
                "A benchmark that passed as a whole while one of its functions is slower for certain."},
        {"round", "One run of base and one of head beside each other."},
        {"campaign", "All rounds of a benchmark in one go."},
        {"confirmed", "A second campaign of its own found the regression again."},
        {"counted", "By the engine callgrind: exact numbers of instructions instead of times, without noise."},
        {"false-alarm rate", "How often code that did not change is called a regression; firebreak check --calibrate "
                             "measures it on your machine."},
        {"pp", "Percentage points of base's total cost: what functions contribute adds up to the change of the total."},
        {"self", "The cost of a function's own instructions, without what it calls."},
        {"inclusive", "The cost of a function with everything that it calls."},
        {"caused by", "The function that explains the change: an edited one if there is one, else the largest that "
                      "rose for certain."},
        {"caused in part by", "The same, of one that explains less than half of the change."},
        {"edited, touched", "The change edits lines of the function."},
        {"calls touched", "The function calls code that the change edits."},
        {"called by touched", "An edited function calls it, so it may be called more often."},
        {"untouched", "Nothing of it or of what it calls is edited; then layout, data or the number of calls may be "
                      "the reason."},
        {"same code", "Its machine code is equal on both sides, addresses aside."},
        {"cost shift", "Cost that moved from one function to another, as by inlining; the total did not change. Costs "
                       "cannot tell it from one function that became slower while another became faster by as much."},
        {"layout suspect", "A function with the same machine code at another place in memory, whose speed changed."},
        {"inlined", "A function whose code the compiler put into another one; it is shown as a part of that one."},
        {"task-clock", "CPU time of the benchmark, of all its threads and processes; \"CPU time\" in sentences."},
        {"sample", "One look at the stack of a running thread, taken at a fixed rate of a clock or of an event."},
        {"disturbed round", "A round in which other work took the CPU; it is repeated."},
        {NULL, NULL},
};

void html_terms(GString *out)
{
	g_string_append(out, "<section>\n<details class=\"facts\" id=\"terms\"><summary><h2>Terms</h2></summary>\n"
	                     "<dl class=\"terms\">\n");
	for (const GlossaryEntry *entry = html_glossary; entry->term != NULL; entry++) {
		html_element(out, "dt", NULL, entry->term);
		html_element(out, "dd", NULL, entry->meaning);
	}
	g_string_append(out, "</dl></details>\n</section>\n");
}
