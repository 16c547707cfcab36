// SPDX-License-Identifier: Apache-2.0
// Memory over time: the range of the ranks, the worst and the chosen one; or the layers
// of one rank's memory.  Drawn by uPlot.
import uPlot from 'uplot';
import { box as checkbox, choice, fill, h, hideTip, showTip } from './dom.js';
import { bytes, ns, seconds } from './format.js';
import { kind, theme } from './colours.js';
import { saveCurve } from './picture.js';
import { axes, plotCard, pointed, sizeOf } from './plot.js';
import { set, state, watch } from './state.js';

const alpha = (colour, a) => colour.startsWith('#')
	? colour + Math.round(a * 255).toString(16).padStart(2, '0') : colour;

// Returns the content of the chart: {data, series, bands, legend}.
function ranksChart(model) {
	const c = model.curve, t = theme(), many = model.ranks.length > 8;
	const out = { data: [c.t], series: [{}], bands: [], legend: [], names: [] };
	const add = (values, name, colour, width, fillColour) => {
		out.data.push(values);
		out.names.push(name);
		out.series.push({ stroke: colour, width, fill: fillColour,
			points: { show: false } });
	};
	if (many) {
		add(c.p100, 'highest', 'transparent', 0);
		add(c.p75, 'upper quarter', 'transparent', 0);
		add(c.p25, 'lower quarter', 'transparent', 0);
		add(c.p0, 'lowest', 'transparent', 0);
		out.bands.push({ series: [1, 4], fill: alpha(t.data, .13) },
			{ series: [2, 3], fill: alpha(t.data, .2) });
		add(c.p50, 'median', alpha(t.data, .7), 1.2);
		out.legend.push(['all ranks', alpha(t.data, .16), 'area'],
			['the middle half', alpha(t.data, .36), 'area'],
			['median', alpha(t.data, .7)]);
	}
	if (!many && model.ranks.length > 1) {
		for (const r of model.ranks)
			if (r.rank !== model.worst && r.rank !== state.rank)
				add(model.rowOf(r.rank).values, 'rank ' + r.rank,
					alpha(t.data, .38), 1.2);
		out.legend.push(['the other ranks', alpha(t.data, .38)]);
	}
	add(c.worst, 'rank ' + model.worst, t.data, 2,
		many ? undefined : alpha(t.data, .1));
	out.legend.push(['rank ' + model.worst + (model.ranks.length > 1
		? ', the worst' : ''), t.data]);
	const row = state.rank !== model.worst && model.hasRank(state.rank) &&
		model.rowOf(state.rank);
	if (row) {
		add(row.values, row.label, t.accent, 2);
		out.legend.push([row.label, t.accent]);
	}
	return out;
}

function stackChart(model, stack) {
	const t = model.curve.t, out = { data: [t], series: [{}],
		bands: [], legend: [], names: [], raw: stack };
	const n = stack.names.length, sums = [];
	let sum = new Float64Array(t.length);
	for (let i = 0; i < n; i++) {
		sum = sum.map((v, j) => v + (stack.values[i][j] || 0));
		sums.push(Array.from(sum));
	}
	for (let i = n - 1; i >= 0; i--) {
		const colour = stack.rest === i ? theme().soft : kind(i);
		out.data.push(sums[i]);
		out.names.push(stack.names[i]);
		const weight = stack.rest === i ? .25 : .6;
		out.series.push({ stroke: colour, width: 1,
			fill: i ? undefined : alpha(colour, weight),
			points: { show: false } });
		if (i)
			out.bands.push({ series: [n - i, n - i + 1],
				fill: alpha(colour, weight) });
	}
	stack.names.forEach((name, i) => out.legend.push([name,
		stack.rest === i ? theme().soft : kind(i), 'area']));
	return out;
}

function addResident(out, model, rank) {
	const r = model.residentOf(rank);
	if (!r)
		return;
	out.data.push(r.values);
	out.names.push('resident');
	out.series.push({ stroke: theme().ink, width: 1.5, dash: [6, 4],
		spanGaps: true, points: { show: true, size: 5,
			fill: theme().ink } });
	out.legend.push(['rank ' + rank + ', resident (a dot is a sample)',
		theme().ink, 'dashed']);
	out.resident = r;
}

