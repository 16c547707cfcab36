// SPDX-License-Identifier: Apache-2.0
// Parts of the data: columns become rows, changes become moments.
import { bytes, count, share } from './format.js';

// {a: [1, 2], b: [3, 4]} as [{a: 1, b: 3}, {a: 2, b: 4}]
export function rows(columns) {
	if (!columns)
		return [];
	const keys = Object.keys(columns).filter(k => Array.isArray(columns[k]));
	const n = keys.length ? columns[keys[0]].length : 0;
	return Array.from({ length: n }, (_, i) => {
		const row = {};
		for (const k of keys)
			row[k] = columns[k][i];
		return row;
	});
}

const WRAPPER = 1, FOREIGN = 2, THREAD = 4;

export function pathsOf(p) {
	const n = p.parent.length, kept = new Map();
	const label = i => p.name[i] >= 0 ? p.names[p.name[i]]
		: p.name[i] === -1 ? 'all' : '(' + count(p.merged[i]) +
			' small frames)';
	const object = i => p.name[i] >= 0 && p.objects && p.objects[p.name[i]];
	const place = i => {
		const file = p.file[i] >= 0 ? p.files[p.file[i]] : null;
		const where = file ? file + (p.line[i] ? ':' + p.line[i] : '') : '';
		return where || (object(i) ? '[' + object(i) + ']' : '');
	};
	const isMpi = i => /^P?MPI_|libmpi/.test(label(i) + ' ' +
		(object(i) || ''));
	// Moments are kept as sums of changes, a few of them at a time
	function at(moment) {
		if (kept.has(moment))
			return kept.get(moment);
		const self = new Float64Array(n);
		for (let k = 0; k <= moment && k < p.changes.length; k++) {
			const c = p.changes[k];
			let node = 0;
			for (let j = 0; j < c.node.length; j++) {
				node += c.node[j];
				self[node] = c.bytes[j];
			}
		}
		if (kept.size > 8)
			kept.delete(kept.keys().next().value);
		kept.set(moment, self);
		return self;
	}
	return { n, placed: p.parent.some((_, i) => place(i)), parent: p.parent, key: p.name, label, place, at,
		wrapper: p.flags.map(f => (f & WRAPPER) !== 0),
		threadRoot: p.flags.map(f => (f & THREAD) !== 0),
		kind: i => p.name[i] < 0 ? 3 : isMpi(i) ? 2
			: p.flags[i] & FOREIGN ? 1 : 0 };
}

const any = (list, key) => list.some(r => r[key]);
const column = (key, label, kind = 'bytes') => ({ key, label, kind });

// What sites hold at moment @i: bytes that end in nodes of one name
function sitesOf(m, i) {
	const self = m.bytesAt(i), by = new Map(), p = m.paths;
	const whole = m.moments[i].bytes;
	for (let k = 1; k < p.n; k++) {
		if (!self[k])
			continue;
		let s = by.get(p.key[k]);
		if (!s)
			by.set(p.key[k], s = { name: p.label(k), place: p.place(k),
				bytes: 0, most: 0 });
		s.bytes += self[k];
		if (self[k] > s.most) {
			s.most = self[k];
			s.place = p.place(k);
		}
	}
	const out = Array.from(by, ([key, s]) => Object.assign(s, { key,
		share: whole ? s.bytes / whole : null }, m.siteFacts.get(key)));
	return out.sort((a, b) => b.bytes - a.bytes);
}

// The same, and how much more than at moment @before
function changesOf(m, i, before) {
	const old = new Map(sitesOf(m, before).map(s => [s.key, s]));
	const out = sitesOf(m, i);
	for (const s of out) {
		const o = old.get(s.key);
		s.change = s.bytes - (o ? o.bytes : 0);
		old.delete(s.key);
	}
	for (const o of old.values())
		out.push(Object.assign(o, { change: -o.bytes, bytes: 0 }));
	return out;
}

// Rows of the data, each with its points over time
const sitesWithTrends = d => rows(d.sites).map((s, i) => Object.assign(s, {
	trend: d.trends && d.trends.values[i].length
		? d.trends.values[i] : null }));

function siteFacts(m, list) {
	const out = new Map();
	for (const s of list)
		if (s.function !== null && s.function !== undefined &&
				!out.has(s.function))
			out.set(s.function, { peak: s.bytes, end: s.end_bytes,
				blocks: s.blocks, trend: s.trend,
				mean: s.sum_bytes === undefined ||
					s.sum_bytes === null ? null
					: Math.round(s.sum_bytes / m.ranks.length) });
	return out;
}

// What never freed blocks are of, by function and file, as `sites` has it
const place = s => s.name + '\n' + (s.file ?? '');

