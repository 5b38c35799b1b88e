(function () {
	'use strict';
	var svg = document.currentScript ? document.currentScript.ownerSVGElement : document.documentElement;
	var area = svg && svg.querySelector('.frames'),
		details = svg && svg.querySelector('.details text');
	if (!area || !details) return;
	var alone = svg === document.documentElement,
		note = details.textContent,
		up = area.getAttribute('data-up') !== '0',
		drawn_up = up,
		begun = false,
		panel = null;
	var label = area.getAttribute('data-label').split(' ').map(Number),
		before = area.getAttribute('data-before');
	var remarks = area.hasAttribute('data-remarks'),
		known = Object.create(null),
		frames = [];
	var current = null,
		zoomed = null,
		stop = null,
		query = '',
		hits = [],
		hit = -1,
		helped = null,
		removed = [],
		crowded = false;
	/* Pixels: below that a window is narrow; from line to line; of the search and its buttons. Lines of the text below the frames. */
	var NARROW = 900,
		LINE = 16,
		CONTROLS = 350,
		DETAILS = 4,
		head = [],
		top = +area.getAttribute('y'),
		tall = +svg.getAttribute('height');

	/* --- frames: in the order of a walk from the bottom, so that a subtree is a range --- */

	/* Names along the path, as two numbers of 32 bits; a name that is there twice is told apart by its place. */
	function hash(parent, name) {
		var a = parent ? parent.a : 0x811c9dc5,
			b = parent ? parent.b : 0x9e3779b9,
			i,
			c;
		for (i = 0; i <= name.length; i++) {
			c = i < name.length ? name.charCodeAt(i) : 0x10ffff;
			a = Math.imul(a ^ c, 0x01000193);
			b = Math.imul(b ^ c, 0x85ebca6b);
			b ^= b >>> 15;
		}
		return { a: a >>> 0, b: b >>> 0 };
	}
	function word(n) {
		return ('0000000' + n.toString(16)).slice(-8);
	}

	function number(g, name) {
		return +g.getAttribute('data-' + name) || 0;
	}

	function label_of(f) {
		return (f.g.getAttribute('data-m') || '') + f.name + (f.g.getAttribute('data-s') || '');
	}

	function read() {
		var open = [],
			i;
		svg.querySelectorAll('.f').forEach(function (g, i) {
			var box = g.querySelector('svg'),
				title = g.querySelector('title').textContent,
				line = title.split('\n')[0];
			var f = {
				i: i,
				g: g,
				box: box,
				depth: number(g, 'd'),
				base: number(g, 'b'),
				head: number(g, 'h'),
				on: true,
				gone: false,
				x: parseFloat(box.getAttribute('x')),
				w: parseFloat(box.getAttribute('width')),
				kids: [],
				end: i + 1,
				name: remarks ? line.replace(/ \([^()]*\)$/, '') : line,
				title: title
			};
			f.label = label_of(f);
			f.parent = f.depth ? open[f.depth - 1] : null;
			var h = hash(f.parent, f.name);
			while (known[word(h.a) + word(h.b)]) h = hash(h, '+');
			f.a = h.a;
			f.b = h.b;
			f.id = word(h.a) + word(h.b);
			known[f.id] = f;
			if (f.parent) f.parent.kids.push(f);
			open[f.depth] = f;
			frames.push(f);
			g.setAttribute('role', 'treeitem');
			g.setAttribute('aria-level', f.depth + 1);
			g.setAttribute('aria-label', title);
			g.setAttribute('tabindex', i ? '-1' : '0');
		});
		for (i = frames.length - 1; i > 0; i--)
			if (frames[i].parent.end < frames[i].end) frames[i].parent.end = frames[i].end;
	}

	function frame_of(event) {
		var g = event.target.closest ? event.target.closest('.f') : null,
			i = g ? order.get(g) : undefined;
		return i === undefined ? null : frames[i];
	}

	/* --- drawing --- */

	/* At most so many lines of at most so many characters; what is left over ends in an ellipsis. Nothing else is lost. */
	function lines(text, columns, most) {
		var list = [],
			end;
		while (text.length > columns && list.length < most - 1) {
			end = text.lastIndexOf(' ', columns);
			if (end <= 0) end = columns - 1;
			list.push(text.slice(0, end + 1));
			text = text.slice(end + 1);
		}
		list.push(text.length > columns ? text.slice(0, columns - 1) + '\u2026' : text);
		return list;
	}

	function write(text, list) {
		text.textContent = list.length > 1 ? '' : list[0];
		if (list.length > 1)
			list.forEach(function (line, i) {
				var part = text.appendChild(document.createElementNS(svg.namespaceURI, 'tspan'));
				part.setAttribute('x', text.getAttribute('x'));
				part.setAttribute('dy', i ? LINE : 0);
				part.textContent = line;
			});
	}

	/* The pixels from the first frame to the last. Taken from the picture: the box of the element around the frames grows
	 * with labels that it clips. */
	function room_of_frames() {
		return svg.getBoundingClientRect().width * 0.973334 || 1168;
	}

	function say(text) {
		var room = Math.floor(room_of_frames() / 6.6);
		write(details, lines(text, room, narrow() ? 10 : DETAILS));
	}

	function about(f) {
		return (before ? before + ' ' : '') + f.title.split('\n').join('  \u00b7  ');
	}

	/* Both ends of a name; with few characters its beginning. */
	function shorten(chars, columns) {
		var tail = columns < 12 ? 0 : Math.floor(((columns - 1) * 2) / 5);
		if (chars.length <= columns) return chars.join('');
		if (columns < 2) return '';
		return (
			chars.slice(0, columns - 1 - tail).join('') + '\u2026' + (tail ? chars.slice(chars.length - tail).join('') : '')
		);
	}

	/* Writes as much of the label as fits if all characters are of the usual width. */
	function fit(f, pixels) {
		var columns = Math.floor((pixels - 8) / label[0]),
			text = f.text,
			chars,
			shown;
		f.room = pixels - 8;
		if (text === undefined) text = f.text = f.box.querySelector('text');
		if (columns < 3) {
			if (text) text.remove();
			f.text = null;
			return;
		}
		if (!text) {
			text = f.text = document.createElementNS(svg.namespaceURI, 'text');
			text.setAttribute('x', '4');
			text.setAttribute('y', label[1]);
			f.box.appendChild(text);
		}
		/* cut to its width and with a mark: the whole of it is spoken */
		text.setAttribute('aria-hidden', 'true');
		chars = Array.from(f.label);
		shown = shorten(chars, columns);
		if (text.textContent !== shown) text.textContent = shown;
	}

	/* Cuts the labels that the fonts of this machine make wider than their frames: wide characters, other fonts. All are
	 * measured before any is changed, as each change makes the browser lay out the texts again. */
	function cut(list) {
		while (list.length) {
			list.forEach(function (f) {
				f.share = f.room / f.text.getComputedTextLength();
			});
			list = list.filter(function (f) {
				return f.share < 1;
			});
			list.forEach(function (f) {
				var now = Array.from(f.text.textContent).length;
				f.text.textContent = shorten(Array.from(f.label), Math.max(0, Math.min(now - 1, Math.floor(now * f.share))));
			});
			list = list.filter(has_label);
		}
	}

	function has_label(f) {
		return f.on && !!f.text && f.text.textContent !== '';
	}

	/* What is left of a frame without the removed ones above it: width `now` at `at`, and of its cost. */
	function settle() {
		var f, i;
		frames.forEach(function (one) {
			one.lost = one.lost_base = one.lost_head = one.shift = 0;
		});
		for (i = frames.length - 1; i > 0; i--) {
			f = frames[i];
			if (f.gone) {
				f.lost = f.w;
				f.lost_base = f.base;
				f.lost_head = f.head;
			}
			f.parent.lost += f.lost;
			f.parent.lost_base += f.lost_base;
			f.parent.lost_head += f.lost_head;
		}
		frames.forEach(function (one) {
			one.now = one.lost > one.w * (1 - 1e-9) ? 0 : one.w - one.lost;
			one.at = one.parent ? one.parent.at + one.x - one.parent.x - one.parent.shift : one.x;
			if (one.parent) one.parent.shift += one.lost;
		});
	}

	/* --- narrow windows: what stands above the frames is moved apart and goes on in further lines --- */

	function narrow() {
		return crowded || svg.getBoundingClientRect().width < NARROW;
	}

	/* What belongs together above the frames: a text and the boxes in front of it. */
	function read_head() {
		var open = [],
			one;
		for (one = svg.querySelector('.bg').nextElementSibling; one && one !== area; one = one.nextElementSibling) {
			if (!/^(text|g|svg|rect|line)$/.test(one.localName)) continue;
			open.push({
				box: one,
				inner: one.localName === 'svg' ? one.firstElementChild : null,
				y: +one.getAttribute('y'),
				said: one.textContent,
				x: one.localName === 'svg' ? +one.firstElementChild.getAttribute('x') : one.getAttribute('x'),
				dx: one.getAttribute('dx'),
				anchor: one.getAttribute('text-anchor')
			});
			if (!/^(text|g|line)$/.test(one.localName)) continue;
			head.push(open);
			open = [];
		}
	}

	function set(one, name, value) {
		if (value === null) one.removeAttribute(name);
		else one.setAttribute(name, value);
	}

	function put_back(part) {
		shift(part, 0, 0);
		part.box.style.display = '';
		if (part.box.localName !== 'text' || !part.folded) return;
		part.folded = false;
		set(part.box, 'x', part.x);
		set(part.box, 'dx', part.dx);
		set(part.box, 'text-anchor', part.anchor);
		part.box.textContent = part.said;
	}

	function shift(part, x, y) {
		if (part.inner) {
			part.box.setAttribute('y', part.y + y);
			part.inner.setAttribute('x', part.x + x);
		} else set(part.box, 'transform', x || y ? 'translate(' + x + ' ' + y + ')' : null);
	}

	/* Returns the pixels that it needs below its first line. */
	function fold(part, left, room) {
		var list = lines(
			part.said,
			Math.max(8, Math.floor((0.94 * room * part.said.length) / part.box.getComputedTextLength())),
			9
		);
		part.folded = true;
		part.box.setAttribute('x', left);
		part.box.removeAttribute('dx');
		part.box.removeAttribute('text-anchor');
		write(part.box, list);
		return (list.length - 1) * LINE;
	}

	/* The switches of a differential picture. Returns the pixels that they need below their first line. */
	function unroll(box, room) {
		box.setAttribute('width', room);
		box.setAttribute('height', 26);
		var extra = Math.max(0, box.firstElementChild.offsetHeight - 24);
		box.setAttribute('height', 26 + extra);
		return extra;
	}

	function place(group) {
		var from = svg.getBoundingClientRect(),
			spot = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
		group.forEach(function (part) {
			var r = (part.inner || part.box).getBoundingClientRect();
			spot.left = Math.min(spot.left, r.left - from.left);
			spot.right = Math.max(spot.right, r.right - from.left);
			spot.top = Math.min(spot.top, r.top - from.top);
			spot.bottom = Math.max(spot.bottom, r.bottom - from.top);
		});
		return spot;
	}

	function is_cell(i) {
		return i < head.length && head[i][0].box.classList.contains('cell');
	}
	function is_over(left, right) {
		return left.right > right.left && left.bottom - 5 > right.top && left.left < right.left;
	}

	/* The columns of the table, their cells, and how wide they are. */
	function columns(spots) {
		var known = Object.create(null),
			list = [];
		head.forEach(function (group, i) {
			var part = group[0],
				one = known[part.x];
			if (!is_cell(i)) return;
			if (!one) {
				one = known[part.x] = { end: part.anchor === 'end', wide: 0, parts: [], spots: [] };
				list.push(one);
			}
			one.wide = Math.max(one.wide, spots[i].right - spots[i].left);
			one.parts.push(part);
			one.spots.push(spots[i]);
		});
		return list;
	}

	/* Gives every column the room that it needs, and leaves out what the tooltips have, too, where there is not enough. */
	function set_columns(spots, pad, room) {
		var all = columns(spots),
			list = all,
			spare = all.length > 6 ? [all[5], all[3], all[4], all[2]] : [all[3], all[2]],
			at = pad,
			gap;
		function gap_between() {
			return (
				list.reduce(function (left, one) {
					return left - one.wide;
				}, room) /
				(list.length - 1)
			);
		}
		function is_kept(one) {
			return one !== spare[0];
		}
		for (gap = gap_between(); gap < 12 && spare.length; gap = gap_between()) {
			list = list.filter(is_kept);
			spare.shift();
		}
		if (list.length < 2 || gap < 12) return;
		all.forEach(function (one) {
			var shown = list.indexOf(one) >= 0;
			one.parts.forEach(function (part, i) {
				part.box.style.display = shown ? '' : 'none';
				one.spots[i].to = at + (one.end ? one.wide - one.spots[i].right + one.spots[i].left : 0);
			});
			at += shown ? one.wide + gap : 0;
		});
	}

	/* Returns by how much the frames move down. */
	function flow(wide, spots) {
		var pad = Math.round(wide / 75),
			down = 0,
			row = -Infinity,
			used = 0,
			line = 0;
		if (spots.length && spots[0].top < 44) down = 32;
		set_columns(spots, pad, wide - 2 * pad - 1);
		head.forEach(function (group, i) {
			var spot = spots[i],
				views = group[0].box.querySelector('foreignObject'),
				width = spot.right - spot.left,
				left;
			if (group[0].box.style.display) return;
			if (spot.top >= row - 3) {
				down += line;
				line = used = 0;
				row = spot.bottom;
			}
			left = used ? Math.max(spot.to || spot.left, used + 11) : pad;
			if (group[0].box.localName === 'line' || views) left = spot.left;
			else if (used && left + width > wide - pad) {
				line += LINE + 3;
				left = pad;
			}
			if (group.length === 1 && width > wide - 2 * pad && group[0].box.localName === 'text') {
				shift(group[0], 0, down + line);
				line += fold(group[0], pad, wide - 2 * pad);
			} else
				group.forEach(function (part) {
					shift(part, left - spot.left, down + line);
				});
			if (views) line += unroll(views, wide - 2 * pad);
			used = left + width;
		});
		return down + line;
	}

	function arrange() {
		var wide = svg.getBoundingClientRect().width,
			down,
			views = svg.querySelector('.views foreignObject'),
			spots;
		head.forEach(function (group) {
			group.forEach(put_back);
		});
		if (views) unroll(views, wide * 0.973);
		spots = head.map(place);
		crowded = spots.some(function (spot, i) {
			return (
				spot.right > wide ||
				(spot.top < 44 && spot.right > wide * 0.987 - CONTROLS) ||
				(is_cell(i) && is_cell(i + 1) && is_over(spot, spots[i + 1]))
			);
		});
		down = wide && narrow() ? flow(wide, spots) : 0;
		area.setAttribute('y', top + down);
		set(details, 'transform', down ? 'translate(0 ' + down + ')' : null);
		controls.setAttribute('x', -Math.min(480, wide * 0.973 || 480));
		controls.setAttribute('width', Math.min(480, wide * 0.973 || 480));
		controls.setAttribute('y', down ? 6 : 14);
		svg.setAttribute('height', tall + down + ((narrow() ? 10 : DETAILS) - 1) * LINE);
	}
	/* --- flame or icicle: the bottom below, or above, where a deep graph begins in sight --- */

	function turn(to) {
		var deepest = frames.reduce(function (most, f) {
				return Math.max(most, f.depth);
			}, 0),
			step = +area.getAttribute('height') / (deepest + 1);
		up = to;
		frames.forEach(function (f) {
			f.box.setAttribute('y', (up ? deepest - f.depth : f.depth) * step);
		});
		turner.textContent = up ? 'icicle' : 'flame';
		remember();
	}

	function is_deep() {
		return up && +area.getAttribute('y') + +area.getAttribute('height') > 1.2 * window.innerHeight;
	}

	/* Shows the frames of the zoomed subtree over the whole width, and what it stands on. */
	function draw() {
		var width = room_of_frames(),
			target = zoomed && zoomed.now > 0 ? zoomed : frames[0];
		var below = new Set(),
			f;
		for (f = target.parent; f; f = f.parent) below.add(f);
		frames.forEach(function (one) {
			var under = below.has(one),
				share;
			one.on = under || one === target || (one.i > target.i && one.i < target.end && one.now > 0);
			if (one.hidden !== !one.on) one.g.style.display = one.on ? '' : 'none';
			one.hidden = !one.on;
			if (!one.on) return;
			one.g.style.opacity = under ? '.55' : '';
			share = under || one === target ? 100 : (one.now * 100) / target.now;
			one.box.setAttribute('x', (under || one === target ? 0 : ((one.at - target.at) * 100) / target.now) + '%');
			one.box.setAttribute('width', share + '%');
			fit(one, (share * width) / 100);
		});
		cut(frames.filter(has_label));
		if (stop && !stop.on) rove(target);
	}

	/* Another script has moved the frames: places in data-x and data-w. */
	function moved() {
		frames.forEach(function (f) {
			if (!f.g.hasAttribute('data-w')) return;
			f.x = number(f.g, 'x');
			f.w = number(f.g, 'w');
			f.label = label_of(f);
		});
		settle();
		resize();
	}

	function resize() {
		arrange();
		draw();
	}

	function zoom(f) {
		zoomed = f && f.depth ? f : null;
		draw();
		back.style.visibility = zoomed || removed.length ? '' : 'hidden';
		remember();
	}

	/* --- removing stacks: those that have this frame on this path --- */

	function idle() {
		var f = frames[0],
			shares;
		if (!removed.length) return note;
		shares = f.base
			? percent(f.lost_base) + ' of base, ' + percent(f.lost_head) + ' of head'
			: percent(f.lost_head) + ' of the cost';
		return 'removed from the picture: ' + shares + '  \u00b7  Esc or 0 brings it back';
	}

	function remove(f) {
		var i;
		if (!f || !f.depth || !f.on) return;
		removed.push(f);
		for (i = f.i; i < f.end; i++) frames[i].gone = true;
		settle();
		if (zoomed && !zoomed.now) zoomed = null;
		zoom(zoomed);
		search(query);
		focus(f.parent);
		say(idle());
	}

	function restore_removed() {
		removed = [];
		frames.forEach(function (f) {
			f.gone = false;
		});
		settle();
		zoom(zoomed);
		search(query);
		say(idle());
	}

	function whole() {
		zoomed = null;
		restore_removed();
	}

	/* --- focus: one frame can be reached by Tab, the arrows go on from there --- */

	function rove(f) {
		if (stop) stop.g.setAttribute('tabindex', '-1');
		stop = f;
		f.g.setAttribute('tabindex', '0');
	}

	function focus(f) {
		if (f && f.on) f.g.focus();
	}

	function widest(list) {
		return list.reduce(function (best, f) {
			return f.on && (!best || f.now > best.now) ? f : best;
		}, null);
	}

	function beside(f, step) {
		var i;
		for (i = f.i + step; i >= 0 && i < frames.length; i += step)
			if (frames[i].on && frames[i].depth === f.depth) return frames[i];
		return null;
	}

	function walk(key) {
		var f = current && current.on ? current : zoomed || frames[0];
		if (key === 'ArrowLeft' || key === 'ArrowRight') focus(beside(f, key === 'ArrowLeft' ? -1 : 1));
		else focus((key === 'ArrowUp') === up ? widest(f.kids) : f.parent);
	}

	/* --- search --- */

	function percent(share) {
		return share.toFixed(2) + ' %';
	}

	/* Costs, not pixels; a match above another match is part of it. */
	function matched() {
		var base = 0,
			head = 0,
			end = 0;
		hits.forEach(function (f) {
			if (f.i < end) return;
			end = f.end;
			base += f.base - f.lost_base;
			head += f.head - f.lost_head;
		});
		return frames[0].base ? percent(base) + ' \u2192 ' + percent(head) : percent(head);
	}

	function report() {
		var place = hit < 0 ? hits.length : hit + 1 + ' of ' + hits.length;
		result.textContent = !query ? '' : hits.length ? 'matched ' + matched() + ' (' + place + ')' : 'no match';
	}

	function search(text) {
		var pattern = null,
			bad = '';
		query = text;
		try {
			if (text) pattern = new RegExp(text, 'i');
		} catch (error) {
			bad = error.message;
		}
		hits = frames.filter(function (f) {
			return pattern && f.depth && !f.gone && pattern.test(f.name);
		});
		hit = -1;
		svg.querySelectorAll('.hit').forEach(function (g) {
			g.classList.remove('hit');
		});
		hits.forEach(function (f) {
			f.g.classList.add('hit');
		});
		input.setAttribute('aria-invalid', String(!!bad));
		input.title = bad;
		report();
		if (bad) result.textContent = 'not a regular expression';
		remember();
	}

	function next(step) {
		if (!hits.length) return;
		hit = hit < 0 ? (step > 0 ? 0 : hits.length - 1) : (hit + step + hits.length) % hits.length;
		if (!hits[hit].on) zoom(null);
		focus(hits[hit]);
		report();
	}

	/* --- the address: #node=<path>&q=<expression>, only where the picture is the document; parts of others stay --- */

	function parts() {
		return location.hash.slice(1).split('&').filter(Boolean);
	}

	function remember() {
		if (restoring) return;
		if (!alone) {
			tell();
			return;
		}
		var list = parts().filter(function (part) {
			return !/^(node|q|turn)=/.test(part);
		});
		if (up !== drawn_up) list.unshift('turn=' + (up ? 'flame' : 'icicle'));
		if (query) list.unshift('q=' + encodeURIComponent(query));
		if (zoomed) list.unshift('node=' + zoomed.id);
		try {
			history.replaceState(null, '', list.length ? '#' + list.join('&') : location.href.split('#')[0]);
		} catch {
			return;
		}
	}

	/* A page with pictures keeps their state: what is zoomed and searched stands in attributes of the picture. */
	function tell() {
		set(svg, 'data-node', zoomed ? zoomed.id : null);
		set(svg, 'data-q', query || null);
		set(svg, 'data-turn', up !== drawn_up ? (up ? 'flame' : 'icicle') : null);
		svg.dispatchEvent(new Event('flamestate'));
	}

	function part(name) {
		if (!alone) return svg.getAttribute('data-' + name) || '';
		var found = parts().filter(function (one) {
			return one.indexOf(name + '=') === 0;
		})[0];
		try {
			return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
		} catch {
			return '';
		}
	}

	/* The frame to begin with, of the function that a page asks for: where it is hard to see, a caller of it. */
	function find_function() {
		var name = svg.getAttribute('data-find'),
			found = frames.filter(function (f) {
				return name && f.name === name;
			}),
			f = widest(found),
			target = f;
		found.forEach(function (one) {
			one.g.classList.add('aim');
		});
		if (!f || f.now > 15) return null;
		while (target.parent && target.parent.now < 4 * f.now) target = target.parent;
		return target.parent || null;
	}

	function restore() {
		var node = known[part('node')] || null,
			text = part('q'),
			turned = part('turn');
		restoring = true;
		if (!node && !alone) node = find_function();
		if (turned ? (turned === 'flame') !== up : is_deep() && !begun) turn(!up);
		begun = true;
		if (text !== query) {
			input.value = text;
			search(text);
		}
		if (node !== zoomed) zoom(node);
		restoring = false;
	}

	/* --- controls --- */

	function html(name, parent, text) {
		var part = document.createElementNS('http://www.w3.org/1999/xhtml', name);
		if (text) part.textContent = text;
		return parent ? parent.appendChild(part) : part;
	}

	/* A place for HTML at the right edge, whatever the width. */
	function corner(y, width, height) {
		var holder = document.createElementNS(svg.namespaceURI, 'svg'),
			box = document.createElementNS(svg.namespaceURI, 'foreignObject');
		holder.setAttribute('x', '98.6667%');
		holder.setAttribute('overflow', 'visible');
		box.setAttribute('x', -width);
		box.setAttribute('y', y);
		box.setAttribute('width', width);
		box.setAttribute('height', height);
		holder.appendChild(box);
		svg.appendChild(holder);
		return box;
	}

	function button(text, title, press) {
		var one = html('button', form, text);
		one.type = 'button';
		one.title = title;
		one.addEventListener('click', press);
		return one;
	}

	var keys = [
		['click, Enter', 'zoom into a frame'],
		['Esc, 0', 'whole picture, nothing removed'],
		['\u2190 \u2192', 'frame beside'],
		['\u2191 \u2193', 'widest callee, caller, as drawn'],
		['i', 'icicle or flame: root above or below'],
		['s', 'callers and callees of a function'],
		['Ctrl-click, d', 'remove a frame and all that it calls'],
		['/, Ctrl-F, F3', 'search by regular expression'],
		['n, N', 'next, previous match'],
		['?', 'this help']
	];

	if (svg.querySelector('.views'))
		keys.push(
			['w', 'width: larger of both, base, head'],
			['c', 'colour: with all it calls, of itself'],
			['v', 'value: cost, share of the total']
		);

	function help() {
		if (helped) {
			helped.remove();
			helped = null;
			return;
		}
		var box = corner(44, Math.min(660, svg.getBoundingClientRect().width * 0.973), 130),
			card = html('div', box),
			list = html('dl', card);
		card.className = narrow() ? 'help narrow' : 'help';
		card.setAttribute('role', 'dialog');
		card.setAttribute('aria-label', 'keys');
		keys.forEach(function (key) {
			html('dt', list, key[0]);
			html('dd', list, key[1]);
		});
		box.setAttribute('height', card.offsetHeight + 2);
		helped = box.parentNode;
	}

	/* --- callers and callees of a function, over all its paths --- */

	function same_name(f) {
		return frames.filter(function (one) {
			var p = one.parent;
			while (p && p.name !== f.name) p = p.parent;
			return one.name === f.name && !one.gone && !p;
		});
	}

	/* Costs of callers or callees by name, the largest first. A caller has what its calls of the function cost. */
	function neighbours(all, is_callers) {
		var sums = Object.create(null);
		all.forEach(function (f) {
			(is_callers ? [f.parent] : f.kids).forEach(function (other) {
				if (!other || other.gone) return;
				var cost = is_callers ? f : other;
				sums[other.name] ??= { name: other.name, base: 0, head: 0, frame: other };
				sums[other.name].base += cost.base;
				sums[other.name].head += cost.head;
			});
		});
		return Object.values(sums).sort(function (a, b) {
			return Math.max(b.base, b.head) - Math.max(a.base, a.head) || (a.name < b.name ? -1 : 1);
		});
	}

	function cost_text(one) {
		return frames[0].base ? percent(one.base) + ' \u2192 ' + percent(one.head) : percent(one.head);
	}

	function list_of(card, title, list) {
		var MOST = 8,
			box = html('ul', card);
		box.setAttribute('aria-label', title);
		html('li', box, title).className = 'title';
		if (!list.length) html('li', box, 'none');
		list.slice(0, MOST).forEach(function (one) {
			var item = html('li', box),
				go = html('button', item, shorten(Array.from(one.name), 44));
			go.type = 'button';
			go.title = one.name;
			html('span', item, cost_text(one));
			go.addEventListener('click', function () {
				zoom(one.frame);
				focus(one.frame);
				show_sandwich(true);
			});
		});
		if (list.length > MOST) html('li', box, list.length - MOST + ' more');
	}

	function show_sandwich(open) {
		var f = current || zoomed || frames[0],
			wide = Math.min(760, svg.getBoundingClientRect().width * 0.973),
			box,
			card,
			all;
		if (panel) panel.remove();
		panel = null;
		if (!open) return;
		all = same_name(f);
		box = corner(44, wide, 130);
		card = html('div', box);
		card.className = narrow() ? 'help sandwich-card narrow' : 'help sandwich-card';
		card.setAttribute('role', 'dialog');
		card.setAttribute('aria-label', 'callers and callees');
		list_of(card, 'callers of ' + shorten(Array.from(f.name), 40), f.depth ? neighbours(all, true) : []);
		list_of(card, 'callees' + (frames[0].base ? ', share of base \u2192 head' : ', share'), neighbours(all, false));
		var close = html('button', card, 'close');
		close.type = 'button';
		close.addEventListener('click', function () {
			show_sandwich(false);
		});
		box.setAttribute('height', card.offsetHeight + 2);
		panel = box.parentNode;
	}

	function find() {
		input.focus();
		input.select();
	}

	function leave() {
		if (helped) help();
		else if (panel) show_sandwich(false);
		else if (zoomed) zoom(null);
		else if (removed.length) restore_removed();
		else if (query) {
			input.value = '';
			search('');
		}
	}

	function press(event) {
		var key = event.key,
			typing = event.target === input,
			plain = !event.ctrlKey && !event.metaKey && !event.altKey;
		var button =
			event.target.localName === 'button' ||
			(event.target !== input && /^(input|textarea|select)$/.test(event.target.localName));
		if (event.defaultPrevented) return;
		if (key === 'F3' || ((event.ctrlKey || event.metaKey) && !event.altKey && (key === 'f' || key === 'F'))) find();
		else if (!plain) return;
		else if (key === 'Escape' && typing && !helped) {
			input.value = '';
			search('');
			focus(stop);
		} else if (key === 'Escape') leave();
		else if (typing && key === 'Enter') next(event.shiftKey ? -1 : 1);
		else if (typing || (button && (key === 'Enter' || key === ' '))) return;
		else if (key === '/') find();
		else if (key === '?') help();
		else if (key === '0') whole();
		else if (key === 'i') turn(!up);
		else if (key === 's') show_sandwich(!panel);
		else if ((key === 'd' || key === 'Delete') && current && current.on) remove(current);
		else if (key === 'Enter' && current && current.on) zoom(current);
		else if (key === 'n' || key === 'N') next(key === 'n' ? 1 : -1);
		else if (/^Arrow(Up|Down|Left|Right)$/.test(key)) walk(key);
		else return;
		event.preventDefault();
	}

	var order = new Map(),
		restoring = false,
		controls = corner(14, 480, 30),
		form = html('div', controls),
		result = html('span', form);
	form.className = 'controls';
	result.setAttribute('role', 'status');
	var back = button('reset', 'whole picture (Esc or 0)', whole),
		input = html('input', form);
	var turner = button('icicle', 'root above or below (key i)', function () {
		turn(!up);
	});
	turner.className = 'turn';
	back.style.visibility = 'hidden';
	input.type = 'search';
	input.placeholder = 'search  ( / )';
	input.setAttribute('aria-label', 'search functions by regular expression');
	input.addEventListener('input', function () {
		search(input.value);
	});
	button('callers', 'callers and callees of the function (key s)', function () {
		show_sandwich(!panel);
	});
	button('?', 'keys', help).setAttribute('aria-label', 'keys');

	read();
	frames.forEach(function (f) {
		order.set(f.g, f.i);
	});
	stop = frames[0];
	area.setAttribute('role', 'tree');
	area.setAttribute('tabindex', '-1');
	area.setAttribute('aria-label', 'flame graph');
	area.addEventListener('click', function (event) {
		var f = frame_of(event);
		if (!f) return;
		if (event.ctrlKey || event.metaKey) {
			remove(f);
			return;
		}
		zoom(f);
		focus(f);
		if (panel) show_sandwich(true);
	});
	area.addEventListener('mouseover', function (event) {
		var f = frame_of(event);
		say(f ? about(f) : idle());
	});
	area.addEventListener('mouseleave', function () {
		say(idle());
	});
	area.addEventListener('focusin', function (event) {
		var f = frame_of(event);
		if (!f) return;
		current = f;
		rove(f);
		say(about(f));
	});
	(alone ? document : svg).addEventListener('keydown', press);
	svg.addEventListener('viewchange', moved);
	window.addEventListener('resize', resize);
	if (alone) window.addEventListener('hashchange', restore);
	svg.setAttribute('width', '100%');
	svg.style.minWidth = '0';
	read_head();
	moved();
	restore();
})();
