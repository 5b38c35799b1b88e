// SPDX-License-Identifier: Apache-2.0
// A differential flame graph as a reader uses it: what its frames say, its three switches, and that they, the search, the
// zoom and the address get along. `diffpicture_test.mjs FOLDER` draws into the folder.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { address, click, contrast, details, focused, frame, frames, matched, open, press, retype, run, search, shown, strangers, typed } from './browser.mjs';
import { drawDiff, hostile } from './pictures.mjs';

// Eight runs of either side: one function slower, one faster, one gone, one new; the others differ by chance.
const runs = [...Array(8).keys()].map(i => [i * 7 % 5, i * 3 % 7]);
const base = runs.map(([a, b]) => ({
	'app;main;fast': 400 + a, 'app;main;gone': 100 + a, 'app;main;keep': 1000 + a, 'app;main;slow': 300 + b, 'app;main;wrap': 50 + a, 'app;main;wrap;deep': 200 + b,
}));
const head = runs.map(([a, b]) => ({
	'app;main;fast': 200 + b, 'app;main;fresh': 150 + a, 'app;main;keep': 1000 + b, 'app;main;slow': 600 + a, 'app;main;wrap': 50 + b, 'app;main;wrap;deep': 200 + a,
}));
const MAIN = 'all;app;main', tested = drawDiff('tested', base, head);
const untested = drawDiff('untested', [{ 'main;foo': 1, 'main;gone': 40, 'main;keep': 100, 'main;rec;rec': 10 }],
	[{ 'main;foo': 2, 'main;keep': 100, 'main;keep;child': 60, 'main;new': 5, 'main;rec;rec': 10 }]);

// Twelve runs: f is called from 20 places and costs more in one of them; everything else moves by chance, seeded.
let seed = 1;
const chance = () => (seed = seed * 48271 % 2147483647) / 2147483647;
const normal = (at, sd) => Math.round(at + sd * (Array.from({ length: 12 }, chance).reduce((sum, one) => sum + one) - 6));
const called = more => [...Array(12)].map(() => Object.fromEntries([...Array(25).keys()].map(i => [`main;c${i};${i < 20 ? 'f' : 'g'}`, normal(1000 + (i === 7 ? more : 0), 50)])));
const callers = drawDiff('callers', called(0), called(2000));

const mean = (side, stack) => side.reduce((sum, one) => sum + (one[stack] ?? 0), 0) / side.length;
const total = side => Object.keys({ ...base[0], ...head[0] }).reduce((sum, stack) => sum + mean(side, stack), 0);
const near = (a, b, tolerance = .002) => assert.ok(Math.abs(a - b) < tolerance, `${a} is not ${b}`);
const channels = fill => [1, 3, 5].map(at => parseInt(fill.slice(at, at + 2), 16));
const strength = fill => channels(fill)[0] - channels(fill)[2];
const hue = fill => strength(fill) > 12 ? 'more' : strength(fill) < -12 ? 'less' : 'grey';
const hues = async page => Object.fromEntries((await frames(page)).map(one => [one.name, hue(one.fill)]));
const pressed = page => page.$$eval('.choices [aria-pressed=true]', all => all.map(one => one.getAttribute('data-view')).join());
const DEFAULT = 'larger,inclusive,work';

