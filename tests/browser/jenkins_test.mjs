// SPDX-License-Identifier: Apache-2.0
// A reader opens an archived report in Jenkins, whose default Content-Security-Policy allows neither scripts nor style
// sheets in the page: all that is said must be there all the same. `jenkins_test.mjs FOLDER` opens the pages in it.
import assert from 'node:assert';
import { join } from 'node:path';
import { frames, open, run } from './browser.mjs';

const folder = process.argv[2];
const POLICY = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';";

// Opens a file with the header, and forgets what the browser says of styles and scripts that it has not let through.
async function served(name) {
	const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/html; charset=utf-8';
	const page = await open(join(folder, name), { headers: { 'Content-Type': type, 'Content-Security-Policy': POLICY } });
	page.refused = page.trouble.filter(text => /Content Security Policy|Blocked script execution/.test(text));
	page.trouble = page.trouble.filter(text => !page.refused.includes(text));
	return page;
}

const tests = {
	'the policy keeps styles and scripts out': async () => {
		const page = await served('annotated.html');
		assert.ok(page.refused.some(text => text.includes('style')));
		assert.ok(page.refused.some(text => text.includes('script')));
	},
	'the page shows verdict, numbers and functions': async () => {
		const page = await served('annotated.html');
		const text = await page.innerText('body');
		for (const said of ['✕ Regression', 'catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19', '379 ms'])
			assert.ok(text.includes(said), said);
		assert.equal(await page.isVisible('table.functions'), true);
		assert.equal(await page.isVisible('table.annotated'), true);
	},
	'the page shows the flame graph in its colours': async () => {
		const page = await served('annotated.html');
		const all = await frames(page), hot = all.find(one => one.name.startsWith('hash_word'));
		assert.ok(all.length > 10 && all.every(one => one.shown));
		assert.match(hot.label, /hash_word/);
		assert.equal(new Set(all.map(one => one.fill)).size > 2, true);
	},
	'details open without a script': async () => {
		const page = await served('annotated.html');
		const details = page.locator('details:not([open])').first();
		await details.locator('summary').first().click();
		assert.equal(await details.count() > 0 && await page.locator('details[open]').count() > 1, true);
	},
	'a picture by itself shows its table and all of its frames': async () => {
		const page = await served('diff.svg');
		const all = await frames(page);
		assert.ok(all.length > 10 && all.every(one => one.shown));
		assert.match(await page.textContent('svg'), /\+17\.7 pp/);
	},
};
await run(tests);
