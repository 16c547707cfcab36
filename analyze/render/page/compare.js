// SPDX-License-Identifier: Apache-2.0
// The page of wm-analyze --compare A B --html; its data are in docs/page-data.md, "Two
// runs".
import { choice, fill, h } from './dom.js';
import { base, bytes, bytesParts, count, share, signed } from './format.js';
import { card, nameRuns } from './picture.js';
import { begin, set, state, watch } from './state.js';
import { head, tiles } from './head.js';
import { flame } from './flame.js';
import { table } from './table.js';
import { pairCurve } from './pair_curve.js';
import { goTo, putTheme, run, startViews } from './shell.js';
import { unpack } from './unpack.js';

const OPTIONS = '--compare';

// Makes a tree of call paths "main;solve"; node 0 is the root.
function pathTree(list) {
	const index = new Map(), names = new Map(), key = [-1], parent = [-1];
	const label = [''], place = [''], a = [0], b = [0];
	for (const row of list) {
		let at = 0;
		for (const name of row.path ? row.path.split(';') : ['unknown']) {
			const word = at + ';' + name;
			let i = index.get(word);
			if (i === undefined) {
				i = parent.length;
				index.set(word, i);
				if (!names.has(name))
					names.set(name, names.size);
				key.push(names.get(name));
				parent.push(at);
				label.push(name);
				place.push('');
				a.push(0);
				b.push(0);
			}
			at = i;
		}
		a[at] += row.bytes_a;
		b[at] += row.bytes_b;
		if (row.file)
			place[at] = row.file + (row.line ? ':' + row.line : '');
	}
	const none = parent.map(() => false);
	return { n: parent.length, parent, key, wrapper: none, threadRoot: none,
		label: i => label[i], place: i => place[i], kind: () => 0,
		at: m => Float64Array.from(m ? a : b) };
}

// Moment 0 of the flame graph is B; moment 1, to compare with, is A.
function flameModel(d) {
	const paths = pathTree(d.paths);
	const of = (label, i) => ({ label, all: true,
		bytes: paths.at(i).reduce((s, v) => s + v, 0) });
	return { paths, run: { program: d.b.program }, bytesAt: paths.at,
		moments: [of('B', 0), of('A', 1)], flameOptions: OPTIONS,
		flameTitle: 'Growth and shrinkage' };
}

const KEYS = [['peak_bytes', 'High-water mark'], ['static_bytes', 'Static'],
	['total_bytes', 'Heap and static'], ['unfreed_bytes', 'Never freed'],
	['held_bytes', 'Held, no leak'], ['peak_rss_bytes', 'Resident'],
	['footprint_bytes', 'From the system'], ['moment_bytes', 'At that moment']];

function tilesOf(d) {
	return KEYS.filter(([k]) => d.change[k] !== null &&
		(d.a[k] || d.b[k])).map(([k, label]) => ({ key: k, label,
		value: (d.change[k] > 0 ? '+' : '') + bytesParts(d.change[k])[0],
		unit: bytesParts(d.change[k])[1], first: k === 'peak_bytes',
		note: bytes(d.a[k]) + ' \u2192 ' + bytes(d.b[k]),
		view: k.startsWith('unfreed') ? 'leaks' : 'flame' }));
}

function leadOf(d) {
	const by = d.change.peak_bytes, a = d.a.peak_bytes;
	if (!by)
		return 'Both need the same: ' + bytes(a) + '.';
	const most = d.functions.find(f => Math.sign(f.change) === Math.sign(by));
	return 'B needs ' + bytes(Math.abs(by)) + (by > 0 ? ' more' : ' less') +
		' than A' + (a ? ' (' + share(Math.abs(by), a) + ')' : '') + ': ' +
		bytes(a) + ' became ' + bytes(d.b.peak_bytes) + (most ? ', most of it by '
		+ most.name.slice(0, 80) + ' (' + signed(most.change) + ')' : '') + '.';
}

function factsOf(side, name) {
	const facts = [[name, side.run], ['Program of ' + name, side.program],
		['Run', side.id], ['Started', side.started], ['Ranks', side.rank ===
			null || side.rank === undefined ? count(side.ranks)
			: 'rank ' + side.rank + ' of ' + count(side.ranks)],
		['Hosts', (side.hosts || []).slice(0, 4).join(', ')],
		['Launcher', side.launcher === 'none' ? '' : side.launcher],
		['Command', side.command], ['Executable', side.exe],
		['Build-id', side.build_id], ['Traced with', side.tool_version &&
			'wmtools ' + side.tool_version]];
	return facts.filter(f => f[1]).map(f => [f[0], String(f[1])]);
}

function warningsOf(d) {
	return [['A', d.a], ['B', d.b]].flatMap(([name, side]) => [
		...side.complete === false ? [name + ': its traces are not complete: ' +
			'numbers are of what could be read.'] : [],
		...(side.notes || []).map(n => name + ': ' + n)]);
}