const tests = {
	'every key that the documentation names is tested here': async () => {
		const text = readFileSync(new URL('../../docs/FLAMEGRAPHS.md', import.meta.url), 'utf8');
		const section = text.slice(text.indexOf('## Differential pictures'), text.indexOf('## Cost'));
		const rows = Array.from(section.matchAll(/^\| (.+?) \| (.+) \|$/gm), row => row[1]).filter(one => one !== 'key');
		assert.deepEqual(rows, Object.keys(tests).filter(name => name.startsWith('key ')).map(name => name.slice(4, 5)));
	},
	'what is gone is there, hatched, and what is new has a dark outline': async () => {
		const page = await open(tested), all = await frames(page);
		assert.deepEqual(all.filter(one => one.hatched).map(one => one.name), ['gone']);
		assert.deepEqual(all.filter(one => one.outlined).map(one => one.name), ['fresh']);
		assert.deepEqual(await shown(page), ['all', 'all;app', MAIN, ...['fast', 'fresh', 'gone', 'keep', 'slow', 'wrap'].map(name => `${MAIN};${name}`), `${MAIN};wrap;deep`]);
	},
	'what is new can be told in the dark, too': async () => {
		for (const colorScheme of ['light', 'dark']) {
			const page = await open(tested, { colorScheme });
			const { at } = await frame(page, `${MAIN};fresh`);
			const [lines, fill, ground] = await page.$eval('svg.flame', (svg, at) => {
				const styles = Array.from(svg.querySelectorAll('.f')[at].querySelectorAll('rect'), getComputedStyle);
				return [styles.map(one => one.stroke), styles[0].fill, getComputedStyle(svg.querySelector('.bg')).fill];
			}, at);
			for (const beside of [fill, ground])
				assert.ok(lines.some(line => line !== 'none' && contrast(line, beside) >= 3), `${lines} beside ${beside}, ${colorScheme}`);
		}
	},
	'a frame is as wide as the larger of its costs, and frames above it fit': async () => {
		const page = await open(tested), all = await frames(page);
		const stacks = Object.keys({ ...base[0], ...head[0] }), larger = stack => Math.max(mean(base, stack), mean(head, stack));
		const whole = stacks.reduce((sum, stack) => sum + larger(stack), 0);
		for (const name of ['fast', 'fresh', 'gone', 'keep', 'slow']) near(all.find(one => one.name === name).w, larger(`app;main;${name}`) / whole);
		for (const one of all) {
			const above = all.filter(other => other.path.startsWith(`${one.path};`) && other.depth === one.depth + 1);
			assert.ok(above.reduce((sum, other) => sum + other.w, 0) <= one.w + 1e-4, one.path);
		}
	},
	'orange is more, blue is less, and grey is no change shown': async () => {
		const page = await open(tested);
		assert.deepEqual(await hues(page), { all: 'more', app: 'more', main: 'more', fast: 'less', fresh: 'more', gone: 'less', keep: 'grey', slow: 'more', wrap: 'grey', deep: 'grey' });
		const at = name => frames(page).then(all => strength(all.find(one => one.name === name).fill));
		assert.ok(await at('slow') > await at('fresh'), 'a larger change is stronger');
		assert.ok(await at('fast') < await at('gone'));
	},
	'what changed itself is marked with its contribution': async () => {
		const page = await open(tested, { viewport: { width: 2600, height: 900 } });
		const labels = Object.fromEntries((await frames(page)).map(one => [one.name, one.label]));
		assert.match(labels.slow, /^▲ ?slow +\+14\.5 pp$/);
		assert.match(labels.fast, /^▼ ?fast +-9\.7 pp$/);
		assert.deepEqual([labels.keep, labels.main, labels.deep], ['keep', 'main', 'deep']);
	},
	'of a function with many callers only the path that changed has colour and mark, and says what it changed': async () => {
		const page = await open(callers, { viewport: { width: 2600, height: 900 } }), all = await frames(page);
		const coloured = all.filter(one => hue(one.fill) !== 'grey').map(one => one.path);
		assert.deepEqual(coloured, ['all', 'all;main', 'all;main;c7', 'all;main;c7;f']);
		assert.deepEqual(all.filter(one => /[▲▼]/.test(one.label)).map(one => one.path), ['all;main;c7;f']);
		const { title } = all.find(one => one.path === 'all;main;c7;f');
		assert.match(title, /changed itself on this path: \+[78]\.\d pp; the function has 20 paths$/);
		assert.match(all.find(one => one.path === 'all;main;c3;f').title, /on this path, one of 20, no such change was shown$/);
		assert.match(all.find(one => one.path === 'all;main;c7').title, /no cost of its own\ncoloured by f \(\+[78]\.\d pp\) above it$/);
	},
	'marks are those of the value that is shown': async () => {
		const page = await open(tested, { viewport: { width: 2600, height: 900 } });
		const marked = async () => Object.fromEntries((await frames(page)).filter(one => /[▲▼]/.test(one.label)).map(one => [one.name, one.label]));
		const before = await marked();
		await press(page, 'v');
		const shares = await marked(), points = 100 * (mean(head, 'app;main;slow') / total(head) - mean(base, 'app;main;slow') / total(base));
		assert.match(shares.slow, new RegExp(`^▲ ?slow +\\+${points.toFixed(1)} pp$`));
		assert.deepEqual(Object.keys(shares), Object.keys(before));
		await press(page, 'v');
		assert.deepEqual(await marked(), before);
	},
	'the picture as a whole has a role and a name': async () => {
		const page = await open(tested);
		assert.deepEqual(await page.$eval('svg.flame', svg => [svg.getAttribute('role'), svg.getAttribute('aria-label')]),
			['figure', 'Difference: base tested.base0.folded and 7 more → head tested.head0.folded and 7 more']);
	},
	'without enough runs all colours are pale, and the picture says so': async () => {
		const page = await open(untested);
		const texts = await page.$$eval('svg.flame > text', all => all.map(one => one.textContent).join('\n'));
		assert.match(texts, /not tested|too few runs/);
		assert.match(texts, /pale/);
		const most = all => Math.max(...all.map(one => Math.abs(strength(one.fill))));
		const pale = most(await frames(page)), full = most(await frames(await open(tested)));
		assert.ok(pale > 12 && pale < .7 * full, `${pale} ${full}`);
		assert.equal((await frames(page)).some(one => /[▲▼]/.test(one.label)), false);
	},
	'the tooltip tells both sides, the change, samples and the test': async () => {
		const page = await open(tested), tip = (await frame(page, `${MAIN};slow`)).title;
		assert.match(tip, /base 30\d.* → head 60\d.* per run/);
		assert.match(tip, /change \+\d+.*: \+98\.9 % of this frame, \+14\.5 pp of the base total/);
		assert.match(tip, /samples [\d,]+ → [\d,]+/);
		assert.match(tip, /significant/);
		assert.match((await frame(page, `${MAIN};keep`)).title, /not significant/);
		assert.match((await frame(await open(untested), 'all;main;new')).title, /not tested/);
		await click(page, `${MAIN};slow`);
		assert.match(await details(page), /^slow  ·  .*base 30\d/, 'as does the line below');
	},

	'key w: width is the larger of both, base, head': async () => {
		const page = await open(tested), before = await frames(page);
		const widths = { base, head };
		for (const side of ['base', 'head']) {
			await press(page, 'w');
			assert.equal(await pressed(page), `${side},inclusive,work`);
			const all = await frames(page);
			for (const stack of ['fast', 'keep', 'slow']) near(all.find(one => one.name === stack).w, mean(widths[side], `app;main;${stack}`) / total(widths[side]));
			const missing = side === 'base' ? 'fresh' : 'gone';
			assert.deepEqual(all.filter(one => !one.shown).map(one => one.name), [missing], 'what costs nothing there has no frame');
		}
		await press(page, 'w');
		assert.equal(await pressed(page), DEFAULT);
		assert.deepEqual(await frames(page), before, 'and round again');
	},
	'key c: colour is the change with everything called, or of the function itself': async () => {
		const page = await open(tested), before = await frames(page);
		await press(page, 'c');
		assert.equal(await pressed(page), 'larger,self,work');
		assert.deepEqual(await hues(page), { all: 'grey', app: 'grey', main: 'grey', fast: 'less', fresh: 'more', gone: 'less', keep: 'grey', slow: 'more', wrap: 'grey', deep: 'grey' });
		assert.deepEqual((await frames(page)).map(one => one.w), before.map(one => one.w), 'widths stay');
		await press(page, 'c');
		assert.deepEqual(await frames(page), before);
	},
	'key v: value is per unit of work, or share of the total': async () => {
		const page = await open(tested), before = await frames(page);
		await press(page, 'v');
		assert.equal(await pressed(page), 'larger,inclusive,share');
		const now = await hues(page);
		assert.deepEqual([now.all, now.main, now.slow, now.fast], ['grey', 'grey', 'more', 'less'], 'the whole is always 100 %');
		await press(page, 'v');
		assert.deepEqual(await frames(page), before);
	},
	'help names the keys of the views, too': async () => {
		const page = await open(tested);
		await press(page, '?');
		assert.deepEqual((await page.$$eval('.help dt', all => all.map(one => one.textContent))).slice(-3), ['w', 'c', 'v']);
		const [box, card] = await page.$eval('.help', one => [one.parentNode, one].map(part => part.getBoundingClientRect().bottom));
		assert.ok(card <= box + 1, 'and is not cut');
	},
	'in a narrow window legend, switches and table are in sight': async () => {
		const page = await open(tested, { viewport: { width: 400, height: 900 } });
		const boxes = await page.$$eval('svg.flame > text, .scale, .choices button, svg.flame > svg:not(.frames) > svg > rect',
			all => all.map(one => one.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
		for (const one of boxes) assert.ok(one.left >= 0 && one.right <= 401, JSON.stringify(one));
		const top = await page.$eval('.frames', one => one.getBoundingClientRect().top);
		assert.ok(boxes.every(one => one.bottom <= top + 1), 'and above the frames');
		await press(page, 'w', 'c', 'v');
		assert.equal(await pressed(page), 'base,self,share');
	},
	'in windows between narrow and wide nothing is cut or over something else, and a row of the table is one line': async () => {
		for (const file of [tested, callers, untested])
			for (const width of [640, 800, 950, 1050, 1150]) {
				const page = await open(file, { viewport: { width, height: 900 } });
				const boxes = await page.$$eval('svg.flame > text, .scale text, .choices button, .controls input, svg.flame > svg.frames', all => all.map(one => {
					const { left, right, top, bottom } = one.getBoundingClientRect();
					return { text: one.localName === 'svg' ? 'frames' : one.textContent, cell: one.classList.contains('cell'), x: one.getAttribute('x'), y: one.getAttribute('y'), left, right, top, bottom };
				}).filter(one => one.right > one.left));
				for (const one of boxes) assert.ok(one.left >= 0 && one.right <= width, `${JSON.stringify(one)} in ${width}`);
				for (const [i, one] of boxes.entries())
					for (const other of boxes.slice(i + 1))
						assert.ok(one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 5 || other.bottom <= one.top + 5,
							`${JSON.stringify([one, other])} at ${width}`);
				const cells = boxes.filter(one => one.cell), rows = new Map(cells.map(one => [one.y, cells.filter(other => other.y === one.y)]));
				for (const row of rows.values()) assert.ok(row.every(one => Math.abs(one.top - row[0].top) < 3), `${JSON.stringify(row)} at ${width}`);
				assert.ok(rows.size > 2 && cells.some(one => one.text === 'class'), 'there is a table with its results');
			}
	},
	'the line below the frames tells the change in points, whatever the width': async () => {
		const long = 'a_function_with_a_name_that_is_rather_long_'.repeat(3);
		const file = drawDiff('long', base.map(one => ({ ...one, [`app;main;${long}`]: 900 })), head.map(one => ({ ...one, [`app;main;${long}`]: 1000 })));
		for (const width of [600, 1200]) {
			const page = await open(file, { viewport: { width, height: 900 } });
			await click(page, `${MAIN};${long}`);
			assert.match(await details(page), /pp of the base total/);
			const [right, bottom, end] = await page.$eval('.details text', one => [one.getBoundingClientRect().right, one.getBoundingClientRect().bottom, one.ownerSVGElement.getBoundingClientRect().bottom]);
			assert.ok(right <= width && bottom <= end, `${right} of ${width}, ${bottom} of ${end}`);
		}
	},
	'and ends with the last words of the tooltip': async () => {
		for (const width of [400, 900, 1200]) {
			const page = await open(callers, { viewport: { width, height: 900 } });
			await click(page, 'all;main;c7;f');
			assert.match(await details(page), /the function has 20 paths$/, String(width));
		}
	},
	'all buttons do what their keys do, and say which is on': async () => {
		const page = await open(tested);
		for (const [view, state] of [['head', 'head,inclusive,work'], ['self', 'head,self,work'], ['share', 'head,self,share'], ['larger', 'larger,self,share']]) {
			await page.click(`.choices [data-view=${view}]`);
			assert.equal(await pressed(page), state);
		}
		assert.equal(await page.$$eval('.choices [role=group]', all => all.map(one => one.getAttribute('aria-label')).join()), 'width,colour,value');
		await page.focus('.choices [data-view=base]');
		await press(page, 'Enter');
		assert.equal(await pressed(page), 'base,self,share', 'by keyboard, too');
		assert.equal((await frames(page))[0].shown && await page.locator('.help').count() === 0, true);
	},
	'in each of the twelve views frames nest and none is lost': async () => {
		const page = await open(untested);
		for (let i = 0; i < 12; i++) {
			const all = (await frames(page)).filter(one => one.shown);
			near(all[0].w, 1);
			const sums = new Map();
			for (const one of all.slice(1)) {
				const caller = one.path.slice(0, one.path.lastIndexOf(';')), below = all.find(other => other.path === caller);
				assert.ok(below && one.x >= below.x - 1e-4 && one.x + one.w <= below.x + below.w + 1e-4, `${one.path} stands on its caller`);
				sums.set(caller, (sums.get(caller) ?? 0) + one.w);
			}
			for (const [caller, sum] of sums) assert.ok(sum <= all.find(one => one.path === caller).w + 1e-4);
			await press(page, 'w');
			if (i % 3 === 2) await press(page, 'c');
			if (i % 6 === 5) await press(page, 'v');
		}
		assert.equal(await pressed(page), DEFAULT);
	},
	'the legend states the scale of the view': async () => {
		const page = await open(tested), scale = () => page.$$eval('.scale text', all => all.map(one => one.textContent));
		const before = await scale();
		assert.match(before.join(), /^-\d[\d.]* pp,\+\d[\d.]* pp$/);
		assert.match(before[1], /14\.5/, 'full colour is the largest change');
		await press(page, 'v');
		assert.notDeepEqual(await scale(), before);
		await press(page, 'v');
		assert.deepEqual(await scale(), before);
	},
	'letters in the search field switch nothing': async () => {
		const page = await open(tested);
		await search(page, 'wcv');
		assert.equal(await typed(page), 'wcv');
		assert.equal(await pressed(page), DEFAULT);
		await press(page, 'Escape', 'Control+c', 'Alt+v');
		assert.equal(await pressed(page), DEFAULT, 'as do keys with Ctrl or Alt');
	},

	'the address keeps the view, through reload and in any window': async () => {
		const page = await open(tested);
		await press(page, 'w', 'w', 'c', 'v');
		assert.equal(await address(page), '#view=head,self,share');
		const inSight = async () => (await frames(page)).filter(one => one.shown);
		const before = await inSight();
		await page.reload();
		assert.equal(await pressed(page), 'head,self,share');
		assert.deepEqual(await inSight(), before);
		await page.setViewportSize({ width: 1000, height: 600 });
		assert.equal(await address(page), '#view=head,self,share');
		(await inSight()).forEach((one, i) => near(one.w, before[i].w));
		await press(page, 'w', 'c', 'v');
		assert.equal(await address(page), '', 'the usual view needs no words');
	},
	'view, zoom, search and other parts of the address stay together': async () => {
		const page = await open(tested, { address: 'tab=2' });
		await press(page, 'w');
		await click(page, `${MAIN};wrap`);
		await search(page, 'deep');
		const there = await address(page), before = await frames(page);
		assert.match(there, /^#node=[0-9a-f]{16}&q=deep&tab=2&view=base,inclusive,work$/);
		await page.reload();
		near((await frame(page, `${MAIN};wrap`)).w, 1);
		assert.deepEqual((await frames(page)).map(one => [one.w, one.hit, one.shown]), before.map(one => [one.w, one.hit, one.shown]));
		assert.equal(await address(page), there);
		await press(page, 'Escape', 'Escape', 'w', 'w');
		assert.equal(await address(page), '#tab=2');
	},
	'views that are not known are the usual one': async () => {
		for (const view of ['', 'nothing', 'head,,', '__proto__,constructor,share', 'head,self,share,more', '%2525']) {
			const page = await open(tested, { address: `view=${view}` });
			assert.match(await pressed(page), /^(larger|head),(inclusive|self),(work|share)$/);
		}
		const page = await open(tested);
		await page.evaluate(() => { location.hash = '#view=head,self,work'; });
		await page.waitForFunction(() => document.querySelector('[data-view=head]').getAttribute('aria-pressed') === 'true');
		await page.evaluate(() => { location.hash = ''; });
		await page.waitForFunction(() => document.querySelector('[data-view=larger]').getAttribute('aria-pressed') === 'true');
	},
	'a zoom stays when the view changes': async () => {
		const page = await open(tested);
		await click(page, `${MAIN};wrap`);
		for (const key of ['w', 'w', 'v', 'c']) {
			await press(page, key);
			near((await frame(page, `${MAIN};wrap`)).w, 1);
			assert.equal((await frame(page, `${MAIN};slow`)).shown, false);
		}
	},
	'a zoom into what has no cost in a view shows the whole picture there': async () => {
		const page = await open(tested);
		await click(page, `${MAIN};gone`);
		await press(page, 'w', 'w');
		assert.equal(await pressed(page), 'head,inclusive,work');
		near((await frame(page, `${MAIN};keep`)).w, mean(head, 'app;main;keep') / total(head));
		await press(page, 'w');
		near((await frame(page, `${MAIN};gone`)).w, 1);
	},
	'the arrows walk over what a view shows': async () => {
		const page = await open(tested);
		await press(page, 'w', 'w', 'ArrowUp', 'ArrowUp', 'ArrowUp');
		assert.equal(await focused(page), `${MAIN};keep`, 'the widest callee in head');
		await press(page, 'ArrowLeft');
		assert.equal(await focused(page), `${MAIN};fresh`, 'and not what is gone');
	},
	'a search says its share of base and of head': async () => {
		const page = await open(tested);
		const share = (side, stack) => (100 * mean(side, stack) / total(side)).toFixed(2);
		await search(page, '^slow$');
		for (const key of ['w', 'w', 'v', 'c']) {
			assert.equal(await matched(page), `matched ${share(base, 'app;main;slow')} % → ${share(head, 'app;main;slow')} % (1)`, 'in every view');
			await press(page, 'Tab', key);
		}
		await retype(page, '^fresh$');
		assert.equal(await matched(page), `matched 0.00 % → ${share(head, 'app;main;fresh')} % (1)`);
		await retype(page, '^(rec|wrap|deep)$');
		assert.equal(await matched(await open(untested, { address: 'q=%5Erec%24' })), 'matched 6.62 % → 5.65 % (2)', 'recursion counts once');
	},
	'a name that ends like a cost is found whole': async () => {
		const page = await open(drawDiff('names', [{ 'main;f (5 samples, 2%)': 4, 'main;operator() (int)': 3 }], [{ 'main;f (5 samples, 2%)': 4, 'main;operator() (int)': 5 }]));
		await search(page, ' \\(int\\)$');
		assert.match(await matched(page), /\(1\)$/);
	},
	'hostile names stay text': async () => {
		const side = extra => Object.fromEntries(hostile.flatMap((name, i) => [[`first;${name}`, i + extra], [`main;${name};inner`, 20]]));
		const page = await open(drawDiff('hostile', [side(10)], [side(30)], `--title=${hostile[1]}`, `--base-name=${hostile[2]}`, `--head-name=${hostile[4]}`));
		assert.deepEqual(await strangers(page), []);
		assert.equal(await page.locator('script').count(), 2);
		for (const key of ['w', 'w', 'w', 'c', 'v', '?']) await press(page, key);
		await search(page, '^<script>');
		await press(page, 'Enter', 'Enter');
		await page.reload();
		assert.match(await matched(page), /\(2\)$/);
		assert.equal(await page.evaluate(() => window.ran), undefined);
	},
	'a picture as other tools draw it zooms and searches, too': async () => {
		for (const colors of ['flamegraph.pl', 'inferno']) {
			const page = await open(drawDiff(`as-${colors}`, [base[0]], [head[0]], '--compat', `--colors=${colors}`));
			await click(page, `${MAIN};wrap`);
			near((await frame(page, `${MAIN};wrap`)).w, 1);
			await press(page, '0', 'w');
			await search(page, '^slow$');
			assert.match(await matched(page), /^matched .*\(1\)$/);
			assert.equal((await frames(page)).some(one => one.name === 'gone'), false, 'what vanished is not there');
			const { title } = await frame(page, `${MAIN};slow`);
			assert.match(title, /^slow \(60\d samples, \d+\.\d\d%; \+\d+\.\d\d%\)$/);
		}
	},
	'the switches can be read in a dark window, too': async () => {
		const page = await open(tested, { colorScheme: 'dark' });
		const colors = await page.$$eval('.choices button', all => all.map(one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]));
		const light = rgb => rgb.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
		for (const [text, back] of colors) {
			const behind = /, 0\)$/.test(back) ? 0 : light(back);
			assert.ok(Math.abs(light(text) - behind) > 300, `${text} on ${back}`);
		}
	},
	'without scripts there are title, legend, switches in words, frames and labels': async () => {
		const page = await open(tested, { javaScriptEnabled: false });
		const texts = (await page.$$eval('svg.flame > text, svg.flame > g text', all => all.map(one => one.textContent))).join('\n');
		for (const words of ['Difference', 'base tested.base0.folded', 'removed here', 'added here', 'no significant change', 'width: larger of both'])
			assert.ok(texts.includes(words), words);
		assert.equal((await frames(page)).every(one => one.shown), true);
		assert.equal(await page.locator('button').count(), 0);
	},
};

await run(tests);
