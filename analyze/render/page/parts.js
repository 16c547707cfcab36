// SPDX-License-Identifier: Apache-2.0
import { bytes, count, share } from './format.js';

const WRAPPER = 1, FOREIGN = 2, THREAD = 4;

export function pathsOf(p) {
	const list = p.nodes, n = list.length, kept = new Map();
	const name = list.map(f => f.name), parent = list.map(f => f.parent);
	const label = i => name[i] >= 0 ? p.names[name[i]]
		: name[i] === -1 ? 'all' : '(' + count(list[i].merged) +
			' small frames)';
	const object = i => name[i] >= 0 && p.objects[name[i]];
	const place = i => {
		const f = list[i], file = f.file >= 0 ? p.files[f.file] : null;
		const where = file ? file + (f.line ? ':' + f.line : '') : '';
		return where || (object(i) ? '[' + object(i) + ']' : '');
	};
	const isMpi = i => /^P?MPI_|libmpi/.test(label(i) + ' ' +
		(object(i) || ''));
	// A moment is the sum of changes; a few moments are kept.
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
	return { n, placed: list.some((_, i) => place(i)), parent, key: name,
		label, place, at,
		merged: list.reduce((sum, f) => sum + f.merged, 0),
		wrapper: list.map(f => (f.flags & WRAPPER) !== 0),
		threadRoot: list.map(f => (f.flags & THREAD) !== 0),
		kind: i => name[i] < 0 ? 3 : isMpi(i) ? 2
			: list[i].flags & FOREIGN ? 1 : 0 };
}

const any = (list, key) => list.some(r => r[key]);
const column = (key, label, kind = 'bytes') => ({ key, label, kind });

// The bytes of sites at moment @i: of call paths that end in nodes with one name.
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

// Likewise, with the change since moment @before.
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

function siteFacts(m, list) {
	const out = new Map();
	for (const s of list)
		if (s.function !== null && s.function !== undefined &&
				!out.has(s.function))
			out.set(s.function, { peak: s.bytes, end: s.end_bytes,
				blocks: s.blocks, trend: s.trend,
				mean: Math.round(s.sum_bytes / m.ranks.length) });
	return out;
}

// The site of never freed blocks, by function and file, as in `sites`.
const place = s => s.name + '\n' + (s.file ?? '');

export function columnsOf(m) {
	const d = m.data, of = (list, columns) => columns.filter(c =>
		any(list, c.key));
	const list = d.sites.map(s => Object.assign(s, { trend: s.trend.length
		? s.trend : null }));
	const trends = new Map(list.map(s => [place(s), s.trend]));
	const cut = m.moments.some(k => k.kind === 'death' && k.rank === m.home);
	// Values of killed ranks were sampled, so they are lower bounds.
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
		siteColumns: [column('peak', 'At the peak'),
			column('mean', 'Mean of ranks'),
			column('blocks', 'Blocks at the peak', 'count'),
			column('end', cut ? 'Held at death' : 'At the end')],
		trended: list.some(s => s.trend),
		leaks: !known ? [] : [...known.sites, ...(known.held_sites || [])].map(
			l => Object.assign({}, l, { place: l.file
				? l.file + (l.line ? ':' + l.line : '') : '',
			trend: trends.get(place(l)),
			what: l.handles ? count(l.handles) + ' of ' + l.made_by : '',
			whose: l.held ? 'held at death' : l.runtime || 'program' })),
		leaksTitle: 'Never freed',
		handlesKnown: !known || known.handles_known !== false,
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
	const p = d.imbalance.percentiles;
	more.spread = 'Half of the ranks lie between ' + bytes(p['25']) +
		' and ' + bytes(p['75']) + '. The mean is ' + bytes(m.mean) + '.';
	more.merged = m.paths.merged ? 'Small frames are put together as ' +
		'\u201csmall frames\u201d: ' + count(m.paths.merged) + ' of them.' : '';
	more.tiles = tilesOf(m);
	return more;
}

const timesMean = ratio => ratio > 2
	? { value: ratio.toFixed(1), unit: '\u00d7', note: 'the mean' }
	: { value: (100 * (ratio - 1)).toFixed(1), unit: '%',
		note: 'above the mean' };

// The number of lost handles that have no memory, in words.
function handlesOf(known) {
	const lost = known.sites.reduce((n, l) => n + (l.runtime || l.bytes ? 0
		: l.handles || 0), 0);
	return lost ? 'and ' + count(lost) + (lost === 1 ? ' handle' : ' handles')
		: known.handles_known === false ? 'handles of MPI not looked at' : '';
}

function tilesOf(m) {
	const d = m.data, out = [];
	const worst = m.ranks.find(r => r.rank === m.worst);
	const add = (key, label, value, note, view) => {
		if (value !== null && value !== undefined)
			out.push({ key, label, bytes: value, note, view });
	};
	const most = key => m.ranks.reduce((a, r) =>
		r[key] > (a ? a[key] : 0) ? r : a, null);
	const ask = d.run.ask;
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
		view: 'why' }));
	const own = d.reports.never_freed && d.reports.never_freed.program;
	const left = held => m.ranks.reduce((sum, r) => sum +
		(r.held || !held ? r.unfreed : 0), 0);
	if (d.static)
		add('static', 'Static', d.static.bytes, worst ? share(d.static.bytes,
			d.static.bytes + worst.peak) + ' of rank ' + m.worst : '',
		'static');
	if (left(true))
		add('held', 'Held at death', left(true), 'all ranks', 'leaks');
	else if (own)
		add('unfreed', 'Leaked by the program', own.bytes, !own.bytes
			? handlesOf(d.reports.never_freed)
			: (own.max_rank === null ? '' : own.ranks > 1 ? count(own.ranks) +
				' ranks, most in rank ' + own.max_rank : 'rank ' +
				own.max_rank) + (own.growth === 'unknown' ? ', growth unknown'
				: ', ' + own.growth),
		'leaks');
	else
		add('unfreed', 'Never freed', left(false), 'all ranks', 'leaks');
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
	const tool = d.tool.resident_bytes || d.tool.memory_bytes;
	if (tool)
		add('tool', 'The tool itself', tool, 'per rank', 'layers');
	if (out[0])
		out[0].first = true;
	return out;
}
