// SPDX-License-Identifier: Apache-2.0
// No serious fault of accessibility, as axe-core finds them, in report.html and in pictures, light and dark, wide and
// narrow; what pages weigh and how soon they can be used is printed. `access_test.mjs FOLDER` opens the pages in it.
import assert from 'node:assert';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, press, run } from './browser.mjs';
import { draw, drawDiff } from './pictures.mjs';

const folder = process.argv[2], axe = readFileSync(process.env.AXE, 'utf8');
const files = {
	'a regression': join(folder, 'regression.html'),
	'source and changed code': join(folder, 'annotated.html'),
	'several benchmarks': join(folder, 'several.html'),
	'times and counts': join(folder, 'both.html'),
	...Object.fromEntries(['regression', 'pass', 'improvement', 'inconclusive', 'error', 'build', 'first', 'merged', 'accepted']
		.map(ending => [`the ending ${ending}`, join(folder, `comment-${ending}.md.html`)])),
	'a flame graph': draw('profile', { 'main;parse_[k]': 60, 'main;run;work_[i]': 40 }, '--colors=kind'),
	'a differential picture': drawDiff('difference', [{ 'main;slow': 300, 'main;gone': 100 }], [{ 'main;slow': 600, 'main;fresh': 150 }]),
};

// A frame shows as much of its name as fits, with a mark before it and points after it, and is spoken with its whole
// tooltip. axe wants the shown text in the spoken one letter by letter, which no cut text is, so for frames something
// stricter takes the place of its rule: the shown text is hidden from readers of screens, and every piece of it that is
// left of the name stands in what is spoken.
const isFrame = (rule, node) => rule === 'label-content-name-mismatch' && node.html.startsWith('<g class="f');
const strangeLabels = page => page.$$eval('g.f', all => all.filter(g => {
	const text = g.querySelector('text'), spoken = g.getAttribute('aria-label');
	if (!text || !spoken) return false;
	const shown = text.textContent.replace(/^[▲▼] /, '').replace(/ {2}[-+][\d.]+ \S+$/, '');
	return text.getAttribute('aria-hidden') !== 'true' || !shown.split('…').every(piece => spoken.includes(piece));
}).map(g => `label: ${g.textContent.slice(-40)}`));

// Serious and critical faults: rule and elements. Playwright's own world is not bound by the policy of the page.
async function faults(page) {
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
	const found = violations.filter(one => /^(serious|critical)$/.test(one.impact))
		.map(one => ({ ...one, nodes: one.nodes.filter(node => !isFrame(one.id, node)) })).filter(one => one.nodes.length)
		.map(one => `${one.id}: ${one.nodes.slice(0, 4).map(node => node.html.slice(0, 100)).join(' | ')} (${one.nodes.length})`);
	return [...found, ...await strangeLabels(page)];
}

async function openAll(page) {
	await page.$$eval('details', all => all.forEach(one => { one.open = true; }));
	for (const picture of await page.$$('.picture')) await picture.scrollIntoViewIfNeeded();
	await page.waitForFunction(() => !document.querySelector('.picture[data-scripts]'));
}

// Milliseconds until the page answers: its script has run and a key has its effect.
async function readyAfter(page) {
	await press(page, '/');
	return page.evaluate(() => Math.round(performance.getEntriesByType('navigation')[0].domInteractive));
}

const tests = {};
for (const [name, file] of Object.entries(files))
	for (const colorScheme of ['light', 'dark'])
		tests[`${name}, ${colorScheme}: no serious fault`] = async () => {
			for (const width of [1440, 390]) {
				const page = await open(file, { colorScheme, viewport: { width, height: 900 } });
				// a narrow window cuts pictures, whose scripts run once somebody scrolls to them
				const early = width === 390 && colorScheme === 'light' ? (await faults(page)).join('\n') : '';
				assert.equal(early, '', `${width} pixels, before anything is opened: ${early}`);
				await openAll(page);
				const found = (await faults(page)).join('\n');
				assert.equal(found, '', `${width} pixels: ${found}`);
			}
		};
tests['a fault is found'] = async () => {
	const page = await open(files['a regression']);
	await page.$eval('.tools input', input => { input.removeAttribute('aria-label'); input.removeAttribute('placeholder'); });
	assert.match((await faults(page)).join(), /label: <input/);
};
tests['a label of another function is found'] = async () => {
	const page = await open(files['a flame graph']);
	await page.$$eval('g.f', all => { all.at(-1).setAttribute('aria-label', 'something else'); });
	assert.match((await faults(page)).join(), /label: /);
};
tests['pages are small and soon there'] = async () => {
	for (const [name, file] of Object.entries(files)) {
		const page = await open(file), ready = await readyAfter(page);
		console.log(`# ${name}: ${Math.round(statSync(file).size / 1024)} KiB, interactive after ${ready} ms`);
		assert.ok(statSync(file).size < 300 * 1024, name);
	}
};

await run(tests);
