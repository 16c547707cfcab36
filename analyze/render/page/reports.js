// SPDX-License-Identifier: Apache-2.0
// Other reports: each list in the data is a table, whose columns are the keys of
// docs/json.md.
import { choice, fill, h } from './dom.js';
import { base, bytes, count, seconds } from './format.js';
import { card } from './picture.js';
import { set, state, watch } from './state.js';
import { table } from './table.js';

const OPTIONS = { temporaries: '--temporaries',
	libraries: '--libraries', files: '--files', pages: '--pages',
	accesses: '--accesses', cache: '--cache', reuse: '--reuse',
	sharing: '--false-sharing', phases: '--timeline', names: '--functions',
	marks: '--json', regions: '--json', snapshots: '--snapshots',
	difference: '--imbalance' };

const optionOf = name => OPTIONS[name.split('.')[0]] || '--json';

const words = key => key.replace(/_(bytes|ns|s)$/, '').replace(/_/g, ' ')
	.replace(/^./, c => c.toUpperCase());

const isRow = v => v && typeof v === 'object' && !Array.isArray(v);

// All lists of rows below @value, as [name, rows].
function lists(value, name, out) {
	if (Array.isArray(value)) {
		if (value.length && isRow(value[0]))
			out.push([name, value]);
	} else if (isRow(value)) {
		for (const [key, v] of Object.entries(value))
			lists(v, name ? name + '.' + key : key, out);
	}
	return out;
}

function kindOf(key, rows) {
	const v = rows.map(r => r[key]).find(x => x !== null && x !== undefined);
	if (typeof v !== 'number')
		return 'text';
	return /bytes|reusable_bytes|^size$/.test(key) ? 'bytes'
		: /_ns$/.test(key) ? 'ns' : 'count';
}

function columnsOf(rows) {
	const keys = Object.keys(rows[0]).filter(k => !isRow(rows[0][k]) &&
		!(Array.isArray(rows[0][k]) && isRow(rows[0][k][0])) &&
		rows.some(r => r[k] !== null && r[k] !== undefined));
	const first = ['name', 'variable', 'member', 'function', 'from', 'to',
		'file', 'variable_file', 'line', 'variable_line', 'bytes'];
	const place = k => (first.indexOf(k) + 99) % 99;
	keys.sort((a, b) => place(a) - place(b));
	return keys.map(key => {
		const kind = kindOf(key, rows);
		return { key, label: words(key), kind, wide: place(key) < 4 &&
				kind === 'text',
			get: i => Array.isArray(rows[i][key]) ? rows[i][key].join(' ')
				: rows[i][key],
			show: /^(.*_)?(file|path)$/.test(key) ? base
				: /_s$/.test(key) ? v => seconds(v)
				: /^(.*_?line|rank|.*_rank|from|to)$/.test(key)
					? v => v === null || v === undefined ? '\u2013'
						: String(v) : undefined };
	});
}

export function allLists(model) {
	const d = model.data, out = [];
	for (const [key, value] of Object.entries(d.reports))
		if (key !== 'never_freed' && key !== 'sizes')
			lists(value, key, out);
	for (const [key, value] of Object.entries(d.notes))
		lists(value, key, out);
	return out;
}

export function reports(model) {
	const all = allLists(model);
	const at = () => Math.max(0, all.findIndex(l => l[0] === state.list));
	const group = name => name.split('.')[0];
	const groups = [...new Set(all.map(l => group(l[0])))];
	const tabs = choice('Report', groups.map(g => [g, words(g)]),
		group(all[at()][0]), g => set({ list: all.find(l =>
			group(l[0]) === g)[0] }));
	const parts = h('div', { class: 'parts' }), body = h('div');
	let now;
	const box = card({ id: 'reports', title: 'More reports',
		options: () => optionOf(all[at()][0]), entries: [
			['Copy as CSV', () => now.entries[0][1]()],
			['Save as CSV', () => now.entries[1][1]()]] });

	function show() {
		const [name, rows] = all[at()];
		const columns = columnsOf(rows);
		const main = columns.find(c => c.kind === 'bytes') || columns[0];
		if (main.kind === 'bytes')
			main.bar = true;
		now = table({ view: 'report', label: words(name), columns,
			rows: rows.map((r, i) => i), sort: main.key });
		box.note(count(rows.length) + ' rows, as in ' + optionOf(name) + '.');
		fill(body, now.host);
		tabs.press(group(name));
		const of = all.filter(l => group(l[0]) === group(name));
		fill(parts, of.length > 1 && choice('Part', of.map(([key]) => [key,
			words(key.slice(group(name).length + 1).replace(/\./g, ', '))]),
		name, key => set({ list: key })));
	}
	watch((s, changed) => {
		if (changed.has('list'))
			show();
	});
	show();
	tabs.classList.add('tabs');
	box.body.append(tabs, parts, body);
	return box;
}

// Compares the sites of the worst rank with the mean of all ranks.
export function why(model) {
	const w = model.data.imbalance.worst, rows = w.sites;
	const get = k => i => rows[i][k];
	const list = table({ view: 'why', label: 'Sites beside the mean',
		sort: 'difference', rows: rows.map((r, i) => i), columns: [
			{ key: 'name', label: 'Function', kind: 'text', wide: true,
				get: get('name') },
			{ key: 'place', label: 'Place', kind: 'text', show: base, get: i =>
				rows[i].file ? rows[i].file + ':' + rows[i].line : '' },
			{ key: 'difference', label: 'More than the mean', kind: 'bytes',
				get: get('difference'), bar: true },
			{ key: 'bytes', label: 'Bytes', kind: 'bytes', get: get('bytes') },
			{ key: 'mean', label: 'Mean', kind: 'bytes',
				get: get('mean_bytes') } ] });
	const box = card({ id: 'why', title: 'Why rank ' + w.rank,
		options: '--imbalance', entries: list.entries });
	box.note(bytes(Math.abs(w.bytes - w.mean_bytes)) + (w.bytes <
		w.mean_bytes ? ' less' : ' more') + ' than the mean of ' +
		count(w.mean_ranks) + ' ranks' + (w.phase === null
		? ', each at its own peak, whenever that is.'
		: ' in phase \u201c' + w.phase + '\u201d, each at its highest ' +
			'moment there.'));
	box.body.append(list.host);
	return box;
}
