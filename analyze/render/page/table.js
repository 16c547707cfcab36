// SPDX-License-Identifier: Apache-2.0
// A table of any length: only the visible rows are in the page.
import { fill, h } from './dom.js';
import { bytes, count, csv, exact, ns } from './format.js';
import { saveText, copy } from './save.js';
import { fileName } from './picture.js';

const ROW = 30; // as in page.css

const SHOWN = {
	bytes: v => bytes(v), count, ns: v => ns(v), text: v => v ?? '',
	share: v => v === null || v === undefined ? '\u2013'
		: (100 * v).toFixed(1) + ' %',
};

/* @columns: {key, label, kind, get(row), wide, bar, order(row), show(value)}:
 * bar draws the share of the highest value below the number, order replaces the
 * value for sorting.  @sort: a key; 'given': unsorted.  @rows: numbers, the
 * arguments of get().  @pick(row), @chosen() mark one row. */
export function table({ view, label, columns, rows, sort, pick, chosen, empty }) {
	let order = [], by = sort || columns[0].key, down = true, words = '';

	columns = columns.filter(c => c.kind !== 'text' || c.keep || c.wide ||
		rows.some(r => c.get(r)));
	let all = rows, whole = false;
	const heads = columns.map(head);
	const body = h('tbody');
	const grid = h('table', { 'aria-label': label },
		h('thead', {}, h('tr', { role: 'row' }, heads)), body);
	const box = h('div', { class: 'rows', tabindex: '0', role: 'group',
		'aria-label': label, onscroll: paint, onkeydown: step }, grid);
	const told = h('span', { class: 'told' });
	const search = h('input', { type: 'search', placeholder: 'Search',
		'aria-label': 'Search in ' + label,
		oninput: () => { words = search.value.toLowerCase(); arrange(); } });
	const tools = h('div', { class: 'table-tools' }, search, told);
	const host = h('div', { class: 'table table-' + view }, tools, box);
	const by0 = columns.filter(c => c.exact);

	function head(c) {
		const number = c.kind !== 'text';
		const button = h('button', { type: 'button', onclick: () => {
			down = by === c.key ? !down : number;
			by = c.key;
			arrange();
		} }, c.label);
		return h('th', { scope: 'col', class: (number ? 'n' : '') +
			(c.wide ? ' wide' : '') }, button);
	}

	function step(e) {
		const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
		if (!move || !pick || e.target !== box || !order.length)
			return;
		e.preventDefault();
		const at = order.indexOf(chosen());
		const to = Math.max(0, Math.min(order.length - 1, at + move));
		const top = to * ROW;
		if (top < box.scrollTop)
			box.scrollTop = top;
		if (top + 2 * ROW > box.scrollTop + box.clientHeight)
			box.scrollTop = top + 2 * ROW - box.clientHeight;
		pick(order[to]);
	}

	function arrange() {
		const c = columns.find(k => k.key === by);
		const texts = columns.filter(k => k.kind === 'text');
		order = words ? all.filter(r => texts.some(k =>
			String(k.get(r) ?? '').toLowerCase().includes(words)) ||
			by0.some(k => String(k.get(r)) === words)) : all.slice();
		tools.hidden = !words && all.length <= 12;
		const sign = down ? -1 : 1;
		if (c) order.sort((a, b) => {
			const x = (c.order || c.get)(a), y = (c.order || c.get)(b);
			if (x === y)
				return a - b;
			if (x === null || x === undefined)
				return 1;
			if (y === null || y === undefined)
				return -1;
			return x < y ? -sign : sign;
		});
		heads.forEach((th, i) => th.setAttribute('aria-sort',
			columns[i].key !== by ? 'none'
				: down ? 'descending' : 'ascending'));
		told.textContent = order.length === all.length
			? count(all.length) + ' rows'
			: count(order.length) + ' of ' + count(all.length) + ' rows';
		grid.setAttribute('aria-rowcount', order.length + 1);
		box.scrollTop = 0;
		paint();
	}

	function paint() {
		const tall = whole ? 100 * ROW : box.clientHeight || 12 * ROW;
		const first = whole ? 0
			: Math.max(0, Math.floor(box.scrollTop / ROW) - 4);
		const last = Math.min(order.length,
			first + Math.ceil(tall / ROW) + 8);
		const mark = chosen ? chosen() : undefined;
		const space = n => n > 0 && h('tr', { 'aria-hidden': 'true',
			style: { height: n * ROW + 'px' } });
		const most = columns.map(c => c.bar
			? c.top(all) : 0);
		fill(body, space(first), order.slice(first, last).map((r, i) =>
			line(r, first + i, r === mark, most)),
		whole ? null : space(order.length - last));
		if (!order.length)
			body.append(h('tr', {}, h('td', { colspan: columns.length },
				all.length ? 'Nothing found.' : empty || 'None.')));
	}

	function line(r, at, marked, most) {
		return h('tr', { 'aria-rowindex': at + 2, class: marked ? 'chosen' : '',
			onclick: pick && (() => pick(r)) },
		columns.map((c, i) => {
			const v = c.get(r), text = (c.show || SHOWN[c.kind])(v, r);
			return h('td', { class: (c.kind === 'text' ? '' : 'n') +
				(c.wide ? ' wide' : ''),
			title: c.kind === 'bytes' && v !== null ? exact(v)
				: c.kind === 'text' ? String(v ?? '') : null },
			h('span', {}, text),
			c.bar && most[i] > 0 && h('i', { class: 'bar', style: {
				width: 100 * Math.max(0, v) / most[i] + '%' } }));
		}));
	}

	const text = () => csv([columns.map(c => c.label)].concat(
		order.map(r => columns.map(c => c.get(r)))));
	columns.forEach(c => {
		let seen, top;
		c.top = list => {
			if (seen !== list) {
				seen = list;
				top = list.reduce((m, r) => Math.max(m, c.get(r) || 0), 0);
			}
			return top;
		};
	});
	arrange();
	new ResizeObserver(paint).observe(box);
	addEventListener('beforeprint', () => { whole = true; paint(); });
	addEventListener('afterprint', () => { whole = false; paint(); });
	return { host, paint,
		rows: list => { all = list; arrange(); },
		entries: [
			['Copy as CSV', () => copy(text())],
			['Save as CSV', () => saveText(text(), 'text/csv',
				fileName(view, 'csv'))],
		] };
}