export function columnsOf(m) {
	const d = m.data, of = (list, columns) => columns.filter(c =>
		any(list, c.key));
	const list = sitesWithTrends(d);
	const trends = new Map(list.map(s => [place(s), s.trend]));
	const cut = m.moments.some(k => k.kind === 'death' && k.rank === m.home);
	// What was looked at now and then, of ranks that were killed
	const bound = any(m.ranks, 'lower_bound') ? ' (killed: at least)' : '';
	const nodes = m.nodes, known = d.reports && d.reports.never_freed;
	const more = { siteFacts: siteFacts(m, list),
		rankColumns: of(m.ranks, [column('static', 'Static'),
			column('unfreed', 'At the end'), column('resident', 'Resident' +
				bound), column('footprint', 'Allocator' + bound),
			column('working_set', 'Working set'),
			column('events', 'Calls', 'count')]),
		nodeColumns: [column('ranks', 'Ranks', 'count'),
			Object.assign(column('peak', 'Peak'), { bar: true }),
			column('sum_of_peaks', 'Sum of peaks'),
			...of(nodes, [column('static', 'Static'),
				column('allocator', 'Allocator'),
				column('resident', 'Resident'),
				column('working_set', 'Working set')])].map(c =>
			Object.assign(c, { get: i => nodes[i][c.key] })),
		siteColumns: d.sites ? [column('peak', 'At the peak'),
			column('mean', 'Mean of ranks'),
			column('blocks', 'Blocks at the peak', 'count'),
			column('end', cut ? 'Held at death' : 'At the end')] : [],
		trended: list.some(s => s.trend),
		leaks: !known ? [] : [...known.sites, ...(known.held_sites || [])].map(
			l => Object.assign({}, l, { place: l.file
				? l.file + (l.line ? ':' + l.line : '') : '',
			trend: trends.get(place(l)),
			what: l.handles ? count(l.handles) + ' of ' + l.made_by : '',
			whose: l.held ? 'held at death' : l.runtime || 'program' })),
		leaksTitle: 'Never freed',
		leakColumns: [column('growth', 'Growth', 'text'),
			column('what', 'Handles', 'text'),
			column('blocks', 'Blocks', 'count'),
			column('ranks', 'Ranks', 'count'),
			column('max_rank', 'Worst rank', 'count')],
		keptColumns: [column('whose', 'Kept by', 'text'),
			column('blocks', 'Blocks', 'count')] };
	for (const c of more.rankColumns)
		c.get = i => m.ranks[i][c.key];
	if (more.leaks.some(l => l.held))
		more.leaksTitle = more.leaks.every(l => l.held) ? 'Held at death'
			: 'Never freed, and held at death';
	more.sitesOf = i => sitesOf(m, i);
	more.changesOf = (i, before) => changesOf(m, i, before);
	const p = d.summary && d.summary.percentiles;
	more.spread = (p ? 'Half of the ranks lie between ' + bytes(p['25']) +
		' and ' + bytes(p['75']) + '. ' : '') + 'The mean is ' +
		bytes(m.mean) + '.';
	more.merged = d.paths.merged.some(Boolean) ? 'Small frames are put ' +
		'together as \u201csmall frames\u201d: ' + count(d.paths.merged.reduce(
		(a, b) => a + b, 0)) + ' of them.' : '';
	more.tiles = tilesOf(m);
	return more;
}

const timesMean = ratio => ratio > 2
	? { value: ratio.toFixed(1), unit: '\u00d7', note: 'the mean' }
	: { value: (100 * (ratio - 1)).toFixed(1), unit: '%',
		note: 'above the mean' };

function tilesOf(m) {
	const s = m.data.summary || {}, out = [];
	const worst = m.ranks.find(r => r.rank === m.worst);
	const add = (key, label, value, note, view) => {
		if (value !== null && value !== undefined)
			out.push({ key, label, bytes: value, note, view });
	};
	const most = key => m.ranks.reduce((a, r) =>
		r[key] > (a ? a[key] : 0) ? r : a, null);
	const ask = m.data.run.ask;
	if (ask)
		add('ask', ask.lower_bound ? 'Ask for at least' : 'Ask for',
			ask.rank_mib * 1048576, ask.sentence.replace(
				/^Ask for (at least )?[\d.]+ \w+ /, ''), 'layers');
	if (worst)
		add('worst', 'Worst rank', worst.peak, 'rank ' + m.worst, 'curve');
	if (m.ranks.length > 1)
		add('mean', 'Mean', m.mean, count(m.ranks.length) + ' ranks', 'ranks');
	if (m.ranks.length > 1 && m.mean > 0)
		out.push(Object.assign(timesMean(worst.peak / m.mean), { key:
			'imbalance', label: 'Imbalance',
		view: m.data.difference ? 'why' : 'heat' }));
	const own = m.data.reports && m.data.reports.never_freed &&
		m.data.reports.never_freed.program;
	const end = s.unfreed && (s.unfreed.bytes || 0);
	if (s.static)
		add('static', 'Static', s.static.bytes, worst ? share(s.static.bytes,
			s.static.bytes + worst.peak) + ' of rank ' + m.worst : '',
		'static');
	if (s.unfreed && s.unfreed.held_bytes)
		add('held', 'Held at death', s.unfreed.held_bytes, 'all ranks', 'leaks');
	else if (own)
		add('unfreed', 'Leaked by the program', own.bytes, !own.bytes ? ''
			: (own.max_rank === null ? '' : own.ranks > 1 ? count(own.ranks) +
				' ranks, most in rank ' + own.max_rank : 'rank ' +
				own.max_rank) + (own.growth === 'unknown' ? ', growth unknown'
				: ', ' + own.growth),
		'leaks');
	else
		add('unfreed', 'Never freed', end, 'all ranks', 'leaks');
	const size = m.limit ? 'ask' : 'peak';
	const node = m.nodes.reduce((a, n) => n[size] > (a ? a[size] : -1) ? n : a,
		null);
	if (node)
		add('node', m.limit ? 'A node needs' : 'Worst node', node[size], m.limit
			? share(node.ask, m.limit) + ' of its memory'
			: node.name, 'nodes');
	const rss = most('resident'), work = most('working_set');
	if (rss)
		add('resident', rss.lower_bound ? 'Resident at least' : 'Resident', rss.resident, 'rank ' + rss.rank, 'layers');
	if (work)
		add('working', 'Working set', work.working_set, 'rank ' + work.rank,
			'ranks');
	const tool = s.tool && (s.tool.resident_bytes || s.tool.memory_bytes);
	if (tool)
		add('tool', 'The tool itself', tool, 'per rank', 'layers');
	if (out[0])
		out[0].first = true;
	return out;
}
