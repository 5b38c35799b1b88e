/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/toolchainjson.h"

#include "core/json/fieldtable.h"

static const Field compiler_fields[] = {
        FIELD("name", WORDS, UsedCompiler, name),
        FIELD("program", WORDS, UsedCompiler, program),
        FIELD("calls", COUNT, UsedCompiler, calls),
};

static const Field program_fields[] = {
        FIELD("file", WORDS, ProgramFacts, file),
        FIELD("producers", WORDS, ProgramFacts, producers),
        FIELD("units", COUNT, ProgramFacts, units),
        FIELD("units_unoptimised", COUNT, ProgramFacts, units_unoptimised),
        FIELD("units_without_frame_pointers", COUNT, ProgramFacts, units_without_frame_pointers),
};

json_t *compilers_json(const GPtrArray *compilers)
{
	return records_json(FIELD_TABLE(compiler_fields), compilers, FALSE);
}

GPtrArray *compilers_read(const json_t *array)
{
	if (!json_is_array(array))
		return NULL;
	GPtrArray *compilers = used_compilers_new();
	records_read(NULL, array, ELEMENT_TABLE(compiler_fields, UsedCompiler), compilers, FALSE);
	return compilers;
}

static json_t *program_json(const ProgramFacts *facts)
{
	return facts != NULL ? fields_json(FIELD_TABLE(program_fields), facts, FALSE) : json_null();
}

json_t *programs_json(const ProgramFacts *base, const ProgramFacts *head)
{
	json_t *object = json_object();
	json_set(object, "base", program_json(base));
	json_set(object, "head", program_json(head));
	return object;
}

ProgramFacts *program_read(const json_t *programs, const char *side)
{
	const json_t *object = json_object_get(programs, side);
	if (!json_is_object(object))
		return NULL;
	ProgramFacts *facts = g_new0(ProgramFacts, 1);
	fields_read(NULL, object, FIELD_TABLE(program_fields), facts, FALSE);
	return facts;
}
