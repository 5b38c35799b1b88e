// SPDX-License-Identifier: Apache-2.0
// A flame graph as a reader uses it: keys, mouse, search, address, window. What docs/FLAMEGRAPHS.md promises about keys
// and the address is tested sentence by sentence. `picture_test.mjs FOLDER` draws into the folder.
import assert from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { address, click, details, focused, frame, frames, matched, open, press, retype, run, search, shown, strangers, typed } from './browser.mjs';
import { draw, hostile } from './pictures.mjs';

const stacks = {
	'app;main;parse': 5, 'app;main;parse;lex': 20, 'app;main;parse;read_line': 30,
	'app;main;run': 8, 'app;main;run;log': 10, 'app;main;run;work;work': 15, 'app;main;stop;lex': 12,
};
const plain = draw('plain', stacks);
const PARSE = 'all;app;main;parse', RUN = 'all;app;main;run';
const near = (a, b, tolerance = .002) => assert.ok(Math.abs(a - b) < tolerance, `${a} is not ${b}`);
const isReset = async page => assert.equal((await shown(page)).length, 12);

// One test for each row of the table of keys.
const keys = {
	'click, Enter': async () => {
		for (const by of ['click', 'Enter']) {
			const page = await open(plain);
			await click(page, PARSE);
			if (by === 'Enter') {
				await press(page, '0', 'Enter');
				assert.equal(await focused(page), PARSE);
			}
			const all = await frames(page), at = path => all.find(one => one.path === path);
			near(at(PARSE).w, 1);
			for (const path of ['all', 'all;app', 'all;app;main']) {
				near(at(path).w, 1);
				assert.ok(at(path).opacity < 1, `${path} is pale`);
			}
			assert.equal(at(PARSE).opacity, 1);
			near(at(`${PARSE};read_line`).w, 30 / 55);
			assert.deepEqual(await shown(page), ['all', 'all;app', 'all;app;main', PARSE, `${PARSE};lex`, `${PARSE};read_line`]);
		}
	},
	'i': async () => {
		const page = await open(plain), top = async path => page.$$eval('.f', (all, at) => all[at].querySelector('rect').getBoundingClientRect().top, (await frame(page, path)).at);
		assert.ok(await top('all') > await top(PARSE), 'flames rise');
		await click(page, PARSE);
		await press(page, 'i');
		assert.ok(await top('all') < await top(PARSE), 'icicles hang');
		assert.match(await address(page), /turn=icicle/);
		await press(page, 'ArrowDown');
		assert.equal(await focused(page), `${PARSE};read_line`);
		const again = await open(plain, { address: 'turn=icicle' });
		assert.ok(await again.$$eval('.f', all => all[0].querySelector('rect').getBoundingClientRect().top < all[1].querySelector('rect').getBoundingClientRect().top));
		await press(page, 'i');
		assert.doesNotMatch(await address(page), /turn/);
	},
	's': async () => {
		const page = await open(plain);
		await click(page, 'all;app;main;stop;lex');
		await press(page, 's');
		assert.deepEqual(await page.$$eval('.sandwich-card li:not(.title)', all => all.map(one => Array.from(one.children, part => part.textContent).join(' ') || one.textContent)),
			['parse 20.00 %', 'stop 12.00 %', 'none']);
		await page.click('.sandwich-card button:has-text("parse")');
		assert.equal(await focused(page), PARSE);
		assert.match(await page.textContent('.sandwich-card .title'), /parse/, 'follows the choice');
		await press(page, 'Escape');
		assert.equal(await page.locator('.sandwich-card').count(), 0);
	},
	'Ctrl-click, d': async () => {
		for (const by of ['click', 'd']) {
			const page = await open(plain), before = await frames(page);
			if (by === 'd') {
				await click(page, PARSE);
				await press(page, '0', 'd');
			} else await click(page, PARSE, 'svg.flame', 'Control');
			assert.deepEqual((await shown(page)).filter(path => path.startsWith(PARSE)), []);
			near((await frame(page, RUN)).w, 33 / 45);
			await page.mouse.move(5, 5);
			assert.match(await details(page), /removed.*55\.00 % of the cost/);
			await search(page, 'lex');
			assert.equal(await matched(page), 'matched 12.00 % (1)', 'what was removed is not found');
			await press(page, 'Tab', '0');
			assert.deepEqual((await frames(page)).map(one => one.w), before.map(one => one.w));
			assert.equal(await matched(page), 'matched 32.00 % (2)');
		}
		const page = await open(plain);
		await click(page, 'all', 'svg.flame', 'Control');
		await isReset(page);
	},
	'Esc, 0': async () => {
		const page = await open(plain);
		for (const key of ['Escape', '0']) {
			await click(page, PARSE);
			await press(page, key);
			await isReset(page);
		}
		await search(page, 'lex');
		await click(page, PARSE);
		await press(page, '?', 'Escape');
		assert.equal(await page.locator('.help').count(), 0, 'Esc closes the help first');
		near((await frame(page, PARSE)).w, 1);
		await press(page, 'Escape');
		await isReset(page);
		assert.match(await matched(page), /^matched/);
		await press(page, 'd', 'Escape');
		await isReset(page);
		assert.match(await matched(page), /^matched/);
		await press(page, 'Escape');
		assert.equal(await matched(page), '', 'and clears the search last');
		assert.equal((await frames(page)).some(one => one.hit), false);
		await press(page, '?');
		await search(page, 'lex');
		await press(page, 'Escape');
		assert.equal(await page.locator('.help').count(), 0, 'the help first from the search field, too');
		assert.equal(await typed(page), 'lex');
		await press(page, 'Escape');
		assert.equal(await typed(page), '');
	},
	'left, right': async () => {
		const page = await open(plain);
		await click(page, 'all;app;main');
		await press(page, 'ArrowUp');
		const seen = [await focused(page)];
		for (let i = 0; i < 3; i++) {
			await press(page, 'ArrowRight');
			seen.push(await focused(page));
		}
		assert.deepEqual(seen, [PARSE, RUN, 'all;app;main;stop', 'all;app;main;stop']);
		await press(page, 'ArrowLeft');
		assert.equal(await focused(page), RUN);
		await press(page, 'ArrowUp', 'ArrowLeft');
		assert.equal(await focused(page), `${RUN};log`, 'the same level, not the same caller');
		await press(page, 'ArrowLeft');
		assert.equal(await focused(page), `${PARSE};read_line`);
	},
	'up, down': async () => {
		for (const [file, towards, back] of [[plain, 'ArrowUp', 'ArrowDown'],
			[draw('icicle', stacks, '--inverted'), 'ArrowDown', 'ArrowUp']]) {
			const page = await open(file);
			const seen = [];
			for (const key of [towards, towards, towards, towards, towards, back]) {
				await press(page, key);
				seen.push((await focused(page)).split(';').at(-1));
			}
			assert.deepEqual(seen, ['app', 'main', 'parse', 'read_line', 'read_line', 'parse']);
			const [caller, callee] = await page.$$eval('.f', all => [2, 3].map(at => all[at].querySelector('rect').getBoundingClientRect().y));
			assert.equal(callee < caller, towards === 'ArrowUp', 'the direction in which they are drawn');
		}
	},
	'/, Ctrl-F, F3': async () => {
		for (const key of ['/', 'Control+f', 'F3']) {
			const page = await open(plain);
			await press(page, key);
			await page.keyboard.type('read/0?');
			assert.equal(await typed(page), 'read/0?', 'other keys are text there');
			assert.equal(await page.locator('.help').count(), 0);
			await press(page, 'Tab', 'Shift+Tab', key);
			await page.keyboard.type(key === '/' ? 'x' : 'lex');
			assert.equal(await typed(page), key === '/' ? '/x' : 'lex', 'what was there is selected');
		}
	},
	'Enter, Shift-Enter in the search field; n, N elsewhere': async () => {
		const page = await open(plain), inParse = `${PARSE};lex`, inStop = 'all;app;main;stop;lex';
		const field = async key => {
			await page.focus('input');
			await press(page, key);
			return [await focused(page), /\((.*)\)/.exec(await matched(page))[1]];
		};
		const elsewhere = async key => {
			await press(page, key);
			return [await focused(page), /\((.*)\)/.exec(await matched(page))[1]];
		};
		await search(page, '^lex$');
		assert.deepEqual(await field('Enter'), [inParse, '1 of 2']);
		assert.deepEqual(await field('Enter'), [inStop, '2 of 2']);
		assert.deepEqual(await field('Enter'), [inParse, '1 of 2'], 'round and round');
		assert.deepEqual(await field('Shift+Enter'), [inStop, '2 of 2']);
		assert.deepEqual(await elsewhere('N'), [inParse, '1 of 2']);
		assert.deepEqual(await elsewhere('n'), [inStop, '2 of 2']);
		await click(page, RUN);
		assert.deepEqual(await elsewhere('n'), [inParse, '1 of 2'], 'a match that is not in sight is brought there');
		await isReset(page);
	},
	'Tab': async () => {
		const page = await open(plain);
		await click(page, RUN);
		await press(page, 'ArrowUp');
		const there = await focused(page);
		const stops = [];
		for (let i = 0; i < 5; i++) {
			await press(page, 'Tab');
			stops.push(await page.evaluate(() => document.activeElement.localName + (document.activeElement.textContent || '')));
		}
		assert.deepEqual(stops, ['buttonreset', 'input', 'buttonicicle', 'buttoncallers', 'button?']);
		await press(page, ...Array(5).fill('Shift+Tab'));
		assert.equal(await focused(page), there);
		const fresh = await open(plain);
		await press(fresh, 'Tab');
		assert.equal(await focused(fresh), 'all');
		await press(fresh, 'Tab');
		assert.equal(await fresh.evaluate(() => document.activeElement.localName), 'input', 'a frame is one stop, not all of them');
	},
	'?': async () => {
		const page = await open(plain);
		await press(page, '?');
		const help = await page.textContent('.help[role=dialog]');
		for (const word of ['Enter', 'Ctrl-click, d', 'Esc', '0', '←', '→', '↑', '↓', '/', 'Ctrl-F', 'F3', 'n', 'N', '?']) assert.ok(help.includes(word), word);
		assert.equal(await page.isVisible('.help dl'), true);
		await press(page, '?');
		assert.equal(await page.locator('.help').count(), 0);
		await page.click('button[aria-label=keys]');
		assert.equal(await page.locator('.help').count(), 1);
	},
};

