// SPDX-License-Identifier: Apache-2.0
// Cards, and pictures in them: a canvas that follows its size, the theme and the
// keyboard, and can be saved.
import { h, hideTip, fill } from './dom.js';
import { CanvasPen, SvgPen } from './pen.js';
import { byteTick, byteTicks } from './format.js';
import { theme } from './colours.js';
import { copy, saveBlob, saveText } from './save.js';

let program = 'run', runName = 'RUN', rankChoice = '', several = false;
export function nameFiles(run, chosen, worst) {
	program = run.program || 'run';
	runName = run.directory || 'RUN';
	rankChoice = chosen === worst ? '' : '--rank ' + chosen + ' ';
}

// Likewise for a page about two runs.
export function nameRuns(name, given) {
	program = name || 'runs';
	runName = given.map(quote).join(' ');
	several = true;
}

const plain = s => s.replace(/[^A-Za-z0-9_.+-]/g, '_').slice(0, 80);

export const fileName = (view, end) => plain(program) + '-' + view + '.' + end;

// A chart of uPlot as SVG: axes, with word() for times, and the lines that draw(pen, x,
// y) adds.
export function saveCurve(chart, word, draw) {
	const w = 1000, tall = 380, left = 80, right = 20, low = 40, high = 20;
	const pen = new SvgPen(w, tall, theme().font, theme().card);
	const x0 = chart.scales.x.min, x1 = chart.scales.x.max;
	const y1 = chart.scales.y.max;
	const x = v => left + (v - x0) / (x1 - x0) * (w - left - right);
	const y = v => tall - low - v / y1 * (tall - low - high);
	for (const v of byteTicks(y1, 5)) {
		pen.line([[left, y(v)], [w - right, y(v)]], theme().line);
		pen.text(left - 8, y(v) + 4, byteTick(v, y1), theme().soft,
			{ align: 'right' });
	}
	for (let i = 0; i <= 5; i++) {
		const v = x0 + (x1 - x0) * i / 5;
		pen.text(x(v), tall - 14, word(v), theme().soft,
			{ align: 'center' });
	}
	draw(pen, x, y);
	saveText(pen.toString(), 'image/svg+xml', fileName('curve', 'svg'));
}

const quote = s => /^[A-Za-z0-9_./+=:,-]+$/.test(s) ? s
	: "'" + s.replace(/'/g, "'\\''") + "'";

// The command that prints the view, with the name that the user gave the run.
export const command = options => 'wm-analyze ' + options + ' ' + rankChoice +
	(several ? runName : quote(runName));

// The small menu of a card.  @entries: [text, function]; @options: the options of the
// command, or a function that returns them; none: no command.
function menu(title, options, entries) {
	const details = h('details', { class: 'menu' },
		h('summary', { 'aria-label': 'Save ' + title,
			title: 'Save, copy' }, '\u22ef'));
	const close = f => () => { details.open = false; f(); };
	const line = () => options && command(typeof options === 'string'
		? options : options());
	const code = h('code', {}, line());
	details.addEventListener('toggle', () => { code.textContent = line(); });
	details.append(h('div', { class: 'menu-list' },
		entries.map(([text, f]) =>
			h('button', { type: 'button', onclick: close(f) }, text)),
		options && h('button', { type: 'button', class: 'command',
			title: 'Copy the command that prints this',
			onclick: close(() => copy(line())) },
		h('small', {}, 'Copy the command'), code)));
	details.addEventListener('focusout', e => {
		if (!details.contains(e.relatedTarget))
			details.open = false;
	});
	return details;
}

// A section with a heading, controls and a menu.
export function card({ id, title, sub, options, entries = [], tools = [] }) {
	const note = h('p', { class: 'sub' }, sub || '');
	const body = h('div', { class: 'body' });
	const section = h('section', { id: 'view-' + id, class: 'card',
		'aria-labelledby': 'title-' + id },
	h('header', {},
		h('div', { class: 'titles' },
			h('h2', { id: 'title-' + id, tabindex: '-1' }, title),
			note),
		h('div', { class: 'tools' }, tools),
		menu(title, options, entries)),
	body);
	section.body = body;
	section.note = (...kids) => fill(note, ...kids);
	return section;
}

/* A canvas.  @height(width); @draw(pen, w, h); @find(x, y): the item there, or
 * null; @over(found, event): the pointer is on it; @pick(found, event): a
 * click; @keys: {ArrowLeft: f, ...} */
export function picture({ view, label, height, draw, find, over, pick, keys }) {
	const canvas = h('canvas', { tabindex: '0', role: 'img',
		'aria-label': label });
	const host = h('div', { class: 'picture picture-' + view }, canvas);
	let width = 0, tall = 0, wait = 0;

	function paint() {
		wait = 0;
		width = host.clientWidth;
		if (!width)
			return;
		tall = Math.max(1, Math.round(height(width)));
		// browsers draw no taller canvas
		const dense = Math.min(3, devicePixelRatio || 1, 16000 / tall);
		canvas.width = Math.round(width * dense);
		canvas.height = Math.round(tall * dense);
		canvas.style.height = tall + 'px';
		const ctx = canvas.getContext('2d');
		ctx.setTransform(dense, 0, 0, dense, 0, 0);
		draw(new CanvasPen(ctx, theme().font), width, tall);
	}
	const redraw = () => { wait = wait || requestAnimationFrame(paint); };
	const place = e => {
		const r = canvas.getBoundingClientRect();
		return find(e.clientX - r.left, e.clientY - r.top);
	};
	new ResizeObserver(() => {
		if (host.clientWidth !== width)
			redraw();
	}).observe(host);
	canvas.addEventListener('pointermove', e => {
		const found = find && place(e);
		canvas.style.cursor = found && pick ? 'pointer' : '';
		if (found)
			over(found, e);
		else
			hideTip();
	});
	canvas.addEventListener('pointerleave', hideTip);
	canvas.addEventListener('focus', redraw);
	canvas.addEventListener('blur', redraw);
	canvas.addEventListener('click', e => {
		const found = find && place(e);
		if (found && pick)
			pick(found, e);
	});
	canvas.addEventListener('keydown', e => {
		const f = keys && keys[e.key];
		if (f && !e.ctrlKey && !e.metaKey && !e.altKey) {
			e.preventDefault();
			f(e);
		}
	});
	return { host, canvas, redraw, paint,
		label: text => canvas.setAttribute('aria-label', text),
		entries: [
			['Save as PNG', () => canvas.toBlob(b =>
				saveBlob(b, fileName(view, 'png')))],
			['Save as SVG', () => {
				const pen = new SvgPen(width, tall, theme().font,
					theme().card);
				draw(pen, width, tall);
				saveText(pen.toString(), 'image/svg+xml',
					fileName(view, 'svg'));
			}],
		] };
}