function marksPlugin(model) {
	const px = n => Math.round(n * devicePixelRatio);
	function phases(u, ctx, b) {
		let edge = -1e9;
		ctx.font = '500 ' + px(11.5) + 'px ' + theme().font;
		ctx.textBaseline = 'middle';
		ctx.textAlign = 'left';
		model.phases.forEach((p, i) => {
			const from = Math.max(b.left, u.valToPos(p.begin / 1e9, 'x', true));
			const to = Math.min(b.left + b.width,
				u.valToPos(p.end / 1e9, 'x', true));
			if (to <= from)
				return;
			ctx.fillStyle = alpha(theme().soft, i % 2 ? .2 : .12);
			ctx.fillRect(from, b.top - px(22), to - from - px(1), px(20));
			const room = to - from - px(12);
			ctx.fillStyle = theme().ink;
			let text = p.name;
			while (text.length > 2 && ctx.measureText(text).width > room)
				text = text.slice(0, Math.min(60, text.length - 2)) + '\u2026';
			if (ctx.measureText(text).width <= room && from > edge)
				ctx.fillText(text, from + px(6), b.top - px(11.5));
		});
	}
	function line(ctx, x, b, colour, dash, width) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = px(width);
		ctx.setLineDash(dash.map(px));
		ctx.beginPath();
		ctx.moveTo(x, b.top);
		ctx.lineTo(x, b.top + b.height);
		ctx.stroke();
		ctx.setLineDash([]);
	}
	function dot(u, ctx, m, r, colour, ring) {
		const x = u.valToPos(m.time / 1e9, 'x', true);
		const y = u.valToPos(m.bytes, 'y', true);
		ctx.beginPath();
		ctx.arc(x, y, px(r), 0, 2 * Math.PI);
		ctx.fillStyle = colour;
		ctx.fill();
		if (ring) {
			ctx.lineWidth = px(2);
			ctx.strokeStyle = ring;
			ctx.stroke();
		}
	}
	return { hooks: { draw: u => {
		const ctx = u.ctx, b = u.bbox, t = theme();
		ctx.save();
		phases(u, ctx, b);
		ctx.beginPath();
		ctx.rect(b.left, b.top - px(8), b.width, b.height + px(16));
		ctx.clip();
		if (model.limit && model.limit <= u.scales.y.max) {
			const y = u.valToPos(model.limit, 'y', true);
			ctx.fillStyle = t.ink;
			ctx.fillRect(b.left, y, b.width, px(1));
			ctx.font = px(11.5) + 'px ' + t.font;
			ctx.textAlign = 'right';
			ctx.fillText('limit of the node ' + bytes(model.limit),
				b.left + b.width - px(6), y - px(8));
			ctx.textAlign = 'left';
		}
		for (const m of model.moments)
			if (m.kind === 'snapshot')
				line(ctx, u.valToPos(m.time / 1e9, 'x', true), b,
					alpha(t.soft, .7), [2, 4], 1);
		const chosen = model.moments[state.moment];
		const other = model.moments[state.versus];
		if (other && other.timed)
			line(ctx, u.valToPos(other.time / 1e9, 'x', true), b,
				t.accent, [4, 4], 1.5);
		if (chosen.timed)
			line(ctx, u.valToPos(chosen.time / 1e9, 'x', true), b,
				t.accent, [], 1.5);
		for (const m of model.moments)
			if (m.timed && m.rank === model.home && m.kind !== 'step')
				dot(u, ctx, m, 3, t.card, t.soft);
		if (other && other.timed)
			dot(u, ctx, other, 4, t.card, t.accent);
		if (chosen.timed)
			dot(u, ctx, chosen, 5, t.accent, t.card);
		ctx.restore();
	} } };
}

