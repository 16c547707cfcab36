// SPDX-License-Identifier: Apache-2.0
// The block of data in the page, inflated.

export async function unpack(schema) {
	const block = document.getElementById('wm-data');
	if (!block)
		return null;
	const raw = Uint8Array.from(atob(block.textContent.replace(/\s+/g, '')),
		c => c.charCodeAt(0));
	const stream = new Blob([raw]).stream()
		.pipeThrough(new DecompressionStream('gzip'));
	const data = JSON.parse(await new Response(stream).text());
	if (data.schema !== schema)
		throw new Error('the data have the form ' + data.schema);
	return data;
}