const callers = path => (path || '').split(';').reverse().slice(1)
	.join(' \u2190 ');

function rowsTable(id, title, rows, paths) {
	const get = k => i => rows[i][k];
	const size = v => v < 0 ? -v : v;
	return table({ view: id, label: title, sort: 'change',
		rows: rows.map((r, i) => i), empty: 'Nothing, in both.',
		pick: i => set({ find: rows[i].name, frame: undefined }),
		chosen: () => paths ? -1 : rows.findIndex(r => r.name === state.find),
		columns: [
			{ key: 'name', label: 'Function', kind: 'text', wide: true,
				get: get('name') },
			...paths ? [{ key: 'path', label: 'Called by', kind: 'text',
				wide: true, get: i => callers(rows[i].path) }] : [],
			{ key: 'place', label: 'Place', kind: 'text', show: base,
				get: i => rows[i].file ? rows[i].file + (rows[i].line
					? ':' + rows[i].line : '') : '' },
			{ key: 'a', label: 'A', kind: 'bytes', get: get('bytes_a') },
			{ key: 'b', label: 'B', kind: 'bytes', get: get('bytes_b') },
			{ key: 'change', label: 'Change', kind: 'bytes', show: v =>
				signed(v), get: get('change'),
			order: i => size(rows[i].change) },
			{ key: 'blocks_a', label: 'Blocks of A', kind: 'count',
				get: get('blocks_a') },
			{ key: 'blocks_b', label: 'Blocks of B', kind: 'count',
				get: get('blocks_b') },
			{ key: 'status', label: 'What', kind: 'text',
				get: get('status') }] });
}

// The address of the page decides between functions and call paths.
function list(functions, paths, id, title) {
	const tables = { functions: rowsTable(id, title, functions, false),
		paths: rowsTable(id, title, paths, true) };
	const rows = { functions, paths };
	const which = choice('Rows', [['functions', 'Functions'],
		['paths', 'Call paths']], state.rows, key => set({ rows: key }));
	const entry = k => () => tables[state.rows].entries[k][1]();
	const box = card({ id, title, options: OPTIONS, tools: [which],
		entries: [['Copy as CSV', entry(0)], ['Save as CSV', entry(1)]] });
	const show = () => {
		which.press(state.rows);
		box.note(count(rows[state.rows].length) + (state.rows === 'paths'
			? ' call paths' : ' functions') + ', the greatest change first. ' +
			'A row shows its paths above.');
		fill(box.body, tables[state.rows].host);
	};
	watch((s, changed) => {
		if (changed.has('rows'))
			show();
		else if (changed.has('find'))
			tables[s.rows].paint();
	});
	show();
	return box;
}

function foot(data) {
	const out = data.rows_left_out ? [count(data.rows_left_out) + ' rows are ' +
		'left out: wm-analyze --compare --json has all.'] : [];
	if (data.shortened)
		out.push('The middle of ' + count(data.shortened) +
			' long names is left out.');
	return h('footer', { class: 'foot' }, out.map(t => h('p', {}, t)),
		h('p', {}, 'Keys: in pictures the arrows, Enter and Escape. The ' +
			'address of the page keeps what is chosen.'),
		h('p', {}, 'wmtools ' + data.version + '. Curves by uPlot (MIT ' +
			'licence, in this file).'));
}

function build(data) {
	const d = data.compare;
	nameRuns(d.b.program, data.given);
	begin({ moment: 0, versus: 1, theme: 'auto', by: 'share', inverted: false,
		wrappers: true, threads: true, least: 0, whole: false,
		rows: 'functions' }, s => Object.assign(s, { moment: 0, versus: 1,
			rows: s.rows === 'paths' ? 'paths' : 'functions',
			by: s.by === 'time' ? 'time' : 'share' }));
	putTheme();
	const views = [pairCurve(data), flame(flameModel(d)),
		list(d.functions, d.paths, 'functions', 'Before and after')];
	if (d.leaks.length)
		views.push(list(d.leaks, d.leak_paths, 'leaks', 'Never freed'));
	const title = d.a.program === d.b.program ? d.b.program
		: d.a.program + ' \u2192 ' + d.b.program;
	const top = head({ run: {
		program: title, facts: factsOf(d.a, 'A') },
	lead: leadOf(d), warnings: warningsOf(d) });
	top.querySelector('.facts').after(h('dl', { class: 'facts' },
		factsOf(d.b, 'B').map(([name, value]) => h('div', {},
			h('dt', {}, name), h('dd', { title: value }, value)))));
	document.body.prepend(h('div', { id: 'page' }, top,
		tiles(tilesOf(d), t => goTo(t.view, 'flame')), h('main', {}, views), foot(data)));
	startViews(views);
}

run(unpack('wmtools.compare-page/1', ['compare']), build);
