// SPDX-License-Identifier: Apache-2.0
// Pictures for tests: drawn by the program that FIREBREAK names from stacks that are written here.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];

// Writes folded text and returns its path. `stacks` maps stacks to costs; in order, so a stack may be there only once.
function fold(name, stacks) {
	const path = join(folder, name);
	writeFileSync(path, Object.entries(stacks).map(([stack, cost]) => `${stack} ${cost}\n`).join(''));
	return path;
}

const firebreak = args => execFileSync(process.env.FIREBREAK, args, { stdio: ['ignore', 'pipe', 'inherit'] });

// A flame graph; returns the path of the SVG.
export function draw(name, stacks, ...options) {
	const out = join(folder, `${name}.svg`);
	firebreak(['flamegraph', ...options, '-o', out, fold(`${name}.folded`, stacks)]);
	return out;
}

// A differential one of several runs of base and head.
export function drawDiff(name, base, head, ...options) {
	const out = join(folder, `${name}.svg`);
	const side = (word, runs) => runs.map((stacks, run) => fold(`${name}.${word}${run}.folded`, stacks));
	firebreak(['diff', ...options, '-o', out, ...side('base', base), '--', ...side('head', head)]);
	return out;
}

// Names that would be something else than text where a sink forgot to escape them.
export const hostile = [
	'<script>window.ran=1</script>', '</title><script>window.ran=1</script>', '"><svg onload="window.ran=1">', "' onload='window.ran=1",
	'x" onmouseover="window.ran=1', ']]><script>window.ran=1</script>', '<![CDATA[', '<!--', '-->', '</svg></style></script>',
	'&lt', '&amp', '&#60', '&bogus', 'javascript:window.ran=1', '<a xlink:href="javascript:window.ran=1">', '<foreignObject><body onload="window.ran=1">',
	'<image href="https://example.invalid/x.png"/>', 'url(https://example.invalid/x)', '${window.ran=1}', '`window.ran=1`', '\\u003cscript>',
	'__proto__', 'constructor', 'hasOwnProperty', 'toString', 'all', 'name (12 samples, 3.00%)', 'operator()(int) const', '#node=1&q=2',
	'#node', '%3Cscript%3E', '100%', 'a  b', '\u202egnirts', '\u200b', '\ufeffbom', '名前', '👩‍👩‍👧', 'e\u0301', 'x'.repeat(3000), '(', '[', '*', '$&',
];
