// SPDX-License-Identifier: Apache-2.0
// The holders of memory at the chosen moment as an icicle: callers above the functions
// that they call, as wide as their bytes.
import { box as check, fill, h, say, showTip } from './dom.js';
import { bytes, exact, share, shorten, signed } from './format.js';
import { difference, frame as frameColour, inkOn, theme } from './colours.js';
import { card, picture } from './picture.js';
import { whose } from './moments.js';
import { set, state, watch } from './state.js';
import { findFrames, makeTree } from './tree.js';

const ROW = 21;

export function flame(model) {
	const paths = model.paths;
	let tree, search = null, cursor = 0, boxes = [];
	const crumbs = h('nav', { class: 'crumbs', 'aria-label': 'Zoomed to' });
	const told = h('span', { class: 'told', role: 'status' });
	const find = h('input', { type: 'search', placeholder: 'Search a function',
		'aria-label': 'Search in the flame graph',
		oninput: () => set({ find: find.value || undefined }) });
	const upside = check('Inverted', state.inverted, v =>
		set({ inverted: v, frame: undefined }));
	const wrappers = check('Wrappers', state.wrappers, v =>
		set({ wrappers: v, frame: undefined }));
	const threads = check('Threads', state.threads, v =>
		set({ threads: v, frame: undefined }));
	const least = h('select', { 'aria-label': 'Leave out frames below',
		onchange: () => set({ least: Number(least.value) }) },
	[[0, 'All frames'], [0.1, 'from 0.1 %'], [1, 'from 1 %'], [5, 'from 5 %']]
		.map(([v, text]) => h('option', { value: String(v) }, text)));
	const pic = picture({ view: 'flame', label: '', height, draw, find: at,
		over: tip, pick: (f, e) => e.detail < 2 && zoom(f.i),
		keys: { ArrowUp: () => move(tree.parent[cursor]),
			ArrowDown: () => move(tree.kids[cursor][0]),
			ArrowLeft: () => move(beside(-1)), ArrowRight: () => move(beside(1)),
			Enter: () => zoom(cursor), Escape: () => zoom(0) } });
	const box = card({ id: 'flame', title: model.flameTitle || 'Holders',
		options: model.flameOptions || '--tree', tools: [find], entries: pic.entries });

	const name = i => i === 0 ? model.run.program : paths.label(tree.node[i]);

	// The frame that fills the width; the link names a node of the data.
	function focus() {
		if (state.frame === undefined)
			return 0;
		const i = tree.node.indexOf(state.frame);
		return i > 0 ? i : 0;
	}

	function build() {
		const values = [model.bytesAt(state.moment)];
		if (model.moments[state.versus])
			values.push(model.bytesAt(state.versus));
		tree = makeTree(paths, values, { upside: state.inverted,
			wrappers: state.wrappers, threads: state.threads });
		if (cursor >= tree.parent.length)
			cursor = 0;
		const words = (state.find || '').toLowerCase();
		search = words ? findFrames(tree, n =>
			paths.label(n).toLowerCase().includes(words)) : null;
	}

	// Boxes of the visible frames: {i, x, y, w}; x and w are shares of the width.
	function layout(width) {
		const top = focus(), whole = tree.weight[top];
		const cut = Math.max(state.least / 100 * tree.weight[0],
			0.4 / width * whole);
		boxes = [];
		const above = [];
		for (let i = top; i > 0; i = tree.parent[i])
			above.unshift(tree.parent[i]);
		above.forEach((i, y) => boxes.push({ i, x: 0, y, w: 1, above: true }));
		const stack = [[top, 0, 1, above.length]];
		while (stack.length) {
			const [i, x, w, y] = stack.pop();
			boxes.push({ i, x, y, w });
			let at = x;
			for (const k of tree.kids[i]) {
				const part = whole ? tree.weight[k] / whole : 0;
				if (tree.weight[k] > 0 && tree.weight[k] >= cut)
					stack.push([k, at, part, y + 1]);
				at += part;
			}
		}
		return boxes.reduce((m, b) => Math.max(m, b.y), 0) + 1;
	}

	function height(width) {
		return Math.max(4, layout(width)) * ROW + 2;
	}

	const dim = b => search && b.i && search.found[b.i] === 0;

	function colour(b) {
		if (dim(b))
			return theme().name === 'dark' ? '#262b31' : '#eeece8';
		if (tree.minus) {
			const most = Math.max(1, ...tree.kids[0].map(k =>
				Math.abs(tree.total[k] - tree.minus[k])));
			return difference((tree.total[b.i] - tree.minus[b.i]) / most);
		}
		return frameColour(name(b.i), b.i ? paths.kind(tree.node[b.i]) : 3);
	}

	function draw(pen, width) {
		layout(width);
		for (const b of boxes) {
			const x = b.x * width, w = b.w * width, y = b.y * ROW;
			const c = colour(b);
			const hit = search && search.found[b.i] === 1;
			pen.rect(x, y, Math.max(.5, w - (w > 3 ? 1 : 0)), ROW - 1, c,
				hit && w > 4 ? theme().accent : null);
			if (w > 28)
				pen.fitted(x + 5, y + 14.5, name(b.i), w - 9,
					b.above || dim(b) ? theme().soft : inkOn(c), { size: 12 });
			if (b.i === cursor && document.activeElement === pic.canvas)
				pen.rect(x, y, w, ROW - 1, null, theme().ink);
		}
		if (!tree.weight[0])
			pen.text(6, 3 * ROW, 'Nothing is live at this moment.',
				theme().soft, { size: 13 });
	}

	function at(x, y) {
		const row = Math.floor(y / ROW), s = x / pic.host.clientWidth;
		const b = boxes.find(k => k.y === row && s >= k.x && s < k.x + k.w);
		return b || null;
	}

	const amount = i => tree.minus
		? signed(tree.total[i] - tree.minus[i]) + ' (' + bytes(tree.minus[i]) +
			' \u2192 ' + bytes(tree.total[i]) + ')'
		: bytes(tree.total[i]);

	function tip(b, e) {
		const i = b.i;
		showTip(e.clientX, e.clientY, h('strong', {}, shorten(name(i), 300)),
			i ? paths.place(tree.node[i]) : '',
			amount(i) + ' \u00b7 ' + share(tree.total[i], tree.total[0]),
			exact(tree.total[i]));
	}

	function beside(step) {
		const list = cursor ? tree.kids[tree.parent[cursor]] : [];
		return list[list.indexOf(cursor) + step];
	}

	function move(i) {
		if (i === undefined || i < 0)
			return;
		cursor = i;
		say(name(i) + ', ' + amount(i));
		pic.redraw();
	}

	function zoom(i) {
		cursor = i;
		set({ frame: i && i !== focus() ? tree.node[i] : undefined });
	}

	function tell() {
		const m = model.moments[state.moment], v = model.moments[state.versus];
		const total = tree.total[0];
		box.note(h('span', { class: 'flame-total', 'data-bytes': total,
			'data-change': tree.minus && total - tree.minus[0] },
			tree.minus ? signed(total - tree.minus[0]) : bytes(total)),
		', ' + whose(m) + (v ? ' \u2212 ' + v.label : ''));
		told.textContent = search ? share(search.sum, total) + ' in frames of \u201c' +
			shorten(state.find, 40) + '\u201d' : '';
		pic.label('Call paths by bytes at ' + m.label + ': ' + bytes(total) +
			'. Arrow keys go from frame to frame, Enter zooms, Escape zooms out.');
		const list = [];
		for (let i = focus(); i > 0; i = tree.parent[i])
			list.unshift(i);
		crumbs.hidden = !list.length;
		fill(crumbs, [0, ...list].slice(-6).map((i, k, all) => h('button', {
			type: 'button', class: 'quiet', 'aria-current':
			k === all.length - 1 ? 'location' : null,
			onclick: () => zoom(i) }, shorten(name(i), 40))));
	}

	function refresh() {
		build();
		tell();
		pic.redraw();
	}

	watch((s, changed) => {
		if (document.activeElement !== find)
			find.value = s.find || '';
		upside.input.checked = s.inverted;
		wrappers.input.checked = s.wrappers;
		threads.input.checked = s.threads;
		least.value = String(s.least);
		if (['moment', 'versus', 'frame', 'find', 'inverted', 'wrappers',
			'threads', 'least'].some(k => changed.has(k)))
			refresh();
	});
	find.value = state.find || '';
	least.value = String(state.least);
	build();
	tell();
	box.body.append(h('div', { class: 'options' }, upside,
		paths.wrapper.some(Boolean) && wrappers,
		paths.threadRoot.some(Boolean) && threads, least, told), crumbs,
	h('div', { class: 'scroll' }, pic.host),
	model.merged ? h('p', { class: 'fine' }, model.merged) : '');
	box.repaint = pic.paint;
	return box;
}