export function curve(model) {
	const whole = h('button', { type: 'button', class: 'quiet', hidden: true,
		onclick: () => set({ from: undefined, to: undefined }) },
	'Whole run');
	const ways = [['ranks', 'Ranks']].concat(model.stacks.map(s =>
		[s.by, s.label]));
	const by = ways.length > 1 && choice('Curve of', ways,
		state.by, key => set({ by: key }));
	const resident = model.ranks.some(r => model.residentOf(r.rank)) &&
		checkbox('Resident', state.resident, on => set({ resident: on }));
	const { box, plot, legend } = plotCard({
		options: () => '--timeline' + (state.by === 'ranks' ? ''
			: ' --by ' + state.by), tools: [whole, resident, by],
		chart: () => chart, make, saveSvg });
	let chart, what;

	// The chosen rank, if the page has its samples.
	const lineRank = () => model.residentOf(state.rank) ? state.rank
		: model.worst;
	const stackNow = () => model.stacks.find(s => s.by === state.by);

	function tip(u) {
		const at = pointed(u);
		if (!at)
			return;
		const i = at.i, t = u.data[0][i], phase = model.phaseAt(t * 1e9);
		const lines = [h('strong', {}, seconds(t) +
			(phase ? ' \u00b7 ' + phase : ''))];
		if (what.raw) {
			const top = what.raw.names.map((name, k) =>
				[name, what.raw.values[k][i] || 0])
				.sort((a, b) => b[1] - a[1]).slice(0, 4);
			lines.push(...top.map(([name, v]) => pair(name, v)));
			if (what.resident)
				lines.push(pair('resident', sample(i)));
		} else {
			what.names.forEach((name, k) => {
				if (!/quarter/.test(name))
					lines.push(pair(name, name === 'resident' ? sample(i)
						: u.data[k + 1][i]));
			});
			lines.push(...model.sitesAt(i).map(([name, v]) =>
				pair(name, v, 'fine')));
		}
		showTip(at.x, at.y, ...lines);
	}
	// The last sample up to column i.
	const sample = i => what.resident.values.slice(0, i + 1).findLast(v =>
		v !== null);
	const pair = (name, v, extra) => h('div', { class: 'pair-line ' +
		(extra || '') }, h('span', {}, name.slice(0, 70)), h('b', {}, bytes(v)));

	function options() {
		return { ...sizeOf(plot), series: what.series, bands: what.bands,
			legend: { show: false }, plugins: [marksPlugin(model)],
			padding: [model.phases.length ? 30 : 12, 12, 0, 0],
			cursor: { y: false, points: { show: false },
				drag: { x: true, y: false, setScale: false, dist: 5 } },
			select: { show: true },
			scales: { x: { time: false,
				range: () => [state.from ?? 0, state.to ?? model.span / 1e9] },
			y: { range: (u, lo, hi) => [0, top(hi)] } },
			axes: axes(seconds), hooks: { setCursor: [tip], setSelect: [zoom] } };
	}
	const top = hi => {
		const most = Math.max(hi || 0, 1) * 1.06;
		return model.limit && model.limit < most * 1.6
			? Math.max(most, model.limit * 1.08) : most;
	};

	function zoom(u) {
		const s = u.select;
		if (s.width < 5)
			return;
		set({ from: +u.posToVal(s.left, 'x').toFixed(6),
			to: +u.posToVal(s.left + s.width, 'x').toFixed(6) });
		u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
	}

	function make() {
		if (chart)
			chart.destroy();
		const stack = stackNow();
		what = stack ? stackChart(model, stack) : ranksChart(model);
		if (state.resident)
			addResident(what, model, stack ? stack.rank : lineRank());
		chart = new uPlot(options(), what.data, plot);
		let down = null;
		chart.over.addEventListener('mousedown', e => { down = e.clientX; });
		chart.over.addEventListener('click', e => {
			if (down !== null && Math.abs(e.clientX - down) > 4)
				return;
			const r = chart.over.getBoundingClientRect();
			const t = chart.posToVal(e.clientX - r.left, 'x') * 1e9;
			const i = model.nearest(t, stackNow() ? model.home
				: state.rank);
			set(e.shiftKey ? { versus: i } : { moment: i });
		});
		chart.over.addEventListener('mouseleave', hideTip);
		chart.over.addEventListener('dblclick', () =>
			set({ from: undefined, to: undefined }));
		fill(legend, what.legend.map(([name, colour, shape]) =>
			h('li', { title: name }, h('i', { class: shape || 'stroke',
				style: { background: colour } }), name.slice(0, 80))));
		tell();
	}

	function tell() {
		const m = model.moments[state.moment], stack = stackNow();
		whole.hidden = state.from === undefined;
		box.note(stack ? 'Rank ' + stack.rank + ', ' +
			stack.label.toLowerCase() + '. ' : '',
		'A click chooses the moment for all views, shift and click the one ' +
			'to compare with; drag to zoom.');
		plot.setAttribute('aria-label', 'Memory over time: the highest is ' +
			bytes(model.peak) + (what.resident ? ', resident ' +
			bytes(what.resident.most) : '') + '. Chosen: ' + m.label + ' at ' +
			ns(m.time) + ', ' + bytes(m.bytes) +
			'. Left and right arrows choose another moment.');
	}

	function saveSvg() {
		saveCurve(chart, seconds, (pen, x, y) => {
			const points = k => what.data[0].map((t, i) => [x(t),
				y(what.data[k][i] || 0)]).filter((p, i) =>
				!what.series[k].spanGaps || what.data[k][i] !== null);
			for (const b of what.bands)
				pen.area(points(b.series[0]).concat(
					points(b.series[1]).reverse()), b.fill);
			what.series.forEach((s, k) => k && s.width &&
				pen.line(points(k), s.stroke, s.width, s.dash));
		});
	}

	plot.addEventListener('keydown', e => {
		const order = model.orderOf(state.moment);
		const at = order.indexOf(state.moment);
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1 }[e.key];
		if (to === undefined)
			return;
		e.preventDefault();
		set({ moment: order[Math.max(0, Math.min(order.length - 1, to))] });
	});
	watch((s, changed) => {
		if (!chart)
			return;
		if (by && changed.has('by'))
			by.press(s.by);
		if (resident && changed.has('resident'))
			resident.input.checked = s.resident;
		if (['by', 'rank', 'resident'].some(k => changed.has(k)))
			make();
		else if (changed.has('from') || changed.has('to'))
			chart.setData(what.data);
		else if (changed.has('moment') || changed.has('versus'))
			chart.redraw(false);
		tell();
	});
	return box;
}
