// SPDX-License-Identifier: Apache-2.0
// Flame graphs inside of other pages: as an image, where no script runs, and several in one page. `embedding_test.mjs
// FOLDER` writes pictures and pages into the folder.
import assert from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, click, focused, frame, frames, matched, open, press, run, search, shown, typed } from './browser.mjs';
import { draw, drawDiff } from './pictures.mjs';

const folder = process.argv[2];
const profile = draw('profile', { 'main;parse_[k]': 60, 'main;run;work_[i]': 40 }, '--title=Profile of today', '--colors=kind');
const difference = drawDiff('difference', [{ 'main;slow': 300, 'main;gone': 100, 'main;keep': 400 }], [{ 'main;slow': 600, 'main;fresh': 150, 'main;keep': 400 }]);
const near = (a, b, tolerance = .002) => assert.ok(Math.abs(a - b) < tolerance, `${a} is not ${b}`);

function page(name, body) {
	const path = join(folder, `${name}.html`);
	writeFileSync(path, `<!DOCTYPE html>\n<meta charset="utf-8">\n<title>${name}</title>\n${body}\n`);
	return path;
}
const source = svg => readFileSync(svg, 'utf8').replace(/^<\?xml.*\n/, '');
const both = page('both', `<p><input id="before" placeholder="of the page"></p>\n<div id="first">${source(profile)}</div>\n<div id="second">${source(difference)}</div>`);
const FIRST = '#first svg.flame', SECOND = '#second svg.flame';

// Draws a picture as an image, with and without its texts; for each text of it, how many pixels differ in its place.
async function inkOfTexts(svg) {
	const still = await open(svg, { javaScriptEnabled: false, viewport: { width: 1200, height: 600 } });
	const texts = await still.$$eval('text', all => all.map(one => [one.textContent, one.getBoundingClientRect()])
		.map(([text, { x, y, width, height }]) => ({ text, x: Math.floor(x), y: Math.floor(y), w: Math.ceil(width), h: Math.ceil(height) })));
	const one = await open(page('image', '<canvas></canvas>'));
	const whole = source(svg), bare = whole.replace(/<text[ >].*?<\/text>/gs, '');
	return one.evaluate(async ([texts, ...sources]) => {
		const pixels = [];
		for (const source of sources) {
			const image = new Image();
			image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
			await image.decode();
			const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight), context = canvas.getContext('2d', { willReadFrequently: true });
			context.drawImage(image, 0, 0);
			pixels.push(at => context.getImageData(at.x, at.y, Math.max(at.w, 1), Math.max(at.h, 1)).data);
		}
		return texts.map(at => {
			const [with_, without] = pixels.map(read => read(at));
			return { text: at.text, ink: with_.reduce((sum, value, i) => sum + (value !== without[i]), 0) };
		});
	}, [texts, whole, bare]);
}

