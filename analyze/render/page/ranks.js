// SPDX-License-Identifier: Apache-2.0
// All ranks: the distribution of their peaks, one row for each, and the nodes.
import { h, showTip } from './dom.js';
import { bytes, count, share } from './format.js';
import { theme } from './colours.js';
import { card, picture } from './picture.js';
import { set, state, watch } from './state.js';
import { table } from './table.js';

function histogram(model) {
	const values = model.ranks.map(r => r.peak);
	const lo = values.reduce((a, v) => Math.min(a, v), Infinity);
	const hi = values.reduce((a, v) => Math.max(a, v), 0);
	const n = Math.max(1, Math.min(40, Math.ceil(Math.sqrt(values.length) * 2)));
	const bins = Array.from({ length: n }, () => 0);
	const of = v => hi > lo ? Math.min(n - 1, Math.floor((v - lo) / (hi - lo) * n))
		: 0;
	values.forEach(v => bins[of(v)]++);
	const most = Math.max(...bins), base = 92;
	const pic = picture({ view: 'histogram', height: () => 120,
		label: 'How many ranks have which peak: from ' + bytes(lo) + ' to ' +
			bytes(hi),
		draw: (pen, w) => {
			const t = theme(), each = w / n;
			const mine = of(model.peakOf(state.rank));
			bins.forEach((v, i) => v && pen.rect(i * each + 1,
				base - v / most * 80, Math.max(1, each - 2), v / most * 80,
				i === mine ? t.accent : t.data));
			pen.line([[0, base + .5], [w, base + .5]], t.line);
			pen.text(0, base + 18, bytes(lo), t.soft, { size: 11.5 });
			pen.text(w, base + 18, bytes(hi), t.soft, { size: 11.5,
				align: 'right' });
		},
		find: x => {
			const i = Math.floor(x / pic.host.clientWidth * n);
			return bins[i] ? { i } : null;
		},
		over: (b, e) => showTip(e.clientX, e.clientY,
			h('strong', {}, count(bins[b.i]) + ' ranks'),
			bytes(lo + (hi - lo) * b.i / n) + ' to ' +
				bytes(lo + (hi - lo) * (b.i + 1) / n)) });
	return pic;
}

export function ranks(model) {
	const rows = model.ranks.map((r, i) => i), get = k => i => model.ranks[i][k];
	const columns = [
		{ key: 'rank', label: 'Rank', kind: 'count', exact: true,
			get: get('rank'),
			show: v => String(v) },
		{ key: 'peak', label: 'Peak', kind: 'bytes', get: get('peak'), bar: true },
		{ key: 'at', label: 'At', kind: 'ns', get: get('at') },
		...model.rankColumns,
		{ key: 'node', label: 'Node', kind: 'text', get: get('node') },
	];
	const list = table({ view: 'ranks', label: 'All ranks', columns, rows,
		sort: 'peak', pick: i => set({ rank: model.ranks[i].rank,
			moment: model.peakMoment(model.ranks[i].rank) }),
		chosen: () => model.ranks.findIndex(r => r.rank === state.rank) });
	const pic = histogram(model);
	const box = card({ id: 'ranks', title: 'All ranks',
		options: '--imbalance', entries: list.entries.concat(pic.entries) });
	watch((s, changed) => {
		if (changed.has('rank')) {
			list.paint();
			pic.redraw();
		}
	});
	box.note(model.spread);
	box.body.append(pic.host, list.host);
	if (model.ranks.length < 3)
		pic.host.remove();
	box.repaint = pic.paint;
	return box;
}

export function nodes(model) {
	const get = k => i => model.nodes[i][k];
	const list = table({ view: 'nodes', label: 'Nodes', sort: 'peak',
		rows: model.nodes.map((n, i) => i), columns: [
			{ key: 'name', label: 'Node', kind: 'text', get: get('name') },
			...model.nodeColumns ] });
	const box = card({ id: 'nodes', title: 'Nodes',
		options: '--imbalance', entries: list.entries });
	box.note(model.limit ? 'A node has ' + bytes(model.limit) +
		'; the worst needs ' + share(Math.max(...model.nodes.map(n => n.ask)),
		model.limit) + ' of it, with ' + model.data.run.ask.margin_percent +
		' % more.' : 'Peak: the highest of its ranks together ' +
		'at one time.');
	box.body.append(list.host);
	return box;
}
