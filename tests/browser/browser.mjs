// SPDX-License-Identifier: Apache-2.0
// A browser for tests: opens files, keeps what they complain about or ask for, and reads a flame graph as a user sees it.
// CHROMIUM names the program and PLAYWRIGHT_CORE the folder of the library (browser.sh sets both).
import assert from 'node:assert';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { chromium } = (await import(pathToFileURL(join(process.env.PLAYWRIGHT_CORE, 'index.mjs')))).default;
const WAIT_MS = Number(process.env.FIREBREAK_BROWSER_WAIT_MS ?? 120000);
let browser = null, opened = [];

async function start() {
	return chromium.launch({
		executablePath: process.env.CHROMIUM,
		chromiumSandbox: process.getuid() !== 0,
		args: ['--disable-gpu', '--font-render-hinting=none', '--force-color-profile=srgb'],
	});
}

// Opens a file; `address` is what stands behind the #. Messages, errors, dialogs and requests for anything but the file
// are in `page.trouble`, and fail the test that opened it. `options` are those of a browser context. Nothing fades unless
// they say so, for a test sees what is there at once. With `headers` the file comes from a web server that sends them.
export async function open(file, { address = '', headers = null, ...options } = {}) {
	browser ??= await start();
	const url = headers ? `http://server.invalid/${basename(file)}` : pathToFileURL(resolve(file)).href;
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
	context.setDefaultTimeout(WAIT_MS);
	if (headers) await context.route('**', route => route.fulfill({ path: file, headers }));
	const page = await context.newPage();
	page.trouble = [];
	page.on('console', message => page.trouble.push(message.text()));
	page.on('pageerror', error => page.trouble.push(String(error)));
	page.on('dialog', dialog => { page.trouble.push('dialog'); dialog.dismiss(); });
	page.on('popup', () => page.trouble.push('popup'));
	page.on('request', request => {
		if (request.url().split('#')[0] !== url && !request.url().startsWith('data:')) page.trouble.push(request.url());
	});
	opened.push(page);
	await page.goto(url + (address && `#${address}`));
	return page;
}

// Runs tests, a map of sentences to functions, one after the other, and ends the process: 0 if all passed. ONLY=WORDS runs
// those whose sentence has these words.
export async function run(all) {
	const tests = Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(process.env.ONLY ?? '')));
	let failed = 0, number = 0;
	console.log(`1..${Object.keys(tests).length}`);
	for (const [name, test] of Object.entries(tests)) {
		number++;
		try {
			await test();
			for (const page of opened)
				assert.deepEqual(page.trouble, [], `${basename(page.url())}: errors, messages and requests`);
			console.log(`ok ${number} - ${name}`);
		} catch (error) {
			failed++;
			console.log(`not ok ${number} - ${name}\n# ${String(error.stack).replaceAll('\n', '\n# ')}`);
		}
		for (const page of opened) await page.context().close();
		opened = [];
	}
	await browser?.close();
	console.log(`${number - failed} passed, ${failed} failed`);
	process.exit(failed || !number ? 1 : 0);
}

export const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
export const address = page => page.evaluate(() => location.hash);
export const details = (page, svg = 'svg.flame') => page.textContent(`${svg} .details text`);
export const matched = (page, svg = 'svg.flame') => page.textContent(`${svg} .controls [role=status]`);

// Types a search, as a user does who begins with a slash.
export async function search(page, text) {
	await page.keyboard.press('/');
	await page.keyboard.type(text);
}

// The search field. Playwright takes only elements of HTML documents for fields, hence not by its means.
export const typed = (page, svg = 'svg.flame') => page.$eval(`${svg} .controls input`, field => field.value);
export async function retype(page, text, svg = 'svg.flame') {
	await page.$eval(`${svg} .controls input`, field => { field.focus(); field.select(); });
	await page.keyboard.press('Delete');
	await page.keyboard.insertText(text);
}

