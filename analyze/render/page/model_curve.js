// SPDX-License-Identifier: Apache-2.0
// What the worst rank needs over the ranks of the job, or over the size of the
// problem where all runs have as many ranks: points are measured, the line is
// the model, the band its interval; beyond what was measured it is hatched.
import { choice, h, say, showTip } from './dom.js';
import { byteTick, byteTicks, bytes, count } from './format.js';
import { theme } from './colours.js';
import { card, picture } from './picture.js';
import { set, state, watch } from './state.js';

const LEFT = 84, RIGHT = 22, TOP = 20, BOTTOM = 48;
const BAND = 2; // an interval is cut off at so many times the highest value
const FAR = 8; // and the limit of a node is not drawn above so many times that

export const amount = v => Number.isSafeInteger(v) ? count(v)
	: String(+v.toPrecision(6));
export const jobWords = (ranks, size) => count(ranks) + (ranks === 1 ? ' rank'
	: ' ranks') + ', size ' + amount(size);

// Ticks of the jobs: doublings, or round steps
function jobTicks(low, high, log) {
	const out = [];
	if (log) {
		let factor = 2;
		while (low * Math.pow(factor, 9) < high)
			factor *= 2;
		for (let v = low; v <= high * 1.0001; v *= factor)
			out.push(v);
		return out;
	}
	const raw = (high - low) / 7 || 1;
	const ten = Math.pow(10, Math.floor(Math.log10(raw)));
	const step = [1, 2, 5, 10].map(f => f * ten).find(f => f >= raw);
	for (let v = Math.ceil(low / step) * step; v <= high * 1.0001; v += step)
		out.push(v);
	return out;
}

// Lines at 45 degrees within a rectangle
function hatch(pen, x, y, w, tall, colour) {
	for (let d = 10 - tall; d < w; d += 10) {
		const from = Math.max(0, d), to = Math.min(w, d + tall);
		if (to > from)
			pen.line([[x + from, y + from - d], [x + to, y + to - d]], colour);
	}
}

function disc(pen, x, y, r, colour, ground) {
	const ring = size => Array.from({ length: 21 }, (_, i) => [
		x + size * Math.cos(i * Math.PI / 10),
		y + size * Math.sin(i * Math.PI / 10)]);
	pen.area(ring(r), colour);
	if (ground)
		pen.area(ring(r - 2.2), ground);
}

// Everything that is a point: what it is, its job, and its bytes
function pointsOf(d) {
	const x = p => d.curve.by_size ? p.size : p.ranks;
	const of = (kind, list, value) => list.map(p => ({ kind, x: x(p),
		job: jobWords(p.ranks, p.size), bytes: value(p), p }));
	return of('predicted', d.model.predictions, p => p.bytes).concat(
		of('checked', d.runs.filter(r => r.check), p => p.bytes),
		of('measured', d.runs.filter(r => !r.check), p => p.bytes));
}

