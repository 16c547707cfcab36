// SPDX-License-Identifier: Apache-2.0
// Ranks x time.  If several cells share a pixel, the highest is drawn; if a cell has
// several pixels, no pixel is shared.
import { choice, h, hideTip, say, showTip } from './dom.js';
import { bytes, seconds } from './format.js';
import { css, ramp, theme } from './colours.js';
import { card, picture } from './picture.js';
import { set, state, watch } from './state.js';

const LEFT = 56, TOP = 8, LOW = 46;

export function heatmap(model) {
	const heat = model.heat;
	let order = [], cursor = { row: 0, col: 0 };
	const pic = picture({ view: 'heat', label: '', height, draw, find: at,
		over: tip, pick: choose, keys: {
			ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0),
			ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
			Enter: () => choose(cursor) } });
	const sorts = choice('Order of rows', [['rank', 'By rank'],
		['peak', 'By peak'], ['node', 'By node']], state.order,
	key => set({ order: key }));
	const box = card({ id: 'heat', title: 'Ranks over time',
		options: '--imbalance --svg heatmap.svg', tools: [sorts],
		entries: pic.entries });

	function arrange() {
		order = heat.rows.map((r, i) => i);
		if (state.order === 'peak')
			order.sort((a, b) => heat.rows[b].peak - heat.rows[a].peak || a - b);
		if (state.order === 'node')
			order.sort((a, b) => heat.rows[a].node < heat.rows[b].node ? -1
				: heat.rows[a].node > heat.rows[b].node ? 1 : a - b);
	}

	function height(width) {
		const rows = heat.rows.length;
		const each = rows <= 12 ? 26 : rows <= 40 ? 12 : 0;
		return TOP + LOW + (each ? rows * each
			: Math.max(340, Math.min(rows, width * .8, 512)));
	}

	function shrink(w, h) {
		const cols = heat.cols, rows = order.length;
		const out = new Float64Array(w * h);
		for (let r = 0; r < rows; r++) {
			const values = heat.rows[order[r]].values;
			const y = Math.floor(r * h / rows);
			for (let c = 0; c < cols; c++) {
				const at = y * w + Math.floor(c * w / cols);
				if (values[c] > out[at])
					out[at] = values[c];
			}
		}
		return out;
	}

	function cells(width, tall) {
		const w = Math.max(1, Math.min(heat.cols, Math.round(width)));
		const hh = Math.max(1, Math.min(order.length, Math.round(tall)));
		const most = shrink(w, hh), canvas = document.createElement('canvas');
		canvas.width = w;
		canvas.height = hh;
		const ctx = canvas.getContext('2d'), img = ctx.createImageData(w, hh);
		for (let i = 0; i < most.length; i++) {
			const c = ramp(heat.most ? most[i] / heat.most : 0);
			img.data.set([c[0], c[1], c[2], 255], 4 * i);
		}
		ctx.putImageData(img, 0, 0);
		return canvas;
	}

	const inner = (w, h) => [w - LEFT - 4, h - TOP - LOW];

	function draw(pen, width, tall) {
		const [w, hh] = inner(width, tall), t = theme();
		if (w < 10)
			return;
		pen.image(cells(w, hh), LEFT, TOP, w, hh);
		labels(pen, w, hh);
		upright(pen, model.moments[state.moment], w, hh, []);
		upright(pen, model.moments[state.versus], w, hh, [4, 4]);
		scale(pen, w, TOP + hh);
		if (document.activeElement === pic.canvas)
			pen.rect(LEFT + cursor.col / heat.cols * w - 2,
				TOP + cursor.row / order.length * hh - 2,
				Math.max(6, w / heat.cols + 4),
				Math.max(6, hh / order.length + 4), null, t.ink);
	}

	function upright(pen, m, w, hh, dash) {
		if (!m || !m.timed)
			return;
		const x = LEFT + Math.min(1, m.time / (heat.cols * heat.bin)) * w;
		pen.line([[x, TOP - 4], [x, TOP + hh + 4]], theme().accent, 1.5, dash);
	}

	function labels(pen, w, hh) {
		const t = theme(), rows = order.length, each = hh / rows;
		const place = row => TOP + (order.indexOf(row) + .5) * each;
		const worst = heat.rowOf(model.worst), chosen = heat.rowOf(state.rank);
		const marks = [[chosen, state.rank, t.accent]];
		if (worst !== chosen)
			marks.push([worst, model.worst, t.ink]);
		const taken = marks.map(([row]) => place(row));
		for (const [row, rank, colour] of marks)
			pen.text(LEFT - 12, place(row) + 4, String(rank), colour,
				{ size: 11.5, weight: 600, align: 'right' });
		pen.rect(LEFT - 7, place(chosen) - Math.max(1.5, each / 2), 4,
			Math.max(3, each), t.accent);
		const every = Math.max(1, Math.ceil(34 / each));
		for (let i = 0; i < rows; i += every) {
			const y = TOP + (i + .5) * each;
			if (taken.every(k => Math.abs(k - y) > 14))
				pen.text(LEFT - 12, y + 4, heat.rows[order[i]].short, t.soft,
					{ size: 11.5, align: 'right' });
		}
	}

	// The axis of time, and the scale of colours.
	function scale(pen, w, y) {
		const t = theme(), n = w > 420 ? 4 : 2;
		for (let i = 0; i <= n; i++)
			pen.text(LEFT + w * i / n, y + 16,
				seconds(heat.cols * heat.bin / 1e9 * i / n), t.soft, { size: 11.5,
					align: i === 0 ? 'left' : i === n ? 'right' : 'center' });
		const wide = Math.min(160, w / 3), x = LEFT;
		for (let i = 0; i < wide; i++)
			pen.rect(x + i, y + 28, 1.5, 8, css(ramp(i / wide)));
		pen.text(x + wide + 8, y + 36, '0 to ' + bytes(heat.most), t.soft,
			{ size: 11.5 });
	}

	function at(x, y) {
		const [w, hh] = inner(pic.host.clientWidth, pic.canvas.clientHeight);
		if (x < LEFT || x >= LEFT + w || y < TOP || y >= TOP + hh)
			return null;
		return { row: Math.floor((y - TOP) / hh * order.length),
			col: Math.floor((x - LEFT) / w * heat.cols) };
	}

	const row = c => heat.rows[order[c.row]];
	const time = c => (c.col + .5) * heat.bin;

	function tip(c, e) {
		const r = row(c);
		showTip(e.clientX, e.clientY, h('strong', {}, r.label),
			bytes(r.values[c.col]) + ' at ' + seconds(time(c) / 1e9),
			r.node ? 'on ' + r.node : '', 'peak ' + bytes(r.peak));
	}

	function choose(c) {
		hideTip();
		const rank = row(c).rank;
		set({ rank, moment: model.nearest(time(c), rank) });
	}

	function move(dy, dx) {
		cursor = { row: Math.max(0, Math.min(order.length - 1, cursor.row + dy)),
			col: Math.max(0, Math.min(heat.cols - 1, cursor.col + dx)) };
		say(row(cursor).label + ', ' + seconds(time(cursor) / 1e9) + ', ' +
			bytes(row(cursor).values[cursor.col]));
		pic.redraw();
	}

	function refresh() {
		arrange();
		box.note(heat.note);
		pic.label('Memory of ranks over time, the highest ' + bytes(heat.most) +
			', of rank ' + model.worst +
			'. Arrow keys go from cell to cell, Enter chooses rank and moment.');
		pic.redraw();
	}

	watch((s, changed) => {
		if (changed.has('order'))
			sorts.press(s.order);
		if (['order', 'rank', 'moment', 'versus'].some(k => changed.has(k)))
			refresh();
	});
	refresh();
	box.body.append(pic.host);
	box.repaint = pic.paint;
	return box;
}