const tests = {
	'every key that the documentation names is tested here': async () => {
		const text = readFileSync(new URL('../../docs/FLAMEGRAPHS.md', import.meta.url), 'utf8');
		const section = text.slice(text.indexOf('## Keys and mouse'), text.indexOf('## The address'));
		const rows = Array.from(section.matchAll(/^\| (.+?) \| .+\|$/gm), row => row[1]).filter(one => one !== 'key');
		assert.deepEqual(rows, Object.keys(keys));
	},
	...Object.fromEntries(Object.entries(keys).map(([key, test]) => [`key: ${key}`, test])),

	'a frame is as wide as its cost, and its tooltip begins with it': async () => {
		const page = await open(plain);
		const run = await frame(page, RUN);
		near(run.w, .33);
		assert.equal(run.title.split('\n')[0], 'run (33 samples, 33.00%)');
		assert.equal((await frame(page, 'all')).title, 'all (100 samples, 100%)');
		assert.equal((await frames(page)).length, 12);
	},
	'a click on the bottom and the button show the whole picture again': async () => {
		const page = await open(plain);
		assert.equal(await page.isVisible('button:has-text("reset")'), false);
		await click(page, PARSE);
		await click(page, 'all');
		await isReset(page);
		await click(page, PARSE);
		await page.click('button:has-text("reset")');
		await isReset(page);
		assert.equal(await page.isVisible('button:has-text("reset")'), false);
	},
	'the line below tells of the frame under the mouse, or with the focus': async () => {
		const page = await open(draw('before', stacks, '--nametype=Method:'));
		const before = await details(page);
		assert.equal(before, 'every frame is drawn');
		await click(page, RUN);
		assert.match(await details(page), /^Method: run \(33 samples, 33\.00%\)  ·  itself 8 samples/);
		await page.mouse.move(5, 5);
		assert.equal(await details(page), before);
		await press(page, 'ArrowDown');
		assert.match(await details(page), /^Method: main \(/);
	},
	'a search does not tell capitals from small letters': async () => {
		const page = await open(plain);
		await search(page, '^(READ_|lo)');
		assert.deepEqual((await frames(page)).filter(one => one.hit).map(one => one.name), ['read_line', 'log']);
		assert.equal(await matched(page), 'matched 40.00 % (2)');
	},
	'a match above another match counts once': async () => {
		const page = await open(draw('overlap', { 'main;idle': 40, 'main;other;work': 20, 'main;work': 10, 'main;work;io;work': 30 }));
		await search(page, '^work$');
		assert.equal(await matched(page), 'matched 60.00 % (3)');
		await click(page, 'all;main;work');
		assert.equal(await matched(page), 'matched 60.00 % (3)', 'of everything, whatever is in sight');
		for (const width of [320, 1000, 2500]) {
			await page.setViewportSize({ width, height: 600 });
			assert.equal(await matched(page), 'matched 60.00 % (3)');
		}
	},
	'shares are sums of costs, not of rounded widths': async () => {
		const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`main;caller_${String(i).padStart(4, 0)};leaf`, 1]));
		const page = await open(draw('thirds', many));
		await search(page, '^leaf$');
		assert.equal(await matched(page), 'matched 100.00 % (3000)');
		await retype(page, '^caller_0');
		assert.equal(await matched(page), 'matched 33.33 % (1000)');
	},
	'what is no regular expression is said to be none, and matches nothing': async () => {
		const page = await open(plain);
		await search(page, 'lex');
		await page.keyboard.type('(');
		assert.equal(await matched(page), 'not a regular expression');
		assert.equal(await page.getAttribute('input', 'aria-invalid'), 'true');
		assert.equal((await frames(page)).some(one => one.hit), false);
		await press(page, 'Enter', 'Backspace');
		assert.equal(await matched(page), 'matched 32.00 % (2)');
		assert.equal(await page.getAttribute('input', 'aria-invalid'), 'false');
		await retype(page, 'nowhere');
		assert.equal(await matched(page), 'no match');
	},
	'frames are a tree for screen readers, of which one is reached by Tab': async () => {
		const page = await open(plain);
		assert.equal(await page.getAttribute('.frames', 'role'), 'tree');
		await click(page, RUN);
		for (const one of await frames(page)) {
			assert.deepEqual([one.role, one.level, one.spoken], ['treeitem', String(one.depth + 1), one.title]);
			assert.equal(one.tab, one.path === RUN ? '0' : '-1');
		}
		assert.equal(await page.locator('.controls [role=status]').count(), 1);
		assert.notEqual(await page.getAttribute('input', 'aria-label'), null);
	},

	'the address says what is shown, and a reload shows it again': async () => {
		const page = await open(plain);
		assert.equal(await address(page), '');
		await click(page, PARSE);
		await search(page, 'lex|read');
		const there = await address(page);
		assert.match(there, /^#node=[0-9a-f]{16}&q=lex%7Cread$/);
		await page.reload();
		near((await frame(page, PARSE)).w, 1);
		assert.equal(await matched(page), 'matched 62.00 % (3)');
		assert.equal(await typed(page), 'lex|read');
		assert.equal(await address(page), there);
		await press(page, 'Escape', 'Escape');
		assert.equal(await address(page), '', 'nothing is left of it');
	},
	'a path leads to the same frame after the profile was drawn again': async () => {
		const page = await open(plain);
		await click(page, `${RUN};work`);
		const there = (await address(page)).slice(1);
		const others = { ...stacks, 'app;main;parse;lex': 900, 'app;main;run;log': 1, 'app;init': 70, 'lib;main;run;work': 3 };
		for (const options of [[], ['--minwidth=0.5%'], ['--width=600', '--colors=hash'], ['--inverted', '--height=30']]) {
			const again = await open(draw('again', others, ...options), { address: there, viewport: { width: 700, height: 500 } });
			near((await frame(again, `${RUN};work`)).w, 1);
		}
	},
	'neither zoom nor address change with the window': async () => {
		const page = await open(plain);
		await click(page, RUN);
		const there = await address(page);
		for (const width of [950, 1900]) {
			await page.setViewportSize({ width, height: 700 });
			const one = await frame(page, RUN);
			near(one.w, 1);
			near(one.px, width * .9733, 2);
			assert.equal(await address(page), there);
		}
	},
	'a path that is not there is ignored, and other parts of the address stay': async () => {
		const page = await open(plain, { address: 'tab=2&node=0123456789abcdef&q=%E0%A4%A&x' });
		await isReset(page);
		assert.equal(await typed(page), '', 'as is what is no text');
		await click(page, PARSE);
		assert.match(await address(page), /^#node=[0-9a-f]{16}&tab=2&x$/);
		await press(page, '0');
		assert.equal(await address(page), '#tab=2&x');
	},
	'a link to another state is followed': async () => {
		const page = await open(plain);
		await click(page, PARSE);
		const there = await address(page);
		await page.evaluate(() => { location.hash = '#q=log'; });
		await page.waitForFunction(() => document.querySelector('.hit'));
		await isReset(page);
		await page.evaluate(to => { location.hash = to; }, there);
		await page.waitForFunction(() => !document.querySelector('.hit'));
		near((await frame(page, PARSE)).w, 1);
	},

	'labels fit their frames in any window': async () => {
		const page = await open(draw('names', { [`main;${'a_rather_long_name_of_a_function_that_does_much'.repeat(4)}`]: 40, [`main;${'名前'.repeat(40)}`]: 30, 'main;x': 30 }));
		const lengths = [];
		for (const width of [900, 1280, 2400]) {
			await page.setViewportSize({ width, height: 500 });
			const over = await page.$$eval('.f', all => all.map(g => [g.querySelector('text'), g.querySelector('rect')])
				.filter(([text, rect]) => text && text.getBoundingClientRect().right > rect.getBoundingClientRect().right + 1)
				.map(([text]) => text.textContent));
			if (width === 1280) assert.deepEqual(over, []);
			lengths.push((await frames(page))[2].label.length);
		}
		assert.ok(lengths[0] <= lengths[1] && lengths[1] <= lengths[2] && lengths[0] < lengths[2], String(lengths));
	},
	'labels fit their frames where characters are wider than was told': async () => {
		const page = await open(draw('wider', { [`main;${'name_of_a_function_'.repeat(40)}`]: 60, 'main;another_function_name': 4, 'main;x': 36 }, '--fontwidth=.15'));
		const over = await page.$$eval('.f', all => all.map(g => [g.querySelector('text'), g.querySelector('rect')])
			.filter(([text, rect]) => text && text.getBoundingClientRect().right > rect.getBoundingClientRect().right + 1)
			.map(([text]) => text.textContent));
		assert.deepEqual(over, []);
		const long = (await frames(page)).map(one => one.label).find(one => one.startsWith('name_of'));
		assert.ok(long.length > 60 && long.endsWith('\u2026'), long);
	},
	'the picture is as wide as its window, with scripts and without': async () => {
		for (const width of [900, 1200, 3000])
			for (const javaScriptEnabled of [true, false]) {
				const page = await open(plain, { javaScriptEnabled, viewport: { width, height: 600 } });
				near((await frame(page, 'all')).px, width * .9733, 2);
			}
	},
	'an image of it has the size that the file says': async () => {
		const file = join(dirname(plain), 'image.html');
		writeFileSync(file, `<img src="data:image/svg+xml;base64,${readFileSync(plain).toString('base64')}">`);
		for (const width of [400, 3000]) {
			const page = await open(file, { viewport: { width, height: 600 } });
			assert.deepEqual(await page.$eval('img', one => [one.naturalWidth, one.width, one.naturalHeight > 100]), [1200, 1200, true]);
		}
	},
	'in a narrow window all that stands around the frames is in sight, and nothing is over something else': async () => {
		const page = await open(plain, { viewport: { width: 400, height: 600 } });
		for (const width of [320, 400, 640]) {
			await page.setViewportSize({ width, height: 600 });
			near((await frame(page, 'all')).px, width * .9733, 2);
			await search(page, 'lex');
			const boxes = await page.$$eval('svg.flame > text, svg.flame > svg.frames, .controls input, .controls button:not([style*=hidden])',
				all => all.map(one => one.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
			for (const one of boxes) assert.ok(one.left >= 0 && one.right <= width + 1, `${JSON.stringify(one)} in ${width}`);
			for (const [i, one] of boxes.entries())
				for (const other of boxes.slice(i + 1))
					assert.ok(one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 5 || other.bottom <= one.top + 5,
						`${JSON.stringify([one, other])} at ${width}`);
			await press(page, 'Escape');
		}
		await page.setViewportSize({ width: 1280, height: 600 });
		const fresh = await open(plain), texts = page => page.$$eval('svg.flame > text', all => all.map(one => [one.textContent, JSON.stringify(one.getBoundingClientRect())]));
		assert.deepEqual(await texts(page), await texts(fresh), 'and all is back where it was in a wide one');
	},
	'a window that prefers dark colours is dark, unless a background was chosen': async () => {
		const light = rgb => rgb.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
		const look = page => page.evaluate(() => ['.bg', '.t', '.s'].map(one => getComputedStyle(document.querySelector(one)).fill));
		const [back, text, faint] = (await look(await open(plain, { colorScheme: 'dark' }))).map(light);
		assert.ok(back < 100 && text > 600 && faint > 400, `${back} ${text} ${faint}`);
		const [whiteBack, blackText] = (await look(await open(plain, { colorScheme: 'light' }))).map(light);
		assert.ok(whiteBack > 700 && blackText < 200);
		const chosen = await open(draw('blue', stacks, '--bgcolors=#e0e0ff'), { colorScheme: 'dark' });
		assert.deepEqual((await look(chosen)).map(light).map(sum => sum > 400), [true, false, false]);
	},
	'nothing fades where reduced motion is preferred': async () => {
		const fading = page => page.$eval('.f', one => parseFloat(getComputedStyle(one).transitionDuration) > 0 && getComputedStyle(one).transitionProperty !== 'none');
		assert.equal(await fading(await open(plain, { reducedMotion: 'no-preference' })), true);
		assert.equal(await fading(await open(plain, { reducedMotion: 'reduce' })), false);
	},
	'hostile names stay text, wherever they are shown': async () => {
		const all = Object.fromEntries(hostile.flatMap((name, i) => [[`first;${name}`, i + 10], [`main;${name};inner`, 20], [`main;${name}`, 5]]));
		const file = draw('hostile', all, `--title=${hostile[2]}`, `--subtitle=${hostile[1]}`, `--nametype=${hostile[4]}`, `--notes=${hostile[8]}`, '--minwidth=0');
		const page = await open(file);
		const names = (await frames(page)).map(one => one.name);
		for (const name of hostile.filter(one => one.length < 500 && !/[\u200b-\u202e\ufeff]/.test(one))) assert.ok(names.includes(name), name);
		assert.deepEqual(await strangers(page), []);
		assert.deepEqual(await page.$$eval('script', scripts => scripts.length), 1);
		for (const name of ['<script>window.ran=1</script>', '__proto__', 'constructor', '$&']) {
			await retype(page, `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
			assert.match(await matched(page), /\(2\)$/, name);
			await page.focus('input');
			await press(page, 'Enter', 'Enter');
			assert.notEqual(await focused(page), null);
			await press(page, 'Enter');
			await page.reload();
			assert.match(await matched(page), /\(2\)$/, name);
		}
		assert.equal(await page.evaluate(() => window.ran), undefined);
	},
	'a hostile address does nothing': async () => {
		for (const hash of ['node=__proto__', 'node=constructor', 'q=%3Cimg%20src=x%20onerror=alert(1)%3E', 'q=(', 'q=%', 'node=%00&q=%00', '&&=&node&q']) {
			const page = await open(plain, { address: hash });
			await isReset(page);
			assert.deepEqual(await strangers(page), []);
		}
	},
	'without scripts there are title, legend, frames and labels': async () => {
		const page = await open(draw('static', { 'main;parse_[k]': 60, 'main;run_[i]': 40 }, '--title=Profile of today', '--colors=kind'), { javaScriptEnabled: false });
		const texts = await page.$$eval('svg.flame > text', all => all.filter(one => one.getBoundingClientRect().width > 50).map(one => one.textContent));
		assert.ok(texts.includes('Profile of today'), String(texts));
		assert.deepEqual((await frames(page)).map(one => one.label), ['all', 'main', 'parse', 'run']);
		assert.ok((await page.$$eval('.s', all => all.map(one => one.textContent).join(' '))).includes('kernel'));
		assert.equal(await page.locator('input').count(), 0);
	},
	'5,000 frames are there at once and can be walked': async () => {
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`main;group_${i % 50};function_${i}`, 1 + i % 7]));
		const file = draw('many', many, '--minwidth=0');
		const page = await open(file);
		const load = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
		console.log(`# ${(await frames(page)).length} frames: there after ${load.toFixed(0)} ms`);
		assert.ok(load < 30000);
		await search(page, 'function_499[0-9]$');
		assert.match(await matched(page), /\(10\)$/);
	},
	'a graph that is higher than the window opens as icicles, with its root in sight': async () => {
		const deep = draw('deep', { [Array.from({ length: 80 }, (_, i) => `level${i}`).join(';')]: 200 });
		const page = await open(deep, { viewport: { width: 1200, height: 700 } });
		const bottom = await page.$eval('.f rect', one => one.getBoundingClientRect());
		assert.ok(bottom.top > 0 && bottom.bottom < 700, `${bottom.top}`);
	},
	'a long name keeps both ends': async () => {
		const name = n => `space::inner::${'long'.repeat(60)}::method_${n}`;
		const page = await open(draw('ends', { [`main;${name(1)}`]: 100, [`main;${name(2)}`]: 100 }));
		for (const n of [1, 2]) assert.match((await frame(page, `all;main;${name(n)}`)).label, new RegExp(`^space::inner.*….*method_${n}$`));
	},
};

await run(tests);