// All frames in the order of the file. `name` is the first line of the tooltip without cost, `x` and `w` are shares of
// the width of the picture, `path` the names from the bottom.
export function frames(page, svg = 'svg.flame') {
	return page.$eval(svg, root => {
		const whole = { left: Infinity, right: -Infinity };
		const boxes = Array.from(root.querySelectorAll('.f'), g => g.querySelector('svg rect').getBoundingClientRect());
		for (const box of boxes.filter(one => one.width > 0)) {
			whole.left = Math.min(whole.left, box.left);
			whole.right = Math.max(whole.right, box.right);
		}
		const open = [];
		return Array.from(root.querySelectorAll('.f'), (g, at) => {
			const box = boxes[at], style = getComputedStyle(g), depth = Number(g.getAttribute('data-d'));
			const title = g.querySelector('title').textContent, name = title.split('\n')[0].replace(/ \([\d.,]+ \w+, [\d.]+%(; [-+]?[\d.]+%)?\)$/, '');
			const rect = g.querySelector('rect');
			open.length = depth;
			open.push(name);
			return {
				at, name, title, depth, path: open.join(';'),
				x: (box.left - whole.left) / (whole.right - whole.left), w: box.width / (whole.right - whole.left), px: box.width,
				shown: style.display !== 'none' && style.visibility !== 'hidden' && box.width > 0,
				opacity: Number(style.opacity), label: g.querySelector('text')?.textContent ?? '',
				fill: rect.getAttribute('fill'), outlined: rect.getAttribute('stroke') === '#1f2328',
				hatched: g.querySelector('rect[fill^=url]') !== null, hit: g.classList.contains('hit'),
				focused: document.activeElement === g, tab: g.getAttribute('tabindex'), role: g.getAttribute('role'),
				level: g.getAttribute('aria-level'), spoken: g.getAttribute('aria-label'),
			};
		});
	});
}

export const frame = async (page, path, svg) => (await frames(page, svg)).find(one => one.path === path);
export const focused = async (page, svg) => (await frames(page, svg)).find(one => one.focused)?.path ?? null;
export const shown = async (page, svg) => (await frames(page, svg)).filter(one => one.shown).map(one => one.path);

// Clicks a frame near its left edge, where it is whatever its width, while the given key is held.
export async function click(page, path, svg = 'svg.flame', held = null) {
	const { at } = await frame(page, path, svg);
	const [x, y] = await page.$eval(svg, (root, at) => {
		const g = root.querySelectorAll('.f')[at];
		g.scrollIntoView({ block: 'nearest' });
		const box = g.querySelector('rect').getBoundingClientRect();
		return [box.left + Math.min(4, box.width / 2), box.top + box.height / 2];
	}, at);
	if (held) await page.keyboard.down(held);
	await page.mouse.click(x, y);
	if (held) await page.keyboard.up(held);
}

// Finds what neither pictures nor reports have: elements that load or lead to something, attributes that run something.
// Links are to places of the page and to files beside it.
export function strangers(page) {
	const elements = 'img, image, use, iframe, object, embed, base, form, link, animate, set, audio, video';
	return page.$$eval('*', (all, elements) => all.filter(element => {
		const target = element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '#';
		return element.matches(elements) || !/^(#.*|[^:\\/]+)$/.test(target) ||
			element.getAttributeNames().some(name => /^(on|src|action|formaction|ping)/i.test(name));
	}).map(element => element.outerHTML.slice(0, 100)), elements);
}

// The contrast of two colours, as computed styles have them: 1 to 21, as WCAG reckons it.
export function contrast(one, other) {
	const [a, b] = [one, other].map(color => color.match(/[\d.]+/g).slice(0, 3).map(part => part / 255)
		.map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
		.reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0));
	return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}

// Elements of HTML whose own text has a contrast below that of WCAG's level AA.
export async function lowContrast(page) {
	const texts = await page.evaluate(() => {
		const behind = element => {
			for (let up = element; up; up = up.parentElement) {
				const color = getComputedStyle(up).backgroundColor;
				if (!/, 0\)$/.test(color)) return color;
			}
			return 'rgb(255, 255, 255)';
		};
		return Array.from(document.querySelectorAll('body *'))
			.filter(element => !element.closest('svg, script') && Array.from(element.childNodes).some(node => node.nodeType === 3 && node.data.trim()))
			.map(element => [getComputedStyle(element).color, behind(element), element.outerHTML.slice(0, 80)]);
	});
	return texts.filter(([text, ground]) => contrast(text, ground) < 4.5).map(([, , source]) => source);
}
