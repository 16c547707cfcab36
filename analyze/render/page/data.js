// SPDX-License-Identifier: Apache-2.0
// The data of the page in the form that views need. docs/page-data.md has the keys.
import { base, bytes, count, ns } from './format.js';
import { columnsOf, pathsOf } from './parts.js';
import { unpack } from './unpack.js';

export async function load() {
	const data = await unpack('wmtools.page/1', ['paths', 'sites', 'stacks',
		'imbalance', 'reports', 'failed_requests']);
	return data && model(data);
}

const KINDS = { peak: 'peak', end: 'end', death: 'held at death',
	snapshot: 'snapshot', phase: 'highest of', step: 'in between',
	at: 'the time asked for', sum_of_peaks: 'all ranks, each at its peak',
	sum_of_ends: 'all ranks, each at its end' };

function momentsOf(d, home, span) {
	return d.moments.map(m => {
		const of = m.rank === null || m.rank === home ? ''
			: ' of rank ' + m.rank;
		const word = m.kind === 'phase' ? 'highest of ' + m.label
			: (KINDS[m.kind] || m.kind) + (m.label ? ' \u201c' + m.label +
				'\u201d' : '');
		return { kind: m.kind, rank: m.rank, bytes: m.bytes,
			label: word + of, all: m.rank === null,
			time: m.time_ns ?? span, timed: m.time_ns !== null,
			from: m.from_ns, to: m.to_ns };
	});
}

/* The common axis of all curves: the points of the first line, which is drawn
 * exactly, and before and after it columns of the heat map.  An element is the
 * interval [from, to), with the highest value in it. own: the bin of the
 * line. */
function axisOf(l, columns, bin) {
	const out = [], parts = Math.round(l.bin_ns / l.point_ns);
	const first = l.start_ns, last = first + l.max.length * l.bin_ns;
	const column = i => out.push({ from: i * bin, to: (i + 1) * bin,
		middle: (i + .5) * bin, own: -1 });
	let i = 0;
	for (; i < columns && (i + .5) * bin < first; i++)
		column(i);
	for (let k = 0; k < l.points.length; k++)
		out.push({ from: first + k * l.point_ns,
			to: first + (k + 1) * l.point_ns,
			middle: first + (k + .5) * l.point_ns,
			own: Math.floor(k / parts) });
	for (; i < columns; i++)
		if ((i + .5) * bin > last)
			column(i);
	return out;
}

// The highest of @values, whose bins begin at @start, in each element of @axis.
function onAxis(axis, values, start, bin) {
	return axis.map(a => {
		let most = null;
		const from = Math.max(0, Math.floor((a.from - start) / bin + 1e-6));
		const to = Math.min(values.length,
			Math.ceil((a.to - start) / bin - 1e-6));
		for (let i = from; i < to; i++)
			if (values[i] !== null && (most === null || values[i] > most))
				most = values[i];
		return most;
	});
}

// The samples of a line's resident memory in their intervals of @axis; null: unknown.
function residentOf(line, axis) {
	if (!line || !line.rss_bytes.length)
		return null;
	const values = axis.map(() => null);
	let at = 0;
	line.rss_ns.forEach((t, i) => {
		while (at < axis.length - 1 && t >= axis[at].to)
			at++;
		values[at] = Math.max(values[at] ?? 0, line.rss_bytes[i]);
	});
	return { rank: line.rank, values,
		most: Math.max(...line.rss_bytes) };
}

const onColumns = (axis, values, bin) => axis.map(a =>
	values[Math.min(values.length - 1, Math.max(0,
		Math.floor(a.middle / bin)))] ?? null);

function stacksOf(d, axis, rank) {
	return d.stacks.filter(s => s.layers.length).map(s => ({ by: s.by,
		label: s.by.replace(/^./, c => c.toUpperCase()), rank,
		others: s.others, rest: s.others ? s.layers.length - 1 : -1,
		names: s.layers.map(l => l.name === null ? s.by === 'names'
			? 'without a name' : 'outside of phases'
			: l.name + (l.line && l.file ? '  ' + base(l.file) + ':' +
				l.line : '')),
		values: s.layers.map(l => axis.map(a => a.own < 0 ? 0
			: l.bytes[a.own])) }));
}

