// SPDX-License-Identifier: Apache-2.0
// A curve in a cell of a table: the memory of a site over time.
import { bytes } from './format.js';

const SVG = 'http://www.w3.org/2000/svg', WIDE = 84, TALL = 20;

function shape(kind, attrs) {
	const e = document.createElementNS(SVG, kind);
	for (const [key, value] of Object.entries(attrs))
		e.setAttribute(key, value);
	return e;
}

export const growth = values => values && values.length
	? values[values.length - 1] - values[0] : null;

export function sparkline(values) {
	if (!values || !values.length)
		return '';
	const most = Math.max(...values, 1), last = values.length - 1;
	const x = i => 1 + i / Math.max(1, last) * (WIDE - 5);
	const y = v => TALL - 2 - v / most * (TALL - 5);
	const line = values.map((v, i) => x(i).toFixed(1) + ' ' +
		y(v).toFixed(1)).join('L');
	const out = shape('svg', { class: 'spark', role: 'img', width: WIDE,
		height: TALL, viewBox: `0 0 ${WIDE} ${TALL}`,
		'aria-label': 'from ' + bytes(values[0]) + ' to ' +
			bytes(values[last]) + ', highest ' + bytes(most) });
	out.append(shape('path', { class: 'spark-area',
		d: `M${x(0)} ${TALL - 2}L${line}L${x(last)} ${TALL - 2}Z` }),
	shape('path', { class: 'spark-line', d: 'M' + line }),
	shape('circle', { class: 'spark-end', cx: x(last), cy: y(values[last]),
		r: 2 }));
	return out;
}

/* The column of a table whose rows have @values(row), sorted by growth.  CSV
 * has the points. */
export const trendColumn = (label, values) => ({ key: 'trend', label,
	kind: 'trend', get: row => values(row) || null,
	order: row => growth(values(row)), show: sparkline });
