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
			var button = make('button', 'sort', header.textContent);
			button.type = 'button';
			header.textContent = '';
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

	/* --- filtering --- */

	var filtered = all('table.filterable tbody tr');
	var input = make('input'),
		count = make('span');

	function openRest(row) {
		var rest = row.closest('details.rest');
		if (rest) rest.open = true;
	}

	function filter(text) {
		var words = text.toLowerCase().split(/\s+/).filter(Boolean),
			shown = 0;
		filtered.forEach(function (row) {
			if (row.searchable === undefined) row.searchable = row.textContent.toLowerCase();
			row.hidden = !words.every(function (word) {
				return row.searchable.indexOf(word) >= 0;
			});
			if (!row.hidden) shown++;
			if (!row.hidden && words.length) openRest(row);
		});
		count.textContent = words.length ? shown + ' of ' + filtered.length + ' rows' : '';
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

	function reveal() {
		var target = null;
		try {
			target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
		} catch {
			return;
		}
		if (!target) return;
		unfold(target);
		target.scrollIntoView();
	}

	window.addEventListener('hashchange', reveal);

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
		if (!svg || !numbers) return;
		numbers.split(' ').forEach(function (number) {
			var script = document.createElementNS(svg.namespaceURI, 'script');
			script.textContent = document.getElementById('picture-script-' + number).textContent;
			svg.appendChild(script);
		});
	}

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
	if (location.hash) reveal();
})();