function heatOf(h, list) {
	const row = new Map(), node = new Map();
	list.forEach(r => node.set(r.rank, r));
	let at = 0, most = 0;
	const of = h.rows.map(({ rank, ranks: n, max_bytes: values }, i) => {
		let peak = 0;
		for (let k = 0; k < n && at < list.length; k++, at++) {
			row.set(list[at].rank, i);
			peak = Math.max(peak, list[at].peak);
		}
		const last = list[at - 1] ? list[at - 1].rank : rank;
		most = values.reduce((a, v) => Math.max(a, v), most);
		return { rank, values, peak,
			node: node.get(rank) ? node.get(rank).node : '',
			short: String(rank), label: n > 1
				? 'the highest of ranks ' + rank + ' to ' + last
				: 'rank ' + rank };
	});
	const merged = of.length < list.length;
	return { cols: h.over_ranks.length, bin: h.bin_s * 1e9, most, rows: of,
		rowOf: rank => row.get(rank) ?? 0,
		note: (merged ? count(list.length) + ' ranks in ' + of.length +
			' rows, each the highest of its ranks. '
			: count(list.length) + ' ranks. ') +
			'A click chooses rank and moment.' };
}

// Ranks with the keys of the columns of views.
function ranksOf(d) {
	return d.ranks.map(r => Object.assign(r, { peak: r.peak_bytes,
		at: r.peak_time_s * 1e9, static: r.static_bytes,
		unfreed: r.unfreed_bytes, resident: r.peak_rss_bytes,
		footprint: r.footprint_peak_bytes,
		working_set: r.working_set_bytes }));
}

const nodesOf = d => d.imbalance.nodes.map(n => ({ name: n.node,
	ranks: n.ranks, peak: n.peak_bytes, sum_of_peaks: n.sum_of_peaks,
	static: n.static_bytes, allocator: n.allocator_bytes,
	resident: n.resident_bytes, working_set: n.working_set_bytes,
	ask: n.ask_bytes }));

const linesOf = d => d.timeline.map(l => ({ rank: l.rank, max: l.max_bytes,
	start_ns: Math.round(l.start_s * 1e9), bin_ns: l.bin_s * 1e9,
	points: l.point_bytes, point_ns: l.point_s * 1e9,
	rss_ns: l.rss_time_s.map(t => t * 1e9), rss_bytes: l.rss_bytes }));

const date = t => t ? t.replace('T', ' ').slice(0, 16) + ' UTC' : null;

function runOf(d) {
	const r = d.run, hosts = r.hosts || [];
	const facts = [['Run', r.id], ['Started', date(r.started)],
		['Lasted', ns(r.duration_s * 1e9)],
		['Ranks', count(r.ranks) + ' on ' + count(r.nodes) + (r.nodes === 1
			? ' node' : ' nodes')],
		['Hosts', hosts.slice(0, 4).join(', ') + (hosts.length > 4
			? ' \u2026' : '')], ['Launcher', r.launcher === 'none' ? '' : r.launcher],
		['Job', r.batch && r.batch.job + ' of ' + r.batch.system],
		['Program', r.exe], ['Build-id', r.build_id],
		['Traced with', r.tool_version && 'wmtools ' + r.tool_version]];
	return Object.assign({}, r, { version: d.version, directory: d.directory,
		facts: facts.filter(f => f[1]).map(f => [f[0], String(f[1])]) });
}

function failedOf(d) {
	return (d.failed_requests || []).filter(f => f.runtime === null).map(f =>
		'A request for ' + bytes(f.bytes) + ' failed in ' + f.path.split(';')
			.reverse().slice(0, 4).join(' < ') + (f.file ? ' (' + f.file
			.split('/').pop() + ':' + f.line + ')' : '') + ', at ' +
		ns(f.time_s * 1e9) + ' of rank ' + f.rank + ', when ' +
		bytes(f.live_bytes) + ' were live' + (f.holder ? ', of them ' +
		bytes(f.holder_bytes) + ' in ' + f.holder : '') + '.');
}

function warningsOf(d) {
	const notes = [...failedOf(d), ...(d.run.notes || []).map(String)];
	return d.run.complete === false ? ['The traces of this run are not ' +
		'complete: numbers are of what could be read.', ...notes] : notes;
}

