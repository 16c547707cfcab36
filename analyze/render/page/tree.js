// SPDX-License-Identifier: Apache-2.0
// Call paths as a tree of frames, as the flame graph shows them: top-down or
// inverted, wrappers folded, threads apart, of one moment or of two.

// Sums of a tree whose parents stand before their children
function totals(parent, self) {
	const total = Float64Array.from(self);
	for (let i = parent.length - 1; i > 0; i--)
		if (parent[i] >= 0)
			total[parent[i]] += total[i];
	return total;
}

/*
 * The tree in the data, whose node 0 is the root, as here.  @keep(i): the frame
 * is shown; one that is not gives its bytes to the frame above it.
 */
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

// Leaves first: below each site the callers, with the bytes of that site
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

/*
 * @values: bytes of each node's own at the moment, and at that to compare with
 * or none.  Gives total[], minus[] (or null), weight[]: what the widths are.
 */
export function makeTree(paths, values, { upside, wrappers, threads }) {
	const keep = i => (wrappers || !paths.wrapper[i]) &&
		(threads || !paths.threadRoot[i]);
	const t = (upside ? inverted : topDown)(paths, values, keep);
	// children stand after their parents but not in the order of the data
	t.total = totals(t.parent, t.self[0]);
	t.minus = values[1] ? totals(t.parent, t.self[1]) : null;
	// what grew stands beside what shrank: a frame has room for both
	t.weight = t.minus ? totals(t.parent, t.self[0].map((v, i) =>
		Math.max(v, t.self[1][i]))) : t.total;
	t.kids.forEach(list => list.sort((a, b) => t.weight[b] - t.weight[a]));
	return t;
}

// The frames that match, and what share of all they and all below them are
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
