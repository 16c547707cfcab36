// SPDX-License-Identifier: Apache-2.0
// Allocation sites at the chosen moment, beside the mean of all ranks; and memory that
// was never freed.
import { fill, h } from './dom.js';
import { base, bytes, count, signed } from './format.js';
import { card } from './picture.js';
import { whose } from './moments.js';
import { trendColumn } from './sparkline.js';
import { set, state, watch } from './state.js';
import { table } from './table.js';

export function sites(model, flame) {
	let shown = [], list = null, compared = false;
	const cell = k => i => shown[i] && shown[i][k];
	const body = h('div');
	const entry = k => () => list.entries[k][1]();
	const box = card({ id: 'sites', title: 'Allocation sites',
		options: '--functions', entries: [['Copy as CSV', entry(0)],
			['Save as CSV', entry(1)]] });

	function columns() {
		return [
			{ key: 'name', label: 'Function', kind: 'text', wide: true },
			{ key: 'place', label: 'Place', kind: 'text', show: base,
				keep: model.paths.placed },
			{ key: 'bytes', label: 'Bytes', kind: 'bytes', bar: !compared },
			compared ? { key: 'change', label: 'Change', kind: 'bytes',
				bar: true, show: v => signed(v) }
				: { key: 'share', label: 'Share', kind: 'share' },
			...model.siteColumns,
		].map(c => Object.assign({}, c, { get: cell(c.key) })).concat(
			model.trended ? trendColumn('Rank ' + model.home + ' over time',
				cell('trend')) : []);
	}

	function make() {
		list = table({ view: 'sites', label: 'Allocation sites',
			sort: compared ? 'change' : 'bytes', rows: [],
			empty: 'Nothing is live at this moment.', columns: columns(),
			pick: i => {
				set({ find: shown[i].name, frame: undefined });
				flame.scrollIntoView({ block: 'nearest' });
			},
			chosen: () => shown.findIndex(s => s.name === state.find) });
		fill(body, list.host);
	}

	function refresh() {
		const m = model.moments[state.moment];
		const v = model.moments[state.versus];
		if (!list || compared !== Boolean(v)) {
			compared = Boolean(v);
			make();
		}
		shown = v ? model.changesOf(state.moment, state.versus)
			: model.sitesOf(state.moment);
		list.rows(shown.map((s, i) => i));
		box.note(whose(m) + ': ' + bytes(m.bytes) + (v ? ', before (' +
			whose(v) + '): ' + bytes(v.bytes) : '') +
			'. A row shows its paths in the flame graph.');
	}
	watch((s, changed) => {
		if (changed.has('moment') || changed.has('versus'))
			refresh();
		else if (changed.has('find'))
			list.paint();
	});
	refresh();
	box.body.append(body);
	return box;
}

// Memory that runtimes keep, or may keep, is folded below the program's.
export function leaks(model) {
	const all = model.leaks.map((l, i) => i);
	const kept = i => model.leaks[i].runtime;
	const get = k => i => model.leaks[i][k];
	const list = (label, rows, more, empty) => table({ view: 'leaks', label,
		sort: 'bytes', rows, empty, columns: [
			{ key: 'name', label: 'Function', kind: 'text', wide: true,
				get: get('name') },
			{ key: 'bytes', label: 'Bytes', kind: 'bytes', get: get('bytes'),
				bar: true },
			...more.map(c => Object.assign({}, c, { get: get(c.key) })),
			{ key: 'place', label: 'Place', kind: 'text', show: base,
				get: get('place') },
			...rows.some(get('trend')) ? [trendColumn('Rank ' + model.home,
				get('trend'))] : []] });
	const sum = rows => count(rows.length) +
		(rows.length === 1 ? ' site, ' : ' sites, ') +
		bytes(rows.reduce((n, i) => n + model.leaks[i].bytes, 0));
	const own = all.filter(i => !kept(i));
	const unknown = all.filter(i => kept(i) === 'unknown');
	const rest = all.filter(i => kept(i) && kept(i) !== 'unknown');
	const first = list(model.leaksTitle, own, model.leakColumns,
		rest.some(get('held')) ? 'The program held nothing then.'
			: model.handlesKnown ? 'The program freed everything.'
				: 'The program freed all memory.');
	const box = card({ id: 'leaks', title: model.leaksTitle,
		options: '--leaks', entries: first.entries });
	box.note('The program\'s: ' + sum(own));
	box.body.append(first.host);
	if (!model.handlesKnown)
		box.body.append(h('p', {}, 'Handles of MPI (communicators, ' +
			'datatypes, requests ...) were not looked at: whether ' +
			'some were lost is not known.'));
	const folded = (label, more, rows, columns) => {
		if (!rows.length)
			return;
		const fold = h('details', {}, h('summary', {},
			label + more + ': ' + sum(rows)));
		fold.addEventListener('toggle', () => {
			if (fold.open && fold.children.length === 1)
				fold.append(list(label, rows, columns, '').host);
		});
		box.body.append(fold);
	};
	folded('Owner not known', '', unknown, model.leakColumns);
	folded('Kept by runtimes', ', no leaks', rest, model.keptColumns);
	return box;
}

// The inexact parts of the page, in words, and the keys.
export function notes(model) {
	return h('footer', { class: 'foot' },
		model.bounds.length ? h('details', {},
			h('summary', {}, 'Left out of this page'),
			h('ul', {}, model.bounds.map(b => h('li', {}, b)))) : null,
		fill(h('p', {}), 'Keys: in pictures the arrows, Enter and Escape; ',
			h('kbd', {}, '['), ' and ', h('kbd', {}, ']'),
			' choose another moment, ', h('kbd', {}, '/'), ' searches. ',
			'The address of the page keeps what is chosen.'),
		h('p', {}, model.run.version ? 'wmtools ' + model.run.version + '. ' : '',
			'Curves by uPlot (MIT licence, in this file).'));
}