function leadOf(d, list, worst, mean) {
	const w = list.find(r => r.rank === worst);
	if (!w)
		return 'No rank could be read.';
	if (list.length === 1)
		return 'The highest demand is ' + bytes(w.peak) + ', at ' + ns(w.at) +
			'.';
	const over = mean > 0 ? (w.peak / mean - 1) * 100 : 0;
	if (over > 100)
		return 'Rank ' + worst + ' requested most: ' + bytes(w.peak) + ' at ' +
			ns(w.at) + ', ' + (w.peak / mean).toFixed(1) +
			' times the mean.';
	return 'Rank ' + worst + ' requested most: ' + bytes(w.peak) + ' at ' +
		ns(w.at) + (over < .05 ? ', as much as the mean.'
		: ', ' + over.toFixed(over < 10 ? 1 : 0) +
			' % more than the mean.');
}

export function model(d) {
	const list = ranksOf(d), worst = d.heap.peak.max_rank, lines = linesOf(d);
	const home = lines[0].rank, span = Math.max(1, d.run.duration_s * 1e9);
	const heat = heatOf(d.imbalance.heatmap, list), bin = heat.bin;
	const axis = axisOf(lines[0], heat.cols, bin);
	const moments = momentsOf(d, home, span), paths = pathsOf(d.paths);
	const mean = list.reduce((s, r) => s + r.peak, 0) / (list.length || 1);
	const curve = { t: axis.map(a => a.middle / 1e9) };
	for (const p of ['p0', 'p25', 'p50', 'p75', 'p100'])
		curve[p] = onColumns(axis, d.imbalance.heatmap.over_ranks.map(c =>
			c[p]), bin);
	const lineOf = rank => {
		const own = lines.find(l => l.rank === rank);
		if (own)
			return { label: 'rank ' + rank, values: onAxis(axis,
				own.points ?? own.max, own.start_ns,
				own.points ? own.point_ns : own.bin_ns) };
		const r = heat.rows[heat.rowOf(rank)];
		return { label: r.label, values: onAxis(axis, r.values, 0, bin) };
	};
	curve.worst = lineOf(worst).values;
	const stacks = stacksOf(d, axis, home);
	const sites = stacks.find(s => s.by === 'sites');
	const byTime = moments.map((m, i) => i).sort((a, b) =>
		moments[a].time - moments[b].time || a - b);
	const first = moments.findIndex(m => m.kind === 'peak' && m.rank === home);
	const m = { data: d, run: runOf(d), ranks: list, worst, home, mean, axis,
		moments, byTime, curve, stacks, heat, paths, span,
		phases: (d.timeline[0].phases ?? []).filter(p => p.name).map(p => ({
			name: p.name, begin: p.start_s * 1e9, end: p.end_s * 1e9 })),
		limit: d.imbalance.node_memory_bytes, maxRank: list.reduce((a, r) =>
			Math.max(a, r.rank), 0),
		start: first < 0 ? 0 : first, peak: heat.most,
		rowOf: lineOf, bytesAt: i => paths.at(i),
		residentOf: rank => residentOf(lines.find(l => l.rank === rank), axis),
		hasRank: rank => list.some(r => r.rank === rank),
		peakOf: rank => (list.find(r => r.rank === rank) || { peak: 0 }).peak,
		nodes: nodesOf(d), bounds: d.bounds,
		warnings: warningsOf(d), lead: leadOf(d, list, worst, mean) };
	// The moments of the rank of moment i, in the order of the arrow keys.
	m.orderOf = i => byTime.filter(k => moments[k].all || moments[k].rank ===
		(moments[i].all ? home : moments[i].rank));
	m.nearest = (t, rank = home) => {
		const own = i => moments[i].timed && moments[i].rank === rank;
		let of = byTime.filter(own);
		if (!of.length)
			of = byTime.filter(i => moments[i].timed &&
				moments[i].rank === home);
		const far = i => moments[i].from !== null && t >= moments[i].from &&
			t < moments[i].to ? 0 : Math.abs(moments[i].time - t);
		return of.reduce((best, i) => far(i) < far(best) ? i : best, of[0] ?? 0);
	};
	m.peakMoment = rank => {
		const i = moments.findIndex(k => k.kind === 'peak' && k.rank === rank);
		const r = list.find(k => k.rank === rank);
		return i >= 0 ? i : m.nearest(r ? r.at : 0, rank);
	};
	m.phaseAt = t => {
		const p = m.phases.find(k => t >= k.begin && t < k.end);
		return p ? p.name : '';
	};
	m.sitesAt = i => !sites ? [] : sites.names.map((n, k) =>
		[n, sites.values[k][i]]).filter(p => p[1]).sort((a, b) =>
		b[1] - a[1]).slice(0, 3);
	return Object.assign(m, columnsOf(m));
}
