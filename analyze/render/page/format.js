// SPDX-License-Identifier: Apache-2.0
// Bytes and nanoseconds are integers in the data.

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// [number, unit]
export function bytesParts(n) {
	let i = 0, v = Math.abs(n);
	while (v >= 1023.95 && i < UNITS.length - 1) {
		v /= 1024;
		i++;
	}
	const sign = n < 0 ? '\u2212' : '';
	if (i === 0)
		return [sign + v, v === 1 ? 'byte' : 'bytes'];
	return [sign + v.toFixed(1), UNITS[i]];
}

export const bytes = n => n === null || n === undefined ? '\u2013'
	: bytesParts(n).join(' ');

export const signed = n => (n > 0 ? '+' : '') + bytes(n);

export const count = n => n === null || n === undefined ? '\u2013'
	: Math.round(n).toLocaleString('en-US');

export const exact = n => count(n) + ' bytes';

export const share = (part, whole) =>
	whole > 0 ? (100 * part / whole).toFixed(1) + ' %' : '\u2013';

export function seconds(s) {
	if (s === null || s === undefined)
		return '\u2013';
	if (s < 0.001 && s > 0)
		return (s * 1e6).toFixed(0) + ' \u00b5s';
	if (s < 1)
		return (s * 1e3).toFixed(s < 0.01 ? 2 : 1) + ' ms';
	if (s < 120)
		return s.toFixed(s < 10 ? 3 : 2) + ' s';
	if (s < 7200)
		return Math.floor(s / 60) + ' min ' + Math.round(s % 60) + ' s';
	return Math.floor(s / 3600) + ' h ' + Math.round(s % 3600 / 60) + ' min';
}

export const ns = n => n === null || n === undefined ? '\u2013'
	: seconds(n / 1e9);

// Ticks of an axis of bytes are round in their unit.
export function byteTicks(max, most) {
	if (!(max > 0))
		return [0];
	let unit = 1;
	while (unit * 1024 <= max)
		unit *= 1024;
	const raw = max / unit / most;
	const ten = Math.pow(10, Math.floor(Math.log10(raw)));
	const step = [1, 2, 2.5, 5, 10].map(f => f * ten).find(f => f >= raw) *
		unit;
	const ticks = [];
	for (let v = 0; v <= max * 1.0001; v += step)
		ticks.push(v);
	return ticks;
}

export function byteTick(v, max) {
	if (v === 0)
		return '0';
	let i = 0, unit = 1;
	while (unit * 1024 <= max) {
		unit *= 1024;
		i++;
	}
	return +(v / unit).toFixed(2) + ' ' + UNITS[i];
}

// '/a/b/libx.a(y.o)' is 'libx.a(y.o)'.
export const base = s => String(s ?? '').replace(/^(\[?).*\//, '$1');

// A long name loses its middle, as both ends are informative.
export function shorten(name, most) {
	if (name.length <= most)
		return name;
	const head = Math.ceil((most - 1) * 0.6);
	return name.slice(0, head) + '\u2026' +
		name.slice(name.length - (most - 1 - head));
}

export function csv(rows) {
	return rows.map(row => row.map(v => {
		const s = v === null || v === undefined ? '' : String(v);
		return /[",\r\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
	}).join(',')).join('\r\n') + '\r\n';
}