export function modelCurve(d) {
	const steps = d.curve.steps, points = pointsOf(d);
	const each = d.curve.node_bytes &&
		d.curve.node_bytes / d.curve.ranks_per_node;
	const low = Math.min(...steps.map(s => s.x), ...points.map(p => p.x));
	const high = Math.max(...steps.map(s => s.x), ...points.map(p => p.x));
	const top = highest();
	const kinds = { measured: 'Measured', checked: 'Measured, to check',
		predicted: 'Predicted' };
	const told = h('p', { class: 'sub told-job' });
	const scale = choice('Scale of the jobs', [['log', 'Doublings'],
		['even', 'Even']], state.by, key => set({ by: key }));
	let place = null;

	function highest() {
		const seen = Math.max(1, ...steps.map(s => s.bytes),
			...points.map(p => p.bytes));
		const band = Math.min(seen * BAND, Math.max(seen,
			...steps.map(s => s.high || 0)));
		return Math.max(band * 1.05, each
			? Math.min(each * 1.1, seen * FAR) : 0);
	}

	function placeOn(w, tall) {
		const log = state.by !== 'even' && low > 0;
		const share = v => high <= low ? .5 : log
			? Math.log(v / low) / Math.log(high / low) : (v - low) /
				(high - low);
		return { log, x: v => LEFT + share(v) * (w - LEFT - RIGHT),
			y: v => tall - BOTTOM - Math.min(1, v / top) *
				(tall - BOTTOM - TOP), w, tall };
	}

	function drawAxes(pen, at, t) {
		const { w, tall } = at;
		const beyond = [[LEFT, at.x(d.curve.measured_low)],
			[at.x(d.curve.measured_high), w - RIGHT]];
		beyond.filter(([a, b]) => b - a > 1).forEach(([a, b]) => {
			hatch(pen, a, TOP, b - a, tall - TOP - BOTTOM, t.line);
			pen.line([[a, TOP], [a, tall - BOTTOM]], t.line);
		});
		for (const v of byteTicks(top, 6)) {
			pen.line([[LEFT, at.y(v)], [w - RIGHT, at.y(v)]], t.line);
			pen.text(LEFT - 8, at.y(v) + 4, byteTick(v, top), t.soft,
				{ align: 'right' });
		}
		let last = -Infinity;
		for (const v of jobTicks(low, high, at.log)) {
			pen.line([[at.x(v), tall - BOTTOM], [at.x(v), tall - BOTTOM + 5]],
				t.soft);
			if (at.x(v) - last < 48)
				continue;
			last = at.x(v);
			pen.text(last, tall - BOTTOM + 20, amount(Math.round(v)), t.soft,
				{ align: 'center' });
		}
		pen.text((LEFT + w - RIGHT) / 2, tall - 8, d.curve.by_size
			? 'size of the problem' : 'ranks of the job', t.soft,
		{ align: 'center' });
	}

	function drawLimit(pen, at, t) {
		if (!each)
			return;
		const over = each > top, y = over ? TOP + 2 : at.y(each);
		if (!over)
			pen.line([[LEFT, y], [at.w - RIGHT, y]], t.accent, 1.5, [10, 4]);
		pen.fitted(LEFT + 8, over ? y + 12 : y - 6, (over ? 'Far above: ' : '') +
			bytes(each) + ' a rank is what a node has', at.w - LEFT - RIGHT -
			16, t.accent, { weight: 600 });
	}

	function draw(pen, w, tall) {
		const t = theme(), at = place = placeOn(w, tall);
		drawAxes(pen, at, t);
		const ranged = steps.filter(s => s.low !== null);
		if (ranged.length > 1)
			pen.area(ranged.map(s => [at.x(s.x), at.y(s.high)]).concat(
				ranged.slice().reverse().map(s => [at.x(s.x),
					at.y(s.low)])), t.data + '2e');
		pen.line(steps.map(s => [at.x(s.x), at.y(s.mean)]), t.soft, 1.4, [6, 4]);
		pen.line(steps.map(s => [at.x(s.x), at.y(s.bytes)]), t.data, 2.4);
		drawLimit(pen, at, t);
		const s = steps[state.moment];
		if (s) {
			pen.line([[at.x(s.x), TOP], [at.x(s.x), tall - BOTTOM]], t.accent);
			disc(pen, at.x(s.x), at.y(s.bytes), 5, t.accent);
		}
		for (const p of points)
			disc(pen, at.x(p.x), at.y(p.bytes), 5.5, p.kind === 'checked'
				? t.accent : t.data, p.kind !== 'measured' && t.card);
	}

	function find(x, y) {
		if (!place || x < LEFT - 12 || x > place.w - RIGHT + 12)
			return null;
		const close = points.filter(p => Math.hypot(place.x(p.x) - x,
			place.y(p.bytes) - y) < 12).pop();
		const far = i => Math.abs(place.x(steps[i].x) - x);
		let best = 0;
		steps.forEach((s, i) => { best = far(i) < far(best) ? i : best; });
		return steps.length ? { point: close, step: best } : null;
	}

	// An interval that spans more than a factor of 2 is the answer itself
	const needs = s => (s.low === null || !s.open ? bytes(s.bytes) : '') +
		(s.low !== null ? (s.open ? '' : ', ') + 'between ' + bytes(s.low) +
			' and ' + bytes(s.high) : '');
	const line = (name, value) => h('div', { class: 'pair-line' },
		h('span', {}, name), h('b', {}, value));

	function over(found, e) {
		const s = steps[found.step], p = found.point;
		if (p)
			return showTip(e.clientX, e.clientY, h('strong', {}, p.job),
				!(p.p.open && p.p.low !== null) && line(kinds[p.kind],
					bytes(p.bytes)), p.kind === 'predicted'
					? p.p.low !== null && line('Between', bytes(p.p.low) +
						' and ' + bytes(p.p.high))
					: line('The model says', bytes(p.p.modelled)));
		showTip(e.clientX, e.clientY, h('strong', {}, jobWords(s.ranks, s.size)),
			!needs(s).startsWith('between') && line('The worst rank',
				bytes(s.bytes)), s.low !== null &&
			line('Between', bytes(s.low) + ' and ' + bytes(s.high)),
			line('The mean of all', bytes(s.mean)));
	}

	function tell() {
		const s = steps[state.moment];
		told.textContent = !s ? '' : jobWords(s.ranks, s.size) + ': the worst ' +
			'rank ' + needs(s) + '; the mean ' +
			bytes(s.mean) + (each ? '; ' + (s.bytes <= each ? 'fits' :
			'does not fit') + ' a node' : '') + '.';
		told.hidden = !s;
		return told.textContent;
	}

	const move = by => () => {
		const from = steps[state.moment] ? state.moment
			: by > 0 ? -1 : steps.length;
		set({ moment: Math.max(0, Math.min(steps.length - 1, from + by)) });
		say(tell());
	};
	const pic = picture({ view: 'curve', label: d.sentence.trim(),
		height: w => Math.max(280, Math.min(460, w * .38)), draw, find, over,
		pick: found => set({ moment: found.step }), keys: {
			ArrowLeft: move(-1), ArrowRight: move(1),
			Home: move(-Infinity), End: move(Infinity),
			Escape: () => set({ moment: -1 }) } });
	const box = card({ id: 'curve', title: d.quantity === 'peak'
		? 'What a rank needs' : 'What a rank accesses', options: '--model',
	tools: [scale], entries: pic.entries });
	box.note('Filled points are measured' + (d.runs.some(r => r.check)
		? ', orange ones to check' : '') + ', hollow ones predicted; hatched: ' +
		'beyond what was measured.' + (steps.some(s => s.low !== null)
		? ' The band holds the truth about 19 times in 20.'
		: ' Two runs do not tell how sure that is.'));
	const mark = (name, shape, colour) => h('li', {}, h('i', { class: shape,
		style: { background: colour } }), name);
	const legend = h('ul', { class: 'legend' });
	const drawLegend = () => legend.replaceChildren(
		mark('The worst rank', 'stroke', theme().data),
		mark('Mean of all ranks', 'dashed', theme().soft));
	box.body.append(pic.host, legend, told);
	box.start = () => { drawLegend(); tell(); };
	watch((s, changed) => {
		if (changed.has('by'))
			scale.press(s.by);
		if (changed.has('by') || changed.has('moment')) {
			tell();
			pic.redraw();
		}
	});
	box.repaint = () => { drawLegend(); pic.paint(); };
	return box;
}
