(function () {
	'use strict';

	function all(selector, root) {
		return Array.from((root || document).querySelectorAll(selector));
	}

	function make(name, className, text) {
		var element = document.createElement(name);
		if (className) element.className = className;
		if (text !== undefined) element.textContent = text;
		return element;
	}

	/* --- sorting --- */

	function keyOf(row, column) {
		var cell = row.cells[column],
			value = cell.getAttribute('data-v');
		if (value === null) return cell.textContent.trim().toLowerCase();
		return value === '' ? null : Number(value);
	}

	function compare(a, b, sign) {
		if (a === null || b === null) return (a === null) - (b === null);
		if (typeof a === 'number') return sign * (a - b);
		return sign * (a === b ? 0 : a < b ? -1 : 1);
	}

	function sortBy(table, header) {
		var body = table.tBodies[0],
			column = header.cellIndex,
			rows = Array.from(body.rows);
		var numbers = rows.some(function (row) {
			return row.cells[column].hasAttribute('data-v');
		});
		var before = header.getAttribute('aria-sort');
		var down = before === 'ascending' || (before !== 'descending' && numbers);
		var keyed = rows.map(function (row, at) {
			return { row: row, key: keyOf(row, column), at: at };
		});
		keyed.sort(function (a, b) {
			return compare(a.key, b.key, down ? -1 : 1) || a.at - b.at;
		});
		all('th', table.tHead).forEach(function (other) {
			other.removeAttribute('aria-sort');
		});
		header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
		keyed.forEach(function (one) {
			body.appendChild(one.row);
		});
	}

	all('table.sortable').forEach(function (table) {
		var headers = all('th', table.tHead);
		headers.forEach(function (header, at) {
			var button = make('button', 'sort');
			button.type = 'button';
			while (header.firstChild) button.appendChild(header.firstChild);
			header.appendChild(button);
			button.addEventListener('click', function () {
				sortBy(table, header);
			});
			button.addEventListener('keydown', function (event) {
				var step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0,
					next = headers[at + step];
				if (!step || !next) return;
				next.firstChild.focus();
				event.preventDefault();
			});
		});
	});

	/* --- narrow windows: each cell says which column it is of --- */

	all('table.sortable').forEach(function (table) {
		var titles = all('th', table.tHead).map(function (header) {
			return header.textContent.trim();
		});
		table.classList.add('labelled');
		Array.from(table.tBodies[0].rows).forEach(function (row) {
			Array.from(row.cells).forEach(function (cell, at) {
				if (at) cell.setAttribute('data-label', titles[at]);
			});
		});
	});

	/* --- copying --- */

	function select(element) {
		var range = document.createRange();
		range.selectNodeContents(element);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
	}

	/* Where the browser lets no page write to the clipboard, the text is selected. */
	function copy(element, button) {
		function done(word) {
			button.textContent = word;
		}
		function fall_back() {
			select(element);
			done(document.execCommand('copy') ? 'copied' : 'selected');
		}
		if (!navigator.clipboard) fall_back();
		else
			navigator.clipboard.writeText(element.textContent).then(function () {
				done('copied');
			}, fall_back);
	}

	all('pre.command').forEach(function (element) {
		var box = make('div', 'copied'),
			button = make('button', 'copy', 'copy');
		button.type = 'button';
		button.setAttribute('aria-label', 'copy: ' + element.textContent.slice(0, 60));
		element.before(box);
		box.appendChild(element);
		box.appendChild(button);
		button.addEventListener('click', function () {
			copy(element, button);
		});
		button.addEventListener('blur', function () {
			button.textContent = 'copy';
		});
	});

	/* --- filtering: each table says what of it is hidden --- */

	var filtered = all('table.filterable tbody tr');
	var input = make('input'),
		count = make('span');
	var notes = all('table.filterable').map(function (table) {
		var note = make('p', 'note hidden-rows');
		note.hidden = true;
		table.parentNode.after(note);
		return { table: table, note: note };
	});

	function openRest(row) {
		var rest = row.closest('details.rest');
		if (rest) rest.open = true;
	}

	function matches(row, words) {
		if (row.searchable === undefined) row.searchable = row.textContent.toLowerCase();
		return words.every(function (word) {
			return row.searchable.indexOf(word) >= 0;
		});
	}

	function tell(one, text, active) {
		var rows = Array.from(one.table.tBodies[0].rows),
			seen = rows.filter(function (row) {
				return !row.hidden;
			}).length;
		one.note.hidden = !active || seen === rows.length;
		one.note.textContent =
			(seen ? seen + ' of ' + rows.length + ' rows match' : 'None of ' + rows.length + ' rows matches') +
			' \u201c' +
			text +
			'\u201d; the others are hidden.';
	}

	function filter(text) {
		var words = text.toLowerCase().split(/\s+/).filter(Boolean),
			shown = 0;
		filtered.forEach(function (row) {
			row.hidden = !matches(row, words);
			if (!row.hidden) shown++;
			if (!row.hidden && words.length) openRest(row);
		});
		notes.forEach(function (one) {
			tell(one, text.trim(), words.length > 0);
		});
		count.textContent = words.length ? shown + ' of ' + filtered.length + ' rows' : '';
	}

	/* --- the address: #PLACE&filter=TEXT&PICTURE.node=..., so that a link leads to what is seen --- */

	var STATES = ['node', 'q', 'view', 'turn'];

	function read() {
		var state = { place: '', pictures: {} };
		location.hash
			.slice(1)
			.split('&')
			.filter(Boolean)
			.forEach(function (part) {
				var at = part.indexOf('='),
					name = part.slice(0, at),
					value,
					dot = name.lastIndexOf('.');
				try {
					value = decodeURIComponent(part.slice(at + 1));
				} catch {
					return;
				}
				if (at < 0) state.place = value;
				else if (name === 'filter') state.filter = value;
				else if (dot > 0 && STATES.indexOf(name.slice(dot + 1)) >= 0) {
					state.pictures[name.slice(0, dot)] ??= {};
					state.pictures[name.slice(0, dot)][name.slice(dot + 1)] = value;
				}
			});
		return state;
	}

	var pictureStates = {};

	function write() {
		var parts = [],
			place = read().place;
		if (place) parts.push(encodeURIComponent(place));
		if (input.value.trim()) parts.push('filter=' + encodeURIComponent(input.value.trim()));
		Object.keys(pictureStates).forEach(function (id) {
			STATES.forEach(function (name) {
				var value = pictureStates[id][name];
				if (value) parts.push(id + '.' + name + '=' + encodeURIComponent(value));
			});
		});
		try {
			history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.href.split('#')[0]);
		} catch {
			return;
		}
	}

	function addTools() {
		var tools = make('div', 'tools'),
			keys = make('span', 'keys');
		input.type = 'search';
		input.placeholder = 'filter rows: function, file, class';
		input.setAttribute('aria-label', 'filter rows of tables');
		count.setAttribute('role', 'status');
		[
			['/', 'filter'],
			['Esc', 'all rows'],
			['Tab', 'to headers and links'],
			['\u2190 \u2192', 'between headers'],
			['Enter', 'sort']
		].forEach(function (key) {
			keys.appendChild(make('kbd', '', key[0]));
			keys.appendChild(document.createTextNode(' ' + key[1] + '  '));
		});
		[input, count, keys].forEach(function (part) {
			tools.appendChild(part);
		});
		document.querySelector('main').before(tools);
		input.addEventListener('input', function () {
			filter(input.value);
			write();
		});
	}

	if (filtered.length) addTools();

	/* Before any script of a picture, which has a search of its own: keys that are meant for a picture stay with it. */
	window.addEventListener(
		'keydown',
		function (event) {
			var target = event.target,
				picture = target.closest && target.closest('.picture');
			if (event.ctrlKey || event.metaKey || event.altKey || picture) return;
			if (event.key === 'Escape' && target === input) {
				input.value = '';
				filter('');
				write();
				input.blur();
			} else if (event.key === '/' && filtered.length && !/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
				input.focus();
				input.select();
			} else return;
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		true
	);

	/* --- what is folded --- */

	function unfold(element) {
		var up;
		for (up = element; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
	}

	function reveal(place) {
		var target = document.getElementById(place);
		all('.aim').forEach(function (one) {
			one.classList.remove('aim');
		});
		if (!target) return;
		unfold(target);
		target.classList.add('aim');
		target.scrollIntoView();
	}

	/* A link to a place of the page leaves the filter and the pictures as they are. */
	function follow() {
		var state = read();
		if (state.filter !== undefined && state.filter !== input.value) {
			input.value = state.filter;
			filter(state.filter);
		}
		if (state.place) reveal(state.place);
		write();
	}

	window.addEventListener('hashchange', follow);

	var folded = [];
	window.addEventListener('beforeprint', function () {
		folded = all('details:not([open])');
		folded.forEach(function (one) {
			one.open = true;
		});
	});
	window.addEventListener('afterprint', function () {
		folded.forEach(function (one) {
			one.open = false;
		});
	});

	/* --- pictures --- */

	function start(picture) {
		var svg = picture.querySelector('svg'),
			numbers = picture.getAttribute('data-scripts');
		picture.removeAttribute('data-scripts');
		picture.removeAttribute('tabindex');
		if (!svg || !numbers) return;
		var state = pictureStates[picture.id] || {};
		STATES.forEach(function (name) {
			if (state[name]) svg.setAttribute('data-' + name, state[name]);
		});
		if (picture.hasAttribute('data-find')) svg.setAttribute('data-find', picture.getAttribute('data-find'));
		svg.addEventListener('flamestate', function () {
			pictureStates[picture.id] = {};
			STATES.forEach(function (name) {
				pictureStates[picture.id][name] = svg.getAttribute('data-' + name);
			});
			write();
		});
		numbers.split(' ').forEach(function (number) {
			var script = document.createElementNS(svg.namespaceURI, 'script');
			script.textContent = document.getElementById('picture-script-' + number).textContent;
			svg.appendChild(script);
		});
	}

	pictureStates = read().pictures;
	var watcher = new IntersectionObserver(
		function (entries) {
			entries.forEach(function (entry) {
				if (!entry.isIntersecting) return;
				watcher.unobserve(entry.target);
				start(entry.target);
			});
		},
		{ rootMargin: '300px' }
	);
	all('.picture[data-scripts]').forEach(function (picture) {
		watcher.observe(picture);
	});

	/* --- callers and callees --- */

	function percent(value) {
		return (value >= 9.995 ? value.toFixed(1) : value.toFixed(2)) + ' %';
	}

	function points(value) {
		return (value < 0 ? '\u2212' : '+') + Math.abs(value).toFixed(2) + ' pp';
	}

	function sandwich(box) {
		var data = JSON.parse(document.getElementById(box.getAttribute('data-for')).textContent),
			number = {};
		var choice = make('label', 'sandwich-choice', 'function'),
			select = make('select');
		data.functions.forEach(function (one, at) {
			number[one[0]] = at;
			var option = make('option', '', data.names[one[0]]);
			option.value = at;
			select.appendChild(option);
		});

		function row(name, cost) {
			var line = make('tr'),
				head = make('th'),
				label;
			head.scope = 'row';
			if (typeof name === 'string') head.textContent = name;
			else if (name < 0) head.textContent = -name + ' others';
			else if (number[name] === undefined) head.appendChild(make('code', '', data.names[name]));
			else {
				label = make('button');
				label.type = 'button';
				label.appendChild(make('code', '', data.names[name]));
				label.addEventListener('click', function () {
					show(number[name]);
					select.focus();
				});
				head.appendChild(label);
			}
			line.appendChild(head);
			[percent(Math.min(cost[0], 100)), points(cost[1] - cost[0])].forEach(function (text) {
				line.appendChild(make('td', 'n', text));
			});
			return line;
		}

		function table(caption, rows) {
			var result = make('table'),
				head = make('tr'),
				body = make('tbody'),
				none;
			result.appendChild(make('caption', '', caption));
			['function', 'share of base', 'change'].forEach(function (title, at) {
				var cell = make('th', at ? 'n' : '', title);
				cell.scope = 'col';
				head.appendChild(cell);
			});
			result.appendChild(make('thead')).appendChild(head);
			rows.forEach(function (one) {
				body.appendChild(one);
			});
			if (!rows.length) {
				none = make('td', 'none', 'none');
				none.colSpan = 3;
				body.appendChild(make('tr')).appendChild(none);
			}
			result.appendChild(body);
			return result;
		}

		function neighbours(list) {
			return list.map(function (one) {
				return row(one[0], [one[1], one[2]]);
			});
		}

		function show(at) {
			var one = data.functions[at],
				itself = row('', one[1]);
			itself.firstChild.appendChild(make('code', '', data.names[one[0]]));
			select.value = at;
			box.textContent = '';
			box.appendChild(table('callers', neighbours(one[3])));
			box.appendChild(table('the function', [itself, row('of that itself', one[2])]));
			box.appendChild(table('callees', neighbours(one[4])));
		}

		select.addEventListener('change', function () {
			show(Number(select.value));
		});
		choice.appendChild(select);
		box.before(choice);
		show(0);
		all('th[data-callers]', box.closest('section')).forEach(function (head) {
			var button = make('button', 'callers', 'callers');
			button.type = 'button';
			button.addEventListener('click', function () {
				show(Number(head.getAttribute('data-callers')));
				choice.scrollIntoView();
				select.focus({ preventScroll: true });
			});
			head.querySelector('.name').after(button);
		});
	}

	all('.sandwich[data-for]').forEach(sandwich);
	if (location.hash) follow();
})();
