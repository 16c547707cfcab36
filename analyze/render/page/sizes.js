// SPDX-License-Identifier: Apache-2.0
// Blocks by size, as --sizes prints them: number and bytes, of all allocations and of
// blocks live at the peak.
import { h, hideTip, say, showTip } from './dom.js';
import { bytes, count, csv, exact } from './format.js';
import { theme } from './colours.js';
import { card, fileName, picture } from './picture.js';
import { copy, saveText } from './save.js';

const LEFT = 70, TOP = 18, TALL = 96, GAP = 32, LOW = 26;
const PARTS = [
	{ name: 'Blocks', all: 'blocks', peak: 'peak_blocks', steps: [10, 1000, 1e6],
		show: v => v < 1e3 ? String(v) : v < 1e6 ? v / 1e3 + ' K'
			: v < 1e9 ? v / 1e6 + ' M' : v / 1e9 + ' G' },
	{ name: 'Bytes', all: 'bytes', peak: 'peak_bytes', steps: [1024, 1048576],
		show: v => bytes(v).replace('.0', '') },
];

// Adds empty classes between the others.
function classesOf(list) {
	const out = [], last = list[list.length - 1].from;
	for (let from = list[0].from; from <= last; from = from ? from * 2 : 1)
		out.push(list.find(r => r.from === from) ?? { from,
			to: from * 2 - 1, blocks: 0, bytes: 0, peak_blocks: 0,
			peak_bytes: 0 });
	return out;
}

const range = r => r.from === r.to ? exact(r.from)
	: r.from < 1024 ? r.from + ' to ' + exact(r.to)
	: 'from ' + bytes(r.from) + ' to below ' + bytes(r.to + 1);

const told = r => [[' allocated', r.blocks, r.bytes],
	[' alive at the peak', r.peak_blocks, r.peak_bytes]].map(([when, n, b]) =>
	count(n) + (n === 1 ? ' block' : ' blocks') + ' with ' + bytes(b) + when);

export function sizes(model) {
	const list = model.data.reports.sizes, all = classesOf(list);
	const height = value => Math.log10(1 + value);
	const tops = PARTS.map(p => Math.max(1, ...list.map(r => height(r[p.all]))));
	let at = all.length - 1;

	function draw(pen, width) {
		const t = theme(), w = width - LEFT - 4, each = w / all.length;
		PARTS.forEach((part, k) => {
			const base = TOP + TALL + k * (TALL + GAP);
			const y = v => base - height(v) / tops[k] * TALL;
			pen.text(0, base - TALL - 5, part.name, t.ink,
				{ weight: 600, size: 12.5 });
			const step = part.steps.find(s => tops[k] / height(s) < 5);
			for (let v = 1; height(v) <= tops[k]; v *= step) {
				pen.line([[LEFT, y(v)], [LEFT + w, y(v)]], t.line);
				pen.text(LEFT - 8, y(v) + 4, part.show(v), t.soft,
					{ size: 11.5, align: 'right' });
			}
			all.forEach((r, i) => {
				const bar = (v, colour, gap) => v && pen.rect(
					LEFT + i * each + gap, y(v),
					Math.max(1, each - 2 * gap), base - y(v), colour);
				bar(r[part.all], t.data + '40', 1);
				bar(r[part.peak], t.data, Math.max(1, each * .2));
			});
			pen.line([[LEFT, base + .5], [LEFT + w, base + .5]], t.soft);
		});
		const every = Math.ceil(58 / each), low = TOP + 2 * TALL + GAP;
		for (let i = 0; i < all.length; i += every)
			pen.text(LEFT + (i + .5) * each, low + 18,
				bytes(all[i].from).replace('.0', ''), t.soft,
				{ size: 11.5, align: 'center' });
		if (document.activeElement === pic.canvas)
			pen.rect(LEFT + at * each - 1, TOP - 4, each + 2,
				2 * TALL + GAP + 8, null, t.accent);
	}

	function move(by) {
		at = Math.max(0, Math.min(all.length - 1, at + by));
		say(range(all[at]) + ': ' + told(all[at]).join(', '));
		pic.redraw();
	}

	const pic = picture({ view: 'sizes',
		height: () => TOP + 2 * TALL + GAP + LOW, draw,
		label: 'Blocks by size, ' + count(all.length) + ' sizes from ' +
			bytes(all[0].from) + ' to ' + bytes(all[all.length - 1].to) +
			'. Left and right arrows go from size to size.',
		find: x => all[Math.floor((x - LEFT) /
			((pic.host.clientWidth - LEFT - 4) / all.length))] ?? null,
		over: (r, e) => showTip(e.clientX, e.clientY,
			h('strong', {}, range(r)), ...told(r)),
		keys: { ArrowLeft: () => move(-1), ArrowRight: () => move(1),
			Escape: hideTip } });
	const text = () => csv([Object.keys(list[0])].concat(list.map(r =>
		Object.values(r))));
	const box = card({ id: 'sizes', title: 'Sizes of blocks',
		options: '--sizes', entries: pic.entries.concat([
			['Copy as CSV', () => copy(text())],
			['Save as CSV', () => saveText(text(), 'text/csv',
				fileName('sizes', 'csv'))]]) });
	box.note((model.data.rank === 'all' ? 'All ranks' : 'Rank ' +
		model.data.rank) + ', both scales logarithmic.');
	box.body.append(pic.host, h('ul', { class: 'legend' },
		h('li', {}, h('i', { class: 'area faint' }), 'allocated in all'),
		h('li', {}, h('i', { class: 'area' }), 'alive at the peak')));
	box.repaint = pic.paint;
	return box;
}
