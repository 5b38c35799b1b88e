/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a check on a benchmark of sample.h beside its comparison: the lines and instructions of hash_word,
 * which gained a line, what task-clock was at earlier commits, and what the change edits where measured code stands. */
#pragma once

#include "tests/report/sample.h"

#include <math.h>

static inline void annotated_line(FunctionAnnotation *annotation, const AnnotatedLine *row)
{
	AnnotatedLine line = *row;
	line.text = g_strdup(row->text != NULL ? row->text : "");
	line.base_text = g_strdup(row->base_text);
	g_array_append_val(annotation->lines, line);
}

static inline void annotated_instruction(FunctionAnnotation *annotation, const AnnotatedInstruction *row)
{
	AnnotatedInstruction instruction = *row;
	instruction.text = g_strdup(row->text != NULL ? row->text : "");
	instruction.base_text = g_strdup(row->base_text);
	g_array_append_val(annotation->instructions, instruction);
}

static inline void annotated_lines(FunctionAnnotation *annotation)
{
	static const AnnotatedLine rows[] = {
	        {.base_line = 19,
	                .head_line = 19,
	                .text = (char *)"static guint32 hash_word(const char *word)",
	                .base_total = 0},
	        {.n_left_out = 7},
	        {.base_line = 27,
	                .head_line = 27,
	                .text = (char *)"\tfor (; *word != '\\0' && i < 64; word++)",
	                .base_self = 2501250,
	                .head_self = 2601300,
	                .base_total = 2501250,
	                .head_total = 2601300,
	                .base_samples = 40,
	                .head_samples = 42},
	        {.base_line = 28,
	                .head_line = 28,
	                .text = (char *)"\t\thash = hash_mix(hash, *word);",
	                .base_text = (char *)"\t\thash = hash * 31 + *word;",
	                .base_self = 57500000,
	                .head_self = 101500000,
	                .base_total = 57500000,
	                .head_total = 120500000,
	                .base_samples = 920,
	                .head_samples = 1624,
	                .edited = TRUE},
	        {.head_line = 29,
	                .text = (char *)"\thash ^= crc(\"<&>\");",
	                .base_self = NAN,
	                .head_self = 23000000,
	                .base_total = NAN,
	                .head_total = 23000000,
	                .head_samples = 368,
	                .edited = TRUE},
	        {.base_line = 29,
	                .base_self = 12.5,
	                .head_self = NAN,
	                .base_total = 12.5,
	                .head_total = NAN,
	                .edited = TRUE},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		annotated_line(annotation, &rows[i]);
}

static inline void annotated_instructions(FunctionAnnotation *annotation)
{
	static const AnnotatedInstruction rows[] = {
	        {.in_base = TRUE, .in_head = TRUE, .text = (char *)"push   %rbp", .base_line = 19, .head_line = 19},
	        {.base_offset = 4,
	                .head_offset = 4,
	                .in_base = TRUE,
	                .in_head = TRUE,
	                .text = (char *)"imul   $0x21,%eax,%eax",
	                .base_text = (char *)"imul   $0x1f,%eax,%eax",
	                .base_line = 28,
	                .head_line = 28,
	                .base_self = 57500000,
	                .head_self = 101500000,
	                .base_samples = 920,
	                .head_samples = 1624},
	        {.n_left_out = 12},
	        {.head_offset = 28,
	                .in_head = TRUE,
	                .text = (char *)"call   crc",
	                .head_line = 29,
	                .base_self = NAN,
	                .head_self = 23000000,
	                .head_samples = 368},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		annotated_instruction(annotation, &rows[i]);
}

static inline GPtrArray *annotated_functions(const StackTable *table)
{
	GPtrArray *annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	FunctionAnnotation *first = function_annotation_new(sample_frame(table, "hash_word"));
	g_free(first->base_file);
	g_free(first->head_file);
	first->base_file = g_strdup("src/words.c");
	first->head_file = g_strdup("src/catalog.c");
	annotated_lines(first);
	annotated_instructions(first);
	first->other_base = 0;
	first->other_head = 1500750;
	g_ptr_array_add(annotations, first);
	FunctionAnnotation *second = function_annotation_new(sample_frame(table, "msort"));
	second->note = g_strdup("its source is not in the checkout");
	second->instructions_note = g_strdup("libc.so.6 has no <symbols>");
	g_ptr_array_add(annotations, second);
	return annotations;
}

#define ANNOTATED_COMMITS 12

/* The environment changes at the fifth commit; the last but one is base, the last head. */
static inline GPtrArray *annotated_history(const CheckResult *result)
{
	GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	MetricHistory *history = metric_history_new("task-clock", &engine_perf, "ns");
	for (guint i = 0; i < ANNOTATED_COMMITS; i++) {
		g_autofree char *sha = i == ANNOTATED_COMMITS - 2   ? g_strdup(result->base.sha)
		                       : i == ANNOTATED_COMMITS - 1 ? g_strdup(result->head.sha)
		                                                    : g_strdup_printf("%040x", 0xabc0000 + i);
		double value = 3.7e8 + 2e6 * (i % 3) + (i < 5 ? 0 : 1e7);
		metric_history_add(history, &(HistoryPoint){
		                                    .sha = sha,
		                                    .subject = i == 3 ? (char *)"catalog: <faster> & better" : NULL,
		                                    .time_s = 1700000000 + 3600 * i,
		                                    .same_environment = i != 0 && i != 5,
		                                    .median = i == 2 ? NAN : value,
		                                    .lower = value - 1e6,
		                                    .upper = value + 1e6,
		                                    .runs = 8,
		                            });
	}
	g_ptr_array_add(all, history);
	return all;
}

static inline void changed_function(ChangedHunk *hunk, const ResultBenchmark *benchmark, const char *name)
{
	const StackTable *table = benchmark->head->profile->table;
	const FunctionComparison *row = sample_row(benchmark, name);
	const ChangedFunction function = {
	        .benchmark = benchmark->name,
	        .name = (char *)name,
	        .module = (char *)stack_table_text(table, stack_table_get_frame(table, row->frame)->module),
	        .contribution = row->contribution,
	        .klass = row->klass,
	};
	g_ptr_array_add(hunk->functions, changed_function_copy(&function));
}

static inline void changed_lines(ChangedHunk *hunk)
{
	static const ChangedLine rows[] = {
	        {.base_line = 27,
	                .head_line = 27,
	                .text = (char *)"\tfor (; *word != '\\0' && i < 64; word++)",
	                .base_self = 2501250,
	                .head_self = 2601300},
	        {.kind = CHANGED_REMOVED,
	                .base_line = 28,
	                .text = (char *)"\t\thash = hash * 31 + *word;",
	                .base_self = 57500000,
	                .head_self = NAN},
	        {.kind = CHANGED_ADDED,
	                .head_line = 28,
	                .text = (char *)"\t\thash = hash_mix(hash, *word);",
	                .base_self = NAN,
	                .head_self = 101500000},
	        {.kind = CHANGED_ADDED,
	                .head_line = 29,
	                .text = (char *)"\thash ^= crc(\"<&>\");",
	                .base_self = NAN,
	                .head_self = 23000000},
	        {.n_left_out = 4, .text = (char *)"", .base_self = NAN, .head_self = NAN},
	        {.base_line = 33, .head_line = 34, .text = (char *)"}", .base_self = NAN, .head_self = NAN},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		ChangedLine line = rows[i];
		line.text = g_strdup(line.text);
		g_array_append_val(hunk->lines, line);
	}
}

/* Two files of five: one with two functions and lines, of which one hunk was left out, and one whose text is not known.
 */
static inline ChangedCode *changed_sample(const ResultBenchmark *benchmark)
{
	ChangedCode *code = changed_code_new();
	ChangedSource *file = changed_code_add_file(code, "src/words.c", "src/catalog.c");
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){27, 7, 27, 8});
	changed_function(hunk, benchmark, "hash_word");
	changed_function(hunk, benchmark, "msort");
	changed_lines(hunk);
	hunk->n_more_functions = 1;
	hunk->costs_benchmark = g_strdup(benchmark->name);
	file->n_hunks = 3;
	ChangedSource *gone = changed_code_add_file(code, "src/<gone>.c", NULL);
	hunk = changed_source_add_hunk(gone, &(LineChange){1, 20, 1, 0});
	changed_function(hunk, benchmark, "msort");
	gone->n_hunks = 1;
	gone->note = g_strdup("base: <unreadable>");
	code->n_files = 5;
	code->n_measured_files = 2;
	code->n_measured_hunks = 3;
	return code;
}

static inline void annotate_sample(CheckResult *result)
{
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	benchmark->annotations = annotated_functions(benchmark->head->profile->table);
	benchmark->history = annotated_history(result);
	result->changed = changed_sample(benchmark);
}
