// SPDX-License-Identifier: Apache-2.0
// The common parts of pictures by uPlot.
import { h, hideTip } from './dom.js';
import { byteTick, byteTicks } from './format.js';
import { theme } from './colours.js';
import { card, fileName } from './picture.js';
import { saveBlob } from './save.js';

// A card with a plot that make() draws again when the width changes.  @chart(): the
// chart of uPlot, or undefined before the first make().
export function plotCard({ options, tools, chart, make, saveSvg }) {
	const plot = h('div', { class: 'plot', tabindex: '0', role: 'img' });
	const legend = h('ul', { class: 'legend' });
	const box = card({ id: 'curve', title: 'Memory over time', options, tools,
		entries: [
			['Save as PNG', () => chart().ctx.canvas.toBlob(b =>
				saveBlob(b, fileName('curve', 'png')))],
			['Save as SVG', saveSvg]] });
	box.body.append(plot, legend);
	box.start = () => {
		make();
		let width = plot.clientWidth;
		new ResizeObserver(() => {
			if (Math.abs(plot.clientWidth - width) < 2)
				return;
			width = plot.clientWidth;
			make();
		}).observe(plot);
	};
	box.repaint = () => chart() && make();
	return { box, plot, legend };
}

export function sizeOf(plot) {
	const width = plot.clientWidth || 600;
	return { width, height: Math.round(Math.max(240, Math.min(420, width * .34))) };
}

// The axes of uPlot: word() makes the texts below, bytes are on the left.
export function axes(word) {
	const t = theme();
	const axis = { stroke: t.soft, grid: { stroke: t.line, width: 1 },
		ticks: { show: false }, font: '12px ' + t.font };
	return [Object.assign({ values: (u, v) => v.map(x =>
		word(x).replace(/\.?0+( m?s)/, '$1')), space: 90, size: 34 }, axis),
	Object.assign({ size: 78, splits: (u, k, lo, hi) => byteTicks(hi, 5),
		values: (u, v) => v.map(x => byteTick(x, u.scales.y.max)) }, axis)];
}

// The column of the cursor and its place in the page; null, without a tip, if none.
export function pointed(u) {
	const i = u.cursor.idx, r = u.over.getBoundingClientRect();
	if (i === null || i === undefined || u.cursor.left < 0) {
		hideTip();
		return null;
	}
	return { i, x: r.left + u.cursor.left, y: r.top + u.cursor.top };
}
