// SPDX-License-Identifier: Apache-2.0
// Unpacks blocks of the page: lines of base64, which contain gzip.

export async function inflate(id) {
	const raw = Uint8Array.from(atob(document.getElementById(id).textContent
		.replace(/\s+/g, '')), c => c.charCodeAt(0));
	return new Response(new Blob([raw]).stream()
		.pipeThrough(new DecompressionStream('gzip'))).text();
}

// {a: [1, 2], b: [3, 4]} becomes [{a: 1, b: 3}, {a: 2, b: 4}].
function rows(columns) {
	const keys = Object.keys(columns), n = columns[keys[0]].length;
	return Array.from({ length: n }, (_, i) => Object.fromEntries(
		keys.map(k => [k, columns[k][i]])));
}

// Tables are packed as columns, and become rows as in --json.
function unpacked(v) {
	if (Array.isArray(v))
		return v[0] && typeof v[0] === 'object' ? v.map(unpacked) : v;
	if (!v || typeof v !== 'object')
		return v;
	if (v.columns)
		return rows(v.columns);
	for (const k of Object.keys(v))
		v[k] = unpacked(v[k]);
	return v;
}

// Removes parameters of functions, also in call paths, unless another name differs only
// in these.
function bared(v, bare) {
	if (typeof v === 'string')
		return v.includes('(') ? v.split(';').map(n => bare[n] ?? n).join(';')
			: v;
	if (v && typeof v === 'object' && typeof v[0] !== 'number')
		for (const k of Object.keys(v))
			v[k] = bared(v[k], bare);
	return v;
}

// The data of the page, which must have the form @schema; null: none.  @named: keys
// with names of functions.
export async function unpack(schema, named) {
	if (!document.getElementById('wm-data'))
		return null;
	const data = JSON.parse(await inflate('wm-data'));
	if (data.schema !== schema)
		throw new Error('the data have the form ' + data.schema);
	unpacked(data);
	if (Object.keys(data.bare).length)
		for (const k of named)
			data[k] = bared(data[k], data.bare);
	return data;
}
