// SPDX-License-Identifier: Apache-2.0
// Call paths as a tree of frames for the flame graph: top-down or inverted, with
// wrappers folded and threads separate, at one moment or two.

// Sums of a tree whose parents precede their children.
function totals(parent, self) {
	const total = Float64Array.from(self);
	for (let i = parent.length - 1; i > 0; i--)
		if (parent[i] >= 0)
			total[parent[i]] += total[i];
	return total;
}

/* Node 0 is the root, as in the data.  @keep(i): the frame is shown; other
 * frames give their bytes to the frame above. */
function topDown(paths, values, keep) {
	const place = new Int32Array(paths.n), index = new Map();
	const out = start();
	for (let i = 1; i < paths.n; i++) {
		const above = paths.parent[i] < 0 ? 0 : place[paths.parent[i]];
		if (!keep(i)) {
			place[i] = above;
		} else {
			place[i] = child(out, index, above, paths.key[i], i);
		}
		values.forEach((v, k) => { out.self[k][place[i]] += v[i]; });
	}
	return out;
}

// Below each site are its callers, with the bytes of that site.
function inverted(paths, values, keep) {
	const index = new Map(), out = start();
	for (let i = 0; i < paths.n; i++) {
		if (values.every(v => !v[i]))
			continue;
		let at = 0, last = 0;
		for (let j = i; j > 0; j = paths.parent[j]) {
			if (!keep(j))
				continue;
			at = child(out, index, at, paths.key[j], j);
			last = at;
		}
		values.forEach((v, k) => { out.self[k][last] += v[i]; });
	}
	return out;
}

const start = () => ({ parent: [-1], node: [-1], depth: [0], self: [[0], [0]],
	kids: [[]] });

function child(out, index, above, key, node) {
	const name = above + ':' + key;
	let at = index.get(name);
	if (at !== undefined)
		return at;
	at = out.parent.length;
	index.set(name, at);
	out.parent.push(above);
	out.node.push(node);
	out.depth.push(out.depth[above] + 1);
	out.self.forEach(s => s.push(0));
	out.kids.push([]);
	out.kids[above].push(at);
	return at;
}

/* @values: own bytes of each node at the moment, and perhaps at the one to
 * compare with.  The tree has total[], minus[] (or null), and weight[], the
 * widths. */
export function makeTree(paths, values, { upside, wrappers, threads }) {
	const keep = i => (wrappers || !paths.wrapper[i]) &&
		(threads || !paths.threadRoot[i]);
	const t = (upside ? inverted : topDown)(paths, values, keep);
	// children follow their parents, but not in the order of the data
	t.total = totals(t.parent, t.self[0]);
	t.minus = values[1] ? totals(t.parent, t.self[1]) : null;
	// a frame is wide enough for its children that grew and those that shrank
	t.weight = t.minus ? totals(t.parent, t.self[0].map((v, i) =>
		Math.max(v, t.self[1][i]))) : t.total;
	t.kids.forEach(list => list.sort((a, b) => t.weight[b] - t.weight[a]));
	return t;
}

// The frames that match, and the bytes of these with all frames below them.
export function findFrames(t, match) {
	const found = new Uint8Array(t.parent.length);
	let sum = 0;
	for (let i = 1; i < found.length; i++) {
		const above = found[t.parent[i]] > 0;
		const hit = match(t.node[i]);
		found[i] = hit ? 1 : above ? 2 : 0;
		if (hit && !above)
			sum += t.total[i];
	}
	return { found, sum };
}
