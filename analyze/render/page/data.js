// SPDX-License-Identifier: Apache-2.0
// The block of data in the page, inflated, and what views ask of it.  Its keys
// are told in docs/page-data.md.
import { base, bytes, count, ns } from './format.js';
import { columnsOf, pathsOf, rows } from './parts.js';
import { unpack } from './unpack.js';

export async function load() {
	const data = await unpack('wmtools.page/1');
	return data && model(bareNames(data));
}

// Names of functions as texts have them: without the parameters where no other
// one differs in them alone, so that a place stands behind the name.
function bareNames(d) {
	const of = new Map();
	d.paths.names.forEach((n, i) => {
		if (d.paths.bare[i])
			of.set(n, d.paths.bare[i]);
	});
	const walk = v => {
		if (typeof v === 'string')
			return of.get(v) ?? v;
		if (v && typeof v === 'object' && typeof v[0] !== 'number')
			for (const k of Object.keys(v))
				v[k] = walk(v[k]);
		return v;
	};
	if (of.size)
		for (const k of ['paths', 'sites', 'stacks', 'difference', 'reports',
			'failed_requests'])
			d[k] = walk(d[k]);
	return d;
}

const KINDS = { peak: 'peak', end: 'end', death: 'held at death',
	snapshot: 'snapshot', phase: 'highest of', step: 'in between',
	at: 'the time asked for', sum_of_peaks: 'all ranks, each at its peak',
	sum_of_ends: 'all ranks, each at its end' };

