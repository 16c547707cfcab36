// SPDX-License-Identifier: Apache-2.0
// Files and the clipboard: nothing leaves the machine.
import { h, say } from './dom.js';

export function saveBlob(blob, name) {
	const url = URL.createObjectURL(blob);
	const a = h('a', { href: url, download: name });
	document.body.append(a);
	a.click();
	a.remove();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export const saveText = (text, type, name) =>
	saveBlob(new Blob([text], { type }), name);

export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch (e) {
		const area = h('textarea', { class: 'unseen' });
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
	say('copied');
}
