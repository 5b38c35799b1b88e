// SPDX-License-Identifier: Apache-2.0
// The images of docs/images: `screenshots.mjs OUT FOLDER` photographs the report and the differential flame graph in OUT,
// which a check of the sample project has written. Sizes do not depend on what was measured.
import assert from 'node:assert';
import { join } from 'node:path';
import { frames, open, run } from './browser.mjs';

const [out, folder] = process.argv.slice(2);
const REPORT = { width: 1280, height: 800 }, DIFFERENCE = { width: 1200, height: 480 }, ANNOTATION = { height: 640 };

async function shoot(page, name, size) {
	await page.mouse.move(0, 0);
	await page.evaluate(() => document.activeElement?.blur());
	await page.screenshot({ path: join(folder, `${name}.png`), clip: { x: 0, y: 0, ...size } });
}

async function shootDifference(name, address, options) {
	const page = await open(join(out, 'lexi.diff.svg'), { address, viewport: DIFFERENCE, ...options });
	await shoot(page, name, DIFFERENCE);
	return page;
}

await run({
	'the top of the report, light and dark': async () => {
		for (const colorScheme of ['light', 'dark']) {
			const page = await open(join(out, 'report.html'), { viewport: REPORT, colorScheme });
			await shoot(page, colorScheme === 'dark' ? 'report-dark' : 'report', REPORT);
		}
	},
	'the report in windows of all widths, light and dark': async () => {
		for (const width of [1440, 800, 390])
			for (const colorScheme of ['light', 'dark']) {
				const size = { width, height: 900 };
				const page = await open(join(out, 'report.html'), { viewport: size, colorScheme });
				await shoot(page, `report-${width}-${colorScheme}`, size);
			}
	},
	'the comment, which is the summary of a job, too, and the terminal': async () => {
		for (const [name, file] of [['comment', 'comment'], ['terminal', 'terminal']]) {
			const page = await open(join(out, `${file}.html`), { viewport: { width: 1120, height: 720 } });
			const height = await page.evaluate(() => Math.min(document.body.offsetHeight + 32, 720));
			await shoot(page, name, { width: 1120, height });
		}
	},
	'the rounds of the metric that fails the check': async () => {
		const page = await open(join(out, 'report.html'), { viewport: { width: 1280, height: 1400 } });
		const figure = page.locator('figure.rounds').first();
		await page.$eval('.tools', tools => tools.remove());
		await page.locator('[id^=part-rounds]').first().scrollIntoViewIfNeeded();
		await page.locator('[id^=part-rounds]').first().evaluate(one => one.scrollIntoView());
		const box = await figure.boundingBox(), from = Math.max(box.y - 160, 0);
		await page.screenshot({ path: join(folder, 'rounds.png'), clip: { x: box.x - 8, y: from, width: 760, height: box.y - from + box.height } });
	},
	'the source lines of the function that fails the check': async () => {
		const page = await open(join(out, 'report.html'), { viewport: { width: 1280, height: 1200 } });
		const annotation = page.locator('details.annotation[open]').first();
		await annotation.scrollIntoViewIfNeeded();
		const box = await annotation.boundingBox();
		const height = Math.min(box.height, ANNOTATION.height);
		await page.screenshot({ path: join(folder, 'annotated.png'), clip: { ...box, height }, fullPage: false });
	},
	'the differential flame graph as wide as the larger side, base and head': async () => {
		const pictures = [];
		for (const width of ['larger', 'base', 'head']) pictures.push(await frames(await shootDifference(`diff-${width}`, `view=${width},inclusive,work`)));
		for (const all of pictures.slice(1)) assert.notDeepEqual(all.map(one => one.w), pictures[0].map(one => one.w));
	},
	'the same in the dark': async () => {
		await shootDifference('diff-dark', '', { colorScheme: 'dark' });
	},
});
