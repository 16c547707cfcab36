// SPDX-License-Identifier: Apache-2.0
// The part of the page for browsers without scripts, also shown if there are no data,
// or the browser cannot inflate them.  A click on a heading sorts.
import { h } from './dom.js';

function sort(head) {
	const body = head.closest('table').tBodies[0], i = head.cellIndex;
	const sign = head.dataset.sign = head.dataset.sign === '1' ? '-1' : '1';
	const value = row => row.cells[i].dataset.v || row.cells[i].textContent;
	body.append(...Array.from(body.rows).sort((a, b) => {
		const n = parseFloat(value(b)) - parseFloat(value(a));
		return sign * (isNaN(n) ? value(a).localeCompare(value(b)) : n);
	}));
}

function makeSortable(box) {
	box.querySelectorAll('th').forEach(th => {
		th.tabIndex = 0;
		th.addEventListener('click', () => sort(th));
		th.addEventListener('keydown', e => e.key === 'Enter' &&
			sort(th));
	});
}

const parse = text => new DOMParser().parseFromString(text.textContent,
	'text/html');

// null: none
function plainPart() {
	const text = document.querySelector('noscript');
	return text && parse(text).querySelector('.plain');
}

// Reports without a view, as in the plain part.
export function others(known) {
	const part = plainPart();
	const sections = part ? part.querySelectorAll(':scope > section') : [];
	return Array.from(sections).filter(s => !known.includes(s.id)).map(s => {
		const box = h('section', { class: 'card plain',
			'aria-label': s.id }, s.childNodes.length
			? Array.from(s.childNodes) : []);
		makeSortable(box);
		return box;
	});
}

export function plain(error) {
	const text = document.querySelector('noscript');
	document.documentElement.classList.remove('scripted');
	if (error)
		document.body.append(h('p', { class: 'warning' },
			'The pictures cannot be drawn: ' + error.message));
	if (!text)
		return;
	document.body.append(...parse(text).body.childNodes);
	makeSortable(document);
}