const tests = {
	'an image shows title, legend and labels': async () => {
		const inks = await inkOfTexts(profile);
		for (const text of ['Profile of today', 'main', 'parse', 'run', 'work', 'every frame is drawn'])
			assert.ok(inks.some(one => one.text === text && one.ink > 10), text);
		assert.ok(inks.some(one => /^kernel/.test(one.text)));
		for (const { text, ink } of inks) assert.ok(ink > 0, `${text} can be seen`);
	},
	'the image of a differential picture does, too, and says what the switches are': async () => {
		const inks = await inkOfTexts(difference);
		for (const text of ['Difference', 'removed here', 'added here', 'slow', 'keep'])
			assert.ok(inks.some(one => one.text.includes(text) && one.ink > 10), text);
		assert.ok(inks.some(one => /^width: larger of both/.test(one.text)));
		for (const { text, ink } of inks) assert.ok(ink > 0 || !text.trim(), `${text} can be seen`);
	},
	'an image asks for nothing and runs nothing': async () => {
		const url = svg => `data:image/svg+xml;base64,${readFileSync(svg).toString('base64')}`;
		const file = page('images', `<img alt="" src="${url(profile)}"><img alt="" src="${url(difference)}">`);
		const one = await open(file);
		assert.equal(await one.$$eval('img', all => all.every(image => image.complete && image.naturalWidth > 800)), true);
		await press(one, '/', '?', 'w');
		assert.equal(await one.locator('input').count(), 0);
	},
	'keys go to the picture with the focus only': async () => {
		const one = await open(both);
		await click(one, 'all;main', FIRST);
		await press(one, 'ArrowUp');
		assert.equal(await focused(one, FIRST), 'all;main;parse');
		assert.equal(await focused(one, SECOND), null);
		await press(one, 'Enter', '?', 'w');
		near((await frame(one, 'all;main;parse', FIRST)).w, 1);
		assert.equal((await frames(one, SECOND)).every(frame => frame.opacity === 1), true);
		assert.equal(await one.locator('.help').count(), 1);
		assert.equal(await one.locator(`${FIRST} .help`).count(), 1);
		assert.equal(await one.getAttribute('[data-view=larger]', 'aria-pressed'), 'true', 'w is no key of the first');
		await click(one, 'all;main;keep', SECOND);
		await press(one, 'Escape', 'w');
		assert.equal(await one.getAttribute('[data-view=base]', 'aria-pressed'), 'true');
		near((await frame(one, 'all;main;parse', FIRST)).w, 1);
		assert.equal(await one.locator(`${FIRST} .help`).count(), 1, 'Esc was for the second');
	},
	'each picture searches in itself': async () => {
		const one = await open(both);
		await click(one, 'all', SECOND);
		await search(one, 'slow|keep|run');
		assert.equal(await matched(one, SECOND), 'matched 87.50 % → 86.96 % (2)');
		assert.equal(await matched(one, FIRST), '');
		assert.equal((await frames(one, FIRST)).some(frame => frame.hit), false);
		await click(one, 'all', FIRST);
		await search(one, 'run');
		assert.equal(await matched(one, FIRST), 'matched 40.00 % (1)');
		assert.equal(await typed(one, SECOND), 'slow|keep|run');
	},
	'without the focus in a picture its keys are those of the page': async () => {
		const one = await open(both);
		await press(one, '/', '?', 'w', 'c', '0', 'n', 'F3');
		assert.equal(await one.locator('.help').count(), 0);
		assert.equal(await one.evaluate(() => document.activeElement === document.body), true);
		await one.click('#before');
		await one.keyboard.type('/w?cv0');
		assert.equal(await one.inputValue('#before'), '/w?cv0');
		assert.equal(await one.getAttribute('[data-view=larger]', 'aria-pressed'), 'true');
	},
	'no picture of a page reads or changes its address': async () => {
		const one = await open(both, { address: 'chapter-2&q=run&view=head,self,share' });
		assert.equal(await typed(one, FIRST), '');
		assert.equal(await one.getAttribute('[data-view=larger]', 'aria-pressed'), 'true');
		await click(one, 'all;main;slow', SECOND);
		await press(one, 'w', 'w');
		await search(one, 'slow');
		await click(one, 'all;main;parse', FIRST);
		assert.equal(await address(one), '#chapter-2&q=run&view=head,self,share');
		assert.deepEqual(await shown(one, FIRST), ['all', 'all;main', 'all;main;parse']);
	},
	'Tab goes through the pictures in their order': async () => {
		const one = await open(both), stops = [];
		await one.focus('#before');
		for (let i = 0; i < 18; i++) {
			await press(one, 'Tab');
			stops.push(await one.evaluate(() => {
				const at = document.activeElement, place = at.closest('#first') ? 'first' : at.closest('#second') ? 'second' : 'page';
				return `${place} ${at.closest('.choices') ? 'switch' : at.closest('.f') ? 'frame' : at.localName}`;
			}));
		}
		assert.deepEqual(stops, ['first frame', 'first input', ...Array(3).fill('first button'), ...Array(7).fill('second switch'), 'second frame', 'second input', ...Array(3).fill('second button'), stops.at(-1)]);
	},
};

await run(tests);
