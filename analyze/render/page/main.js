// SPDX-License-Identifier: Apache-2.0
// The page of wm-analyze --html: reads its data and builds the views.
import { h } from './dom.js';
import { load } from './data.js';
import { nameFiles } from './picture.js';
import { begin, set, state } from './state.js';
import { head, tiles } from './head.js';
import { momentBar } from './moments.js';
import { curve } from './curve.js';
import { heatmap } from './heatmap.js';
import { flame } from './flame.js';
import { leaks, notes, sites } from './sites.js';
import { nodes, ranks } from './ranks.js';
import { layers } from './layers.js';
import { goTo, putTheme, run, startViews } from './shell.js';
import { sizes } from './sizes.js';
import { treemap } from './treemap.js';
import { others } from './plain.js';
import { allLists, reports, why } from './reports.js';

function check(model) {
	return s => {
		const m = model.moments;
		if (!m[s.moment])
			s.moment = model.start;
		if (s.versus !== undefined && !m[s.versus])
			s.versus = undefined;
		if (!model.hasRank(s.rank))
			s.rank = model.home;
		if (s.by !== 'ranks' && !model.stacks.some(k => k.by === s.by))
			s.by = 'ranks';
		if (!(s.from < s.to))
			s.from = s.to = undefined;
		return s;
	};
}

function views(model) {
	const d = model.data, all = [];
	const add = (box, part) => {
		all.push(box);
		part.append(box);
	};
	const top = h('div'), pair = h('div', { class: 'pair' });
	const low = h('div'), left = h('div', { class: 'column' });
	const right = h('div', { class: 'column' });
	add(curve(model), top);
	const picture = flame(model);
	if (model.heat.rows.length > 1)
		add(heatmap(model), pair);
	add(picture, pair);
	add(sites(model, picture), low);
	if (model.ranks.length > 1)
		add(ranks(model), left);
	if (model.nodes.length)
		add(nodes(model), left);
	add(layers(model), left);
	if (model.ranks.length > 1)
		add(why(model), right);
	if (d.reports.never_freed)
		add(leaks(model), right);
	if (d.reports.sizes?.length)
		add(sizes(model), left);
	if (d.sections)
		add(treemap(model), right);
	const rest = h('div', { class: 'pair even' }, ...[left, right].filter(c =>
		c.firstChild));
	const more = h('div');
	if (allLists(model).length)
		add(reports(model), more);
	more.append(...others(['summary', 'tree', 'timeline', 'imbalance']));
	return { all, main: h('main', {}, top, pair, low, rest, more) };
}

function keys(model) {
	addEventListener('keydown', e => {
		if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || e.ctrlKey ||
				e.metaKey || e.altKey)
			return;
		const order = model.orderOf(state.moment);
		if (e.key === '[' || e.key === ']') {
			const to = order.indexOf(state.moment) +
				(e.key === ']' ? 1 : -1);
			if (order[to] !== undefined)
				set({ moment: order[to] });
		} else if (e.key === '/') {
			e.preventDefault();
			document.querySelector('#view-flame input').focus();
		}
	});
}

function go(model, tile) {
	if (tile.key === 'worst')
		set({ rank: model.worst, moment: model.peakMoment(model.worst) });
	goTo(tile.view, 'curve', matchMedia('(prefers-reduced-motion: reduce)').matches
		? 'auto' : 'smooth');
}

// Off by default if it would flatten the other lines.
function fits(model) {
	const r = model.residentOf(model.home);
	return r !== null && r.most <= 3 * model.peakOf(model.home);
}

function build(model) {
	nameFiles(model.run, model.data.rank, model.worst);
	begin({ moment: model.start, rank: model.home, by: 'ranks', theme: 'auto',
		resident: fits(model), inverted: false, wrappers: true, threads: true, least: 0,
		order: 'rank' }, check(model));
	putTheme();
	const { all, main } = views(model);
	document.body.prepend(h('div', { id: 'page' }, head(model),
		tiles(model.tiles, t => go(model, t)), momentBar(model), main,
		notes(model)));
	startViews(all);
	keys(model);
}

run(load(), build);
