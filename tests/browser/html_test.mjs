// What a reader does with report.html: sort, filter, unfold, walk through pictures, choose a function; and what the page
// must never do: throw, ask the network, run foreign text. `html_test.mjs FOLDER` opens the pages in it; with --probe it
// says if there is a browser to drive.
import assert from 'node:assert';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

function findPlaywright() {
	const places = [process.env.PLAYWRIGHT_CORE, process.cwd(), import.meta.dirname, '/usr/lib/node_modules',
		'/usr/local/lib/node_modules', '/usr/share/nodejs'].filter(Boolean);
	for (const place of places) {
		for (const folder of [place, join(place, 'node_modules', 'playwright-core'), join(place, 'playwright-core')])
			if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'index.js')) && /playwright-core\/?$/.test(folder))
				return createRequire(join(folder, 'index.js'))('./index.js');
	}
	return null;
}

const playwright = findPlaywright();
if (process.argv[2] === '--probe') {
	console.log(playwright ? 'yes' : 'no');
	process.exit(0);
}
const folder = process.argv[2];
const browser = await playwright.chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ['--no-sandbox', '--disable-gpu'],
});

// Opens a page of the folder; whatever it complains about or asks for is in `page.trouble`.
async function open(name, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();
	page.trouble = [];
	page.on('console', message => page.trouble.push(message.text()));
	page.on('pageerror', error => page.trouble.push(String(error)));
	page.on('dialog', dialog => { page.trouble.push('dialog'); dialog.dismiss(); });
	page.on('request', request => {
		if (request.url().split('#')[0] !== `file://${folder}/${name}.html`) page.trouble.push(request.url());
	});
	await page.goto(`file://${folder}/${name}.html`);
	return page;
}

const names = (page, table = 'table.functions') => page.evaluate(selector =>
	Array.from(document.querySelector(selector).tBodies[0].rows, row => row.querySelector('code').textContent), table);
const order = (page, column) => page.getAttribute(`table.functions thead th:nth-child(${column})`, 'aria-sort');

// Brings the picture with that number into view and waits for its scripts.
async function startPicture(page, number = 0) {
	await page.evaluate(at => document.querySelectorAll('.picture')[at].scrollIntoView(), number);
	await page.waitForFunction(at => {
		const picture = document.querySelectorAll('.picture')[at];
		return !picture.hasAttribute('data-scripts') && picture.querySelector('input');
	}, number, { timeout: 5000 });
}