function momentsOf(d, home) {
	const span = d.run.duration_ns;
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

/*
 * All curves on one axis of times: the points of the first line, so that it is
 * drawn to the byte, and columns of the common axis where it does not reach.
 * Each time stands for [from, to); a value there is the highest in it.  @own:
 * the bin of the line.
 */
function axisOf(d) {
	const l = d.lines[0], bin = d.curves.bin_ns, out = [];
	const parts = l ? Math.round(l.bin_ns / l.point_ns) : 1;
	const first = l ? l.start_ns : Infinity;
	const last = l ? l.start_ns + l.max.length * l.bin_ns : -Infinity;
	const column = i => out.push({ from: i * bin, to: (i + 1) * bin,
		middle: (i + .5) * bin, own: -1 });
	let i = 0;
	for (; i < d.curves.columns && (i + .5) * bin < first; i++)
		column(i);
	if (l)
		for (let k = 0; k < l.points.length; k++)
			out.push({ from: first + k * l.point_ns,
				to: first + (k + 1) * l.point_ns,
				middle: first + (k + .5) * l.point_ns,
				own: Math.floor(k / parts) });
	for (; i < d.curves.columns; i++)
		if ((i + .5) * bin > last)
			column(i);
	return out;
}

// The highest of @values, whose bins begin at @start, within each of @axis
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

// Resident memory of a line: its samples, each in the place of @axis that it
// falls into; null: nobody told
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

const STACKS = { site: 'Sites', library: 'Libraries', thread: 'Threads',
	phase: 'Phases', name: 'Names' };

function stacksOf(d, axis) {
	return (d.stacks || []).filter(s => s.names.length).map(s => ({ by: s.by,
		label: STACKS[s.by] || s.by, rank: d.lines[0].rank, others: s.others,
		rest: s.others ? s.names.length - 1 : -1,
		names: s.names.map((n, i) => n === null ? s.by === 'name'
			? 'without a name' : 'outside of phases'
			: n + (s.lines && s.lines[i] && s.files[i]
				? '  ' + base(s.files[i]) + ':' + s.lines[i] : '')),
		values: s.values.map(v => axis.map(a => a.own < 0 ? 0
			: v[a.own])) }));
}

function heatOf(d, list) {
	const h = d.heat, row = new Map(), node = new Map();
	list.forEach(r => node.set(r.rank, r));
	let at = 0;
	const of = h.row_rank.map((rank, i) => {
		const n = h.row_ranks[i];
		let peak = 0;
		for (let k = 0; k < n && at < list.length; k++, at++) {
			row.set(list[at].rank, i);
			peak = Math.max(peak, list[at].peak);
		}
		const last = list[at - 1] ? list[at - 1].rank : rank;
		return { rank, values: h.cells[i], peak,
			node: node.get(rank) ? node.get(rank).node : '',
			short: String(rank), label: n > 1
				? 'the highest of ranks ' + rank + ' to ' + last
				: 'rank ' + rank };
	});
	const merged = of.length < list.length;
	return { cols: h.columns, bin: h.bin_ns, most: h.high, rows: of,
		rowOf: rank => row.get(rank) ?? 0,
		note: (merged ? count(list.length) + ' ranks in ' + of.length +
			' rows, each the highest of its ranks. '
			: count(list.length) + ' ranks. ') +
			'A click chooses rank and moment.' };
}

function ranksOf(d) {
	return rows(d.ranks).map(r => Object.assign(r, { peak: r.high_water,
		at: r.at_ns, node: d.nodes && d.nodes.name[r.node] || '' }));
}

const date = t => t ? new Date(t / 1e6).toISOString().replace('T', ' ')
	.slice(0, 16) + ' UTC' : null;

function runOf(d) {
	const r = d.run, hosts = r.hosts || [];
	const facts = [['Run', r.id], ['Started', date(r.start_ns)],
		['Lasted', ns(r.duration_ns)],
		['Ranks', count(r.ranks) + ' on ' + count(r.nodes) + (r.nodes === 1
			? ' node' : ' nodes')],
		['Hosts', hosts.slice(0, 4).join(', ') + (hosts.length > 4
			? ' \u2026' : '')], ['Launcher', r.launcher === 'none' ? '' : r.launcher],
		['Job', r.batch && r.batch.job + ' of ' + r.batch.system],
		['Program', r.exe], ['Build-id', r.build_id],
		['Traced with', r.tool_version && 'wmtools ' + r.tool_version]];
	return Object.assign({}, r, { version: d.version,
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
	const list = ranksOf(d), worst = d.worst, line = d.lines[0];
	const home = line ? line.rank : worst;
	const axis = axisOf(d), bin = d.curves.bin_ns, heat = heatOf(d, list);
	const moments = momentsOf(d, home), paths = pathsOf(d.paths);
	const mean = list.reduce((s, r) => s + r.peak, 0) / (list.length || 1);
	const curve = { t: axis.map(a => a.middle / 1e9) };
	for (const p of ['p0', 'p25', 'p50', 'p75', 'p100'])
		curve[p] = onColumns(axis, d.curves[p], bin);
	const lineOf = rank => {
		const own = d.lines.find(l => l.rank === rank);
		if (own)
			return { label: 'rank ' + rank, values: onAxis(axis,
				own.points ?? own.max, own.start_ns,
				own.point_ns ?? own.bin_ns) };
		const r = heat.rows[heat.rowOf(rank)];
		return { label: r.label, values: onAxis(axis, r.values, 0, bin) };
	};
	curve.worst = worst === null ? [] : lineOf(worst).values;
	const stacks = stacksOf(d, axis), span = Math.max(1, d.run.duration_ns);
	const sites = stacks.find(s => s.by === 'site');
	const byTime = moments.map((m, i) => i).sort((a, b) =>
		moments[a].time - moments[b].time || a - b);
	const first = moments.findIndex(m => m.kind === 'peak' && m.rank === home);
	const m = { data: d, run: runOf(d), ranks: list, worst, home, mean, axis,
		moments, byTime, curve, stacks, heat, paths, span,
		phases: rows(d.phases).map(p => ({ name: d.phase_names[p.phase] ??
			'', begin: p.begin_ns, end: p.end_ns })).filter(p => p.name),
		limit: d.node_memory, maxRank: list.reduce((a, r) =>
			Math.max(a, r.rank), 0),
		start: first < 0 ? 0 : first, peak: d.heat.high,
		rowOf: lineOf, bytesAt: i => paths.at(i),
		residentOf: rank => residentOf(d.lines.find(l => l.rank === rank),
			axis),
		hasRank: rank => list.some(r => r.rank === rank),
		peakOf: rank => (list.find(r => r.rank === rank) || { peak: 0 }).peak,
		nodes: rows(d.nodes), bounds: d.bounds || [],
		warnings: warningsOf(d), lead: leadOf(d, list, worst, mean) };
	// Those of the rank of moment i, that keys go through
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
