// SPDX-License-Identifier: Apache-2.0
// Blocks of the page that are gzip, and that as base64 in lines.

// The text in the block with that id
export async function inflate(id) {
	const raw = Uint8Array.from(atob(document.getElementById(id).textContent
		.replace(/\s+/g, '')), c => c.charCodeAt(0));
	return new Response(new Blob([raw]).stream()
		.pipeThrough(new DecompressionStream('gzip'))).text();
}

// The data of the page, which have to have that form; null: it has none
export async function unpack(schema) {
	if (!document.getElementById('wm-data'))
		return null;
	const data = JSON.parse(await inflate('wm-data'));
	if (data.schema !== schema)
		throw new Error('the data have the form ' + data.schema);
	return data;
}
