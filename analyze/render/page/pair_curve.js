// SPDX-License-Identifier: Apache-2.0
// Memory of two runs over time in one picture: by the share of each run's time, or by
// seconds.  Drawn by uPlot.
import uPlot from 'uplot';
import { choice, fill, h, hideTip, showTip } from './dom.js';
import { bytes, count, seconds, signed } from './format.js';
import { theme } from './colours.js';
import { saveCurve } from './picture.js';
import { axes, plotCard, pointed, sizeOf } from './plot.js';
import { set, state, watch } from './state.js';

const COLUMNS = 600;

// The highest value of a line in each column of [0, span] ns.
function onColumns(line, span) {
	const out = [], n = line.max_bytes.length, width = span / COLUMNS;
	for (let i = 0; i < COLUMNS; i++) {
		const from = Math.floor(i * width / (line.bin_s * 1e9) + 1e-6);
		const to = Math.max(from + 1, Math.ceil((i + 1) * width /
			(line.bin_s * 1e9) - 1e-6));
		let most = null;
		for (let k = from; k < to && k < n; k++)
			most = Math.max(most ?? 0, line.max_bytes[k]);
		out.push(most);
	}
	return out;
}

const lasts = line => line.max_bytes.length * (line.bin_s * 1e9);

function dataOf(lines, byTime) {
	const span = Math.max(1, ...lines.map(lasts)), x = [];
	for (let i = 0; i < COLUMNS; i++)
		x.push((i + .5) / COLUMNS * (byTime ? span / 1e9 : 100));
	return [x, ...lines.map(l => onColumns(l, byTime ? span : lasts(l) || 1))];
}

export function pairCurve(data) {
	const several = data.totals.some(t => t.ranks > 1);
	// The lines of one rank of each run, or of all ranks together.
	const linesNow = () => several && state.whole ? data.totals : data.timeline;
	const who = i => several && state.whole ? count(data.totals[i].ranks) +
		' ranks' : 'rank ' + data.timeline[i].rank;
	const by = choice('Time of the two', [['share', 'Share of the run'],
		['time', 'Seconds']], state.by, key => set({ by: key }));
	const whole = choice('Memory of', [['one', 'One rank'],
		['all', 'All ranks']], state.whole ? 'all' : 'one', key =>
		set({ whole: key === 'all' }));
	const { box, plot, legend } = plotCard({ options: '--compare',
		tools: several ? [whole, by] : [by], chart: () => chart, make, saveSvg });
	let chart, values;
	const word = v => state.by === 'time' ? seconds(v)
		: +v.toFixed(1) + ' %';
	const pair = (name, v) => h('div', { class: 'pair-line' },
		h('span', {}, name), h('b', {}, v));

	function tip(u) {
		const at = pointed(u);
		if (!at)
			return;
		const a = values[1][at.i], b = values[2][at.i];
		showTip(at.x, at.y,
			h('strong', {}, word(values[0][at.i])), pair('A', bytes(a)),
			pair('B', bytes(b)), pair('B \u2212 A', a === null || b === null
				? '\u2013' : signed(b - a)));
	}

	function make() {
		if (chart)
			chart.destroy();
		const t = theme();
		values = dataOf(linesNow(), state.by === 'time');
		chart = new uPlot({ ...sizeOf(plot), legend: { show: false },
		padding: [12, 12, 0, 0], series: [{},
			{ stroke: t.soft, width: 2, dash: [7, 4],
				points: { show: false } },
			{ stroke: t.data, width: 2.2, fill: t.data + '1a',
				points: { show: false } }],
		cursor: { y: false, points: { show: false },
			drag: { x: false, y: false } },
		scales: { x: { time: false }, y: { range: (u, lo, hi) =>
			[0, Math.max(hi || 0, 1) * 1.06] } },
		axes: axes(word), hooks: { setCursor: [tip] } }, values, plot);
		chart.over.addEventListener('mouseleave', hideTip);
		fill(legend, [['A, ' + who(0), t.soft, 'dashed'],
			['B, ' + who(1), t.data, 'stroke']].map(
			([name, colour, shape]) => h('li', {}, h('i', { class: shape,
				style: { background: colour } }), name)));
		box.note(state.by === 'time' ? 'Both from their start, in seconds.'
			: 'Both from start to end, whatever they last.',
		several && state.whole ? ' The sum of what each rank has at most at ' +
			'that time.' : '');
		plot.setAttribute('aria-label', 'Memory of both over time: at most ' +
			linesNow().map((l, i) => 'AB'[i] + ', ' + who(i) + ', ' +
				bytes(Math.max(0, ...l.max_bytes))).join('; '));
	}

	function saveSvg() {
		saveCurve(chart, word, (pen, x, y) => [1, 2].forEach(k =>
			pen.line(values[0].map((t, i) => [x(t), values[k][i]])
				.filter(p => p[1] !== null).map(([t, v]) => [t, y(v)]),
			k === 1 ? theme().soft : theme().data, 2,
			k === 1 ? [7, 4] : [])));
	}

	watch((s, changed) => {
		if (!chart || !changed.has('by') && !changed.has('whole'))
			return;
		by.press(s.by);
		whole.press(s.whole ? 'all' : 'one');
		make();
	});
	return box;
}
