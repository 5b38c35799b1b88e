// SPDX-License-Identifier: Apache-2.0
// What linters of others have to say of files for services; one remark a line, and exit 1 if there is any.
//
//   node lint.mjs workflows FILE...     actionlint, of workflows of GitHub
//   node lint.mjs actions FILE...       action-validator, which holds actions to GitHub's JSON schema
//   node lint.mjs kubernetes FILE       the published schemas of Kubernetes; FILE is a JSON array of objects
//
// LINTERS is the node_modules of package.json beside this file.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const LINTERS = process.env.LINTERS;
const require = createRequire(join(LINTERS, "none.js"));

// This actionlint is older than what it does not know there.
const NEWER = [
	/^label "ubuntu-24\.04(-arm)?" is unknown\./,
	/^undefined variable "vars"\./,
	/^unknown permission scope "attestations"\./,
];

async function workflows(files) {
	const { createLinter } = await import(pathToFileURL(join(LINTERS, "actionlint/node.mjs")));
	const remarks = [];
	for (const file of files) {
		// one linter for several files ends with "unreachable" after some of them
		const lint = await createLinter();
		for (const remark of lint(readFileSync(file, "utf8"), file))
			if (!NEWER.some((rule) => rule.test(remark.message)))
				remarks.push(`${file}:${remark.line}:${remark.column}: ${remark.message}`);
	}
	return remarks;
}

function actions(files) {
	return files.flatMap((file) => {
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[join(LINTERS, "@action-validator/cli/cli.mjs"), file],
			{ encoding: "utf8" },
		);
		return status === 0 ? [] : [`${file}: ${stdout}${stderr}`];
	});
}

// The validators accept keys that they do not know, as the API does; kubectl and this refuse them. The keys are those of
// the published declarations.
function unknownKeys(declaration, value, path) {
	if (Array.isArray(value)) return value.flatMap((item, i) => unknownKeys(declaration, item, `${path}[${i}]`));
	const text = readFileSync(`${declaration}.d.ts`, "utf8");
	const body = /export interface I\w+ (?:extends \w+ )?\{([\s\S]*?)\n\}/.exec(text)?.[1];
	if (!body) return []; // a name for a type without keys, such as Quantity
	const types = new Map([...body.matchAll(/^ {4}"([^"]+)"\??: ([\s\S]*?);$/gm)].map((field) => [field[1], field[2]]));
	return Object.entries(value).flatMap(([key, inner]) => {
		if (!types.has(key)) return [`${path}.${key}: no such key`];
		const name = /\bIIo\w+/.exec(types.get(key))?.[0];
		const from = name && new RegExp(`import \\{ ${name} \\} from "([^"]+)"`).exec(text)?.[1];
		if (!from || typeof inner !== "object") return [];
		const next = from.startsWith(".") ? join(dirname(declaration), from) : join(LINTERS, from);
		return unknownKeys(next, inner, `${path}.${key}`);
	});
}

function kubernetes([file]) {
	return JSON.parse(readFileSync(file, "utf8")).flatMap((object) => {
		const path = join("kubernetes-models", object.apiVersion, object.kind);
		const Model = require(path)[object.kind];
		const remarks = unknownKeys(join(LINTERS, path), object, object.kind);
		try {
			new Model(object).validate();
		} catch (error) {
			remarks.push(`${object.metadata?.name}: ${error.message}`);
		}
		return remarks;
	});
}

const [what, ...files] = process.argv.slice(2);
const remarks = await { workflows, actions, kubernetes }[what](files);
if (remarks.length > 0) console.log(remarks.join("\n"));
process.exit(remarks.length > 0 ? 1 : 0);
