// SPDX-License-Identifier: Apache-2.0
// Static memory as nested boxes: archive, object file, variable.  Squarified treemaps:
// Bruls, Huizing and van Wijk, 2000.
import { fill, h, say, showTip } from './dom.js';
import { base, bytes, exact, share, shorten } from './format.js';
import { frame, hash, inkOn, theme } from './colours.js';
import { card, picture } from './picture.js';

function measure(node, above = null) {
	const kids = (node.children || []).map(k => measure(k, node));
	const out = { name: String(node.name ?? '?'), kids, above,
		value: kids.length ? kids.reduce((s, k) => s + k.value, 0)
			: node.value || 0 };
	kids.sort((a, b) => b.value - a.value);
	kids.forEach(k => { k.above = out; });
	return out;
}

// The worst ratio of sides in a row of @sum bytes along @side.
const ratio = (big, small, sum, side, scale) => Math.max(
	side * side * big * scale / (sum * scale) ** 2,
	(sum * scale) ** 2 / (side * side * small * scale));

function squarify(kids, x, y, w, h, put) {
	const list = kids.filter(k => k.value > 0);
	let rest = list.reduce((s, k) => s + k.value, 0), i = 0;
	while (i < list.length && w > 0 && h > 0) {
		const side = Math.min(w, h), scale = w * h / rest;
		let n = i, sum = 0, best = Infinity;
		while (n < list.length) {
			const r = ratio(list[i].value, list[n].value,
				sum + list[n].value, side, scale);
			if (r > best)
				break;
			best = r;
			sum += list[n++].value;
		}
		const thick = sum * scale / side;
		let at = 0;
		for (; i < n; i++) {
			const long = list[i].value * scale / thick;
			if (w >= h)
				put(list[i], x, y + at, thick, long);
			else
				put(list[i], x + at, y, long, thick);
			at += long;
		}
		if (w >= h) {
			x += thick;
			w -= thick;
		} else {
			y += thick;
			h -= thick;
		}
		rest -= sum;
	}
}

function boxesOf({ sections, run }) {
	const box = (of, name) => {
		let b = of.children.find(k => k.children && k.name === name);
		if (!b)
			of.children.push(b = { name, children: [] });
		return b;
	};
	const root = { name: run.program, children: [] };
	for (const s of sections.filter(k => /^(data|bss|tls)$/.test(k.class))) {
		const top = box(root, s.name);
		let rest = s.bytes;
		for (const r of s.rows) {
			const [, archive, member] = /^(.*)\((.*)\)$/.exec(r.object) ??
				[null, null, r.object ?? '(unknown object file)'];
			box(archive ? box(top, base(archive)) : top, base(member))
				.children.push({ name: r.name ?? '(padding)',
					value: r.bytes });
			rest -= r.bytes;
		}
		if (rest)
			top.children.push({ name: '(smaller ones)', value: rest });
	}
	return root;
}

export function treemap(model) {
	const root = measure(boxesOf(model.data));
	let top = root, boxes = [];
	const crumbs = h('nav', { class: 'crumbs', 'aria-label': 'Inside' });
	const pic = picture({ view: 'static', label: 'Static memory by archive, ' +
		'object file and variable: ' + bytes(root.value) +
		'. Enter goes into the largest box, Escape out of it.',
	height: w => Math.max(220, Math.min(380, w * .6)), draw,
	find: (x, y) => boxes.filter(b => x >= b.x && x < b.x + b.w &&
		y >= b.y && y < b.y + b.h).pop() || null,
	over: (b, e) => showTip(e.clientX, e.clientY, h('strong', {},
		shorten(b.node.name, 300)), bytes(b.node.value) + ' \u00b7 ' +
		share(b.node.value, root.value), exact(b.node.value)),
	pick: b => {
		let k = b.node;
		while (k.above && k.above !== top)
			k = k.above;
		enter(k.kids.length ? k : top);
	},
	keys: { Enter: () => top.kids[0] && top.kids[0].kids.length &&
		enter(top.kids[0]), Escape: () => top.above && enter(top.above) } });
	const box = card({ id: 'static', title: 'Static memory',
		options: '--static-report', entries: pic.entries });

	function place(node, x, y, w, hh, depth) {
		const box = { node, x, y, w, h: hh, leaf: true };
		boxes.push(box);
		const head = depth ? 18 : 0;
		box.leaf = !(node.kids.length && depth < 4 && w > 30 &&
			hh > head + 12);
		if (!box.leaf)
			squarify(node.kids, x + (depth ? 3 : 0), y + head,
				w - (depth ? 6 : 0), hh - head - (depth ? 3 : 0),
				(k, a, b, c, d) => place(k, a, b, c, d, depth + 1));
	}

	// All boxes of an archive have one colour.
	function whose(node) {
		let k = node;
		while (k.above && k.above.above && k.above.above !== root)
			k = k.above;
		return Math.floor(hash(k.name) * 3);
	}

	function draw(pen, w, hh) {
		boxes = [];
		place(top, 0, 0, w, hh, 0);
		for (const b of boxes.slice(1)) {
			const c = b.leaf ? frame(b.node.name, whose(b.node))
				: frame('', 3);
			pen.rect(b.x + .5, b.y + .5, Math.max(.5, b.w - 1),
				Math.max(.5, b.h - 1), c);
			if (b.w > 36 && b.h > 15)
				pen.fitted(b.x + 5, b.y + 13.5, b.node.name, b.w - 8,
					inkOn(c), { size: 11.5 });
		}
		if (!root.value)
			pen.text(4, 20, 'None.', theme().soft);
	}

	function enter(node) {
		top = node;
		const path = [];
		for (let k = node; k; k = k.above)
			path.unshift(k);
		crumbs.hidden = path.length < 2;
		fill(crumbs, path.map(k => h('button', { type: 'button',
			class: 'quiet', onclick: () => enter(k) }, shorten(k.name, 40))));
		say(node.name + ', ' + bytes(node.value));
		pic.redraw();
	}

	crumbs.hidden = true;
	box.note(root.name + ': ' + bytes(model.data.static.bytes) +
		'. A click goes into a box.');
	box.body.append(crumbs, pic.host);
	box.repaint = pic.paint;
	return box;
}
