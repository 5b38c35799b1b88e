(function () {
	'use strict';
	var svg = document.currentScript ? document.currentScript.ownerSVGElement : document.documentElement;
	var place = svg.querySelector('.views'),
		alone = svg === document.documentElement;
	if (!place) return;
	var depths = numbers('depths'),
		parents = [],
		open = [],
		buttons = [],
		state = {};
	var boxes = Array.from(svg.querySelectorAll('.f'));
	if (depths.length !== boxes.length) return;
	var drawn = boxes.map(function (g) {
		var box = g.querySelector('svg');
		return {
			box: box,
			x: parseFloat(box.getAttribute('x')),
			w: parseFloat(box.getAttribute('width')),
			fill: g.querySelector('rect').getAttribute('fill'),
			marks: [g.getAttribute('data-m'), g.getAttribute('data-s')]
		};
	});
	var grey = place.getAttribute('data-grey'),
		scales = place.getAttribute('data-scales').split('|');
	var choices = [
		{ key: 'w', name: 'width', words: ['larger', 'base', 'head'], texts: ['larger of both', 'base', 'head'] },
		{ key: 'c', name: 'colour', words: ['inclusive', 'self'], texts: ['change with all it calls', 'of itself'] },
		{
			key: 'v',
			name: 'value',
			words: ['work', 'share'],
			texts: ['per ' + place.getAttribute('data-per'), 'share of total']
		}
	];
	var fills = [
		[null, sparse('inclusive-share')],
		[sparse('self-work'), sparse('self-share')]
	];
	var share_marks = {};
	place
		.getAttribute('data-share-marks')
		.split('|')
		.forEach(function (entry) {
			share_marks[entry.slice(0, entry.indexOf(':'))] = entry.slice(entry.indexOf(':') + 1);
		});
	depths.forEach(function (d, i) {
		open[d] = i;
		parents.push(d ? open[d - 1] : -1);
	});
	choices.forEach(function (choice) {
		state[choice.name] = 0;
	});

	function numbers(name) {
		return place
			.getAttribute('data-' + name)
			.split(' ')
			.map(Number);
	}

	function sparse(name) {
		var found = {};
		place
			.getAttribute('data-' + name)
			.split(' ')
			.forEach(function (entry) {
				var parts = entry.split(':');
				if (parts.length === 2) found[parts[0]] = '#' + parts[1];
			});
		return found;
	}

	/* In shares, a frame has mark and points of its share. */
	function mark(g, i) {
		var points = share_marks[i],
			marks = state.value ? (points ? [points[0] === '-' ? '\u25bc ' : '\u25b2 ', '  ' + points] : []) : drawn[i].marks;
		g.setAttribute('data-m', marks[0] || '');
		g.setAttribute('data-s', marks[1] || '');
	}

	function lay(list) {
		var next = [],
			scale = list[0] ? 100 / list[0] : 0;
		return list.map(function (w, i) {
			var p = parents[i],
				x = p < 0 ? 0 : next[p];
			next[i] = x;
			if (p >= 0) next[p] += w;
			return { x: x * scale, w: w * scale };
		});
	}

	function places() {
		if (state.width === 1) return lay(numbers('base'));
		if (state.width === 2) return lay(numbers('head'));
		return state.value ? lay(numbers('larger-share')) : drawn;
	}

	function show() {
		var at = places(),
			fill = fills[state.colour][state.value],
			scale = scales[2 * state.colour + state.value].split(' ... ');
		boxes.forEach(function (g, i) {
			g.setAttribute('data-x', at[i].x);
			g.setAttribute('data-w', at[i].w);
			drawn[i].box.setAttribute('x', at[i].x + '%');
			drawn[i].box.setAttribute('width', at[i].w + '%');
			g.style.visibility = at[i].w ? '' : 'hidden';
			g.querySelector('rect').setAttribute('fill', fill ? fill[i] || grey : drawn[i].fill);
			mark(g, i);
		});
		svg.querySelectorAll('.scale text').forEach(function (text, i) {
			text.textContent = scale[i];
		});
		buttons.forEach(function (b) {
			b.part.setAttribute('aria-pressed', String(state[b.name] === b.index));
		});
		svg.dispatchEvent(new Event('viewchange'));
	}

	function words() {
		return choices
			.map(function (choice) {
				return choice.words[state[choice.name]];
			})
			.join(',');
	}

	function remember() {
		if (!alone) {
			if (words() === 'larger,inclusive,work') svg.removeAttribute('data-view');
			else svg.setAttribute('data-view', words());
			svg.dispatchEvent(new Event('flamestate'));
			return;
		}
		var parts = location.hash
			.slice(1)
			.split('&')
			.filter(function (part) {
				return part && !/^view=/.test(part);
			});
		if (words() !== 'larger,inclusive,work') parts.push('view=' + words());
		try {
			history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.href.split('#')[0]);
		} catch {
			return;
		}
	}

	function recall() {
		var found = /(?:^#|&)view=([a-z,]*)/.exec(alone ? location.hash : '&view=' + (svg.getAttribute('data-view') || '')),
			list = found ? found[1].split(',') : [],
			before = words();
		choices.forEach(function (choice, i) {
			state[choice.name] = Math.max(0, choice.words.indexOf(list[i]));
		});
		if (words() !== before) show();
	}

	function choose(name, index) {
		state[name] = index;
		show();
		remember();
	}

	function html(name, parent) {
		return parent.appendChild(document.createElementNS('http://www.w3.org/1999/xhtml', name));
	}

	function build() {
		var said = place.querySelector('text'),
			box = document.createElementNS(svg.namespaceURI, 'foreignObject'),
			row;
		said.style.display = 'none';
		box.setAttribute('x', said.getAttribute('x'));
		box.setAttribute('y', said.getAttribute('y') - 17);
		box.setAttribute('width', '97%');
		box.setAttribute('height', '26');
		row = html('div', place.appendChild(box));
		row.className = 'choices';
		choices.forEach(function (choice) {
			var group = html('span', row);
			group.setAttribute('role', 'group');
			group.setAttribute('aria-label', choice.name);
			group.appendChild(document.createTextNode(choice.name));
			choice.texts.forEach(function (text, index) {
				var part = html('button', group);
				part.type = 'button';
				part.textContent = text;
				part.title = choice.name + ': ' + text + ' (key ' + choice.key + ')';
				part.setAttribute('data-view', choice.words[index]);
				part.setAttribute('aria-pressed', String(!index));
				part.addEventListener('click', function () {
					choose(choice.name, index);
				});
				buttons.push({ part: part, name: choice.name, index: index });
			});
		});
	}

	svg.addEventListener('keydown', function (event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.localName === 'input') return;
		choices.forEach(function (choice) {
			if (event.key === choice.key) choose(choice.name, (state[choice.name] + 1) % choice.words.length);
		});
	});
	if (alone) window.addEventListener('hashchange', recall);
	build();
	recall();
})();
