// SPDX-License-Identifier: Apache-2.0
// Allocation sites: at the chosen moment, beside the mean of all ranks; and what
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

export function leaks(model) {
	const get = k => i => model.leaks[i][k];
	const list = table({ view: 'leaks', label: 'Never freed', sort: 'bytes',
		rows: model.leaks.map((l, i) => i), empty: 'Everything was freed.',
		columns: [
			{ key: 'name', label: 'Function', kind: 'text', wide: true,
				get: get('name') },
			{ key: 'place', label: 'Place', kind: 'text', show: base,
				get: get('place') },
			{ key: 'bytes', label: 'Bytes', kind: 'bytes', get: get('bytes'),
				bar: true },
			...model.leaks.some(l => l.trend) ? [trendColumn('Rank ' +
				model.home, get('trend'))] : [],
			...model.leakColumns.map(c => Object.assign({}, c,
				{ get: get(c.key) })) ] });
	const box = card({ id: 'leaks', title: model.leaksTitle,
		options: '--leaks', entries: list.entries });
	box.note(count(model.leaks.length) + ' sites, ' + bytes(model.leaks.reduce(
		(sum, l) => sum + l.bytes, 0)));
	box.body.append(list.host);
	return box;
}

// What is not exact here, in words, and the keys
export function notes(model) {
	return h('footer', { class: 'foot' },
		model.bounds.length ? h('details', {},
			h('summary', {}, 'What this page leaves out'),
			h('ul', {}, model.bounds.map(b => h('li', {}, b)))) : null,
		fill(h('p', {}), 'Keys: in pictures the arrows, Enter and Escape; ',
			h('kbd', {}, '['), ' and ', h('kbd', {}, ']'),
			' choose another moment, ', h('kbd', {}, '/'), ' searches. ',
			'The address of the page keeps what is chosen.'),
		h('p', {}, model.run.version ? 'wmtools ' + model.run.version + '. ' : '',
			'Curves by uPlot (MIT licence, in this file).'));
}