const tests = {
	'headers sort by click, and again the other way round': async () => {
		const page = await open('regression');
		await page.click('table.functions thead th:nth-child(1) button');
		const up = await names(page);
		assert.deepEqual(up, [...up].sort());
		assert.equal(await order(page, 1), 'ascending');
		await page.click('table.functions thead th:nth-child(1) button');
		assert.deepEqual(await names(page), up.reverse());
		assert.equal(await order(page, 1), 'descending');
		return page;
	},
	'headers sort by keyboard, numbers the largest first': async () => {
		const page = await open('regression');
		await page.focus('table.functions thead th:nth-child(1) button');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('Enter');
		assert.equal((await names(page))[0], 'hash_word');
		assert.equal(await order(page, 2), 'descending');
		await page.keyboard.press('Enter');
		assert.equal((await names(page))[0], 'render_rows');
		return page;
	},
	'what is not known sorts behind everything, whichever way': async () => {
		const page = await open('regression');
		for (let i = 0; i < 2; i++) {
			await page.click('table.functions thead th:nth-child(4) button');
			assert.equal((await names(page)).at(-1), 'hash_mix');
		}
		return page;
	},
	'a slash filters rows, Escape brings them back': async () => {
		const page = await open('regression');
		await page.keyboard.press('/');
		await page.keyboard.type('hash word');
		const shown = await page.$$eval('table.functions tbody tr:not([hidden])', rows => rows.map(row => row.id));
		assert.deepEqual(shown, ['function-catalog-hash_word']);
		assert.match(await page.textContent('.tools [role=status]'), /^\d+ of \d+ rows$/);
		await page.keyboard.press('Escape');
		assert.equal(await page.$$eval('tr[hidden]', rows => rows.length), 0);
		return page;
	},
	'a link unfolds what it leads to': async () => {
		const page = await open('regression');
		await page.evaluate(() => { document.querySelector('details.benchmark').open = false; });
		await page.click('.overview a');
		assert.equal(await page.$eval('details.benchmark', one => one.open), true);
		return page;
	},
	'callers and callees of any function can be chosen': async () => {
		const page = await open('regression');
		await page.click('tr#function-catalog-count_word .callers');
		const shown = await page.$$eval('.sandwich table', tables => tables.map(table => table.querySelector('code').textContent));
		assert.deepEqual(shown.slice(0, 2), ['count_words', 'count_word']);
		await page.click('.sandwich table:nth-child(3) button:has-text("hash_word")');
		assert.equal(await page.textContent('.sandwich table:nth-child(2) code'), 'hash_word');
		return page;
	},
	'the script shows what the page had without it': async () => {
		const plain = await open('regression', { javaScriptEnabled: false });
		const page = await open('regression');
		const text = one => one.$$eval('.sandwich code', codes => codes.map(code => code.textContent));
		assert.deepEqual(await text(page), await text(plain));
		assert.equal(await plain.isVisible('table.functions'), true);
		assert.equal(await plain.isVisible('.picture .frames'), true);
		return page;
	},
	'a picture starts when it comes into view, and keeps its keys': async () => {
		const page = await open('regression');
		await startPicture(page);
		await page.click('.picture .f >> nth=4');
		await page.keyboard.press('/');
		assert.equal(await page.evaluate(() => !!document.activeElement.closest('.picture')), true);
		assert.equal(await page.evaluate(() => location.hash), '');
		return page;
	},
	'two pictures do not disturb each other': async () => {
		const page = await open('both');
		await startPicture(page, 1);
		await startPicture(page, 0);
		assert.equal(await page.$$eval('.picture', all => all.length), 2);
		assert.equal(await page.$$eval('.picture', all => all.filter(one => one.querySelector('input')).length), 2);
		return page;
	},
	'the dark scheme is dark': async () => {
		const page = await open('regression', { colorScheme: 'dark' });
		const [back, text] = await page.evaluate(() => {
			const style = getComputedStyle(document.body);
			return [style.backgroundColor, style.color].map(color => color.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0));
		});
		assert.ok(back < 100 && text > 600, `${back} ${text}`);
		return page;
	},
	'nothing hangs over the edge of a narrow window': async () => {
		const page = await open('regression', { viewport: { width: 400, height: 800 } });
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		return page;
	},
	'all text has enough contrast in both schemes': async () => {
		let page;
		for (const colorScheme of ['light', 'dark']) {
			page = await open('both', { colorScheme });
			assert.deepEqual(await page.evaluate(lowContrast), []);
		}
		return page;
	},
	'the policy of the page stops what is not ours': async () => {
		const page = await open('regression');
		const ran = await page.evaluate(() => {
			const script = document.createElement('script');
			script.textContent = 'window.ran = true';
			document.body.appendChild(script);
			document.body.insertAdjacentHTML('beforeend', '<p style="color:red" id="styled" onclick="window.ran = true">x</p>');
			document.getElementById('styled').click();
			return [window.ran, getComputedStyle(document.getElementById('styled')).color === 'rgb(255, 0, 0)'];
		});
		assert.deepEqual(ran, [undefined, false]);
		page.trouble = [];
		return page;
	},
	'5,000 functions are there at once and work': async () => {
		const page = await open('large');
		const load = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
		console.log(`# 5,000 functions: loaded after ${load.toFixed(0)} ms`);
		await page.keyboard.press('/');
		await page.keyboard.type('process_batch_149(');
		assert.equal(await page.$$eval('table.functions tbody tr:not([hidden])', rows => rows.length), 1);
		await startPicture(page);
		return page;
	},
};

// Runs in the page: the elements whose own text has a contrast below that of WCAG's level AA.
function lowContrast() {
	const channels = text => text.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const behind = element => {
		for (let up = element; up; up = up.parentElement) {
			const color = channels(getComputedStyle(up).backgroundColor);
			if (color.length < 4 || color[3] > 0) return color;
		}
		return [255, 255, 255];
	};
	return Array.from(document.querySelectorAll('body *')).filter(element => {
		if (element.closest('svg, script') || !Array.from(element.childNodes).some(n => n.nodeType === 3 && n.data.trim())) return false;
		const a = light(channels(getComputedStyle(element).color)), b = light(behind(element));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
	}).map(element => element.outerHTML.slice(0, 80));
}

// A browser's parser sees the elements of harmless pages in hostile ones, and nothing runs.
const known = new Set();
for (const name of readdirSync(folder).filter(file => /^hostile-\d+\.html$/.test(file)).map(file => file.slice(0, -5))) {
	tests[`hostile text stays text: ${name}`] = async () => {
		const page = await open(name);
		if (await page.$('.picture')) await startPicture(page);
		for (const label of await page.$$('.callers')) await label.click();
		const bad = await page.$$eval('*', all => all.filter(element => /^(img|iframe|object|embed|base|form|link)$/i.test(element.localName) ||
			Array.from(element.attributes).some(one => /^on/i.test(one.name) || /^\s*javascript:/i.test(one.value) && one.name === 'href'))
			.map(element => element.outerHTML.slice(0, 100)));
		assert.deepEqual(bad, []);
		const scripts = await page.$$eval('script:not([type])', all => all.length);
		known.add(scripts);
		assert.equal(known.size, 1, 'as many scripts as in all others');
		return page;
	};
}

let failed = 0, number = 0;
console.log(`1..${Object.keys(tests).length}`);
for (const [name, test] of Object.entries(tests)) {
	number++;
	try {
		const page = await test();
		assert.deepEqual(page.trouble, [], 'errors, messages and requests');
		console.log(`ok ${number} - ${name}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${number} - ${name}\n# ${String(error.stack).replaceAll('\n', '\n# ')}`);
	}
}
await browser.close();
process.exit(failed ? 1 : 0);
