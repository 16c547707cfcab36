// SPDX-License-Identifier: Apache-2.0
// One hue for quantity, which varies only in lightness; one accent for the chosen; for
// kinds the colours of Okabe and Ito, softened, which colour-blind users can
// distinguish.

const KINDS = {
	light: ['#2b6ca3', '#d08a00', '#0b8a68', '#b5568c', '#4ba3d4', '#c0552b',
		'#8d8420', '#6b5bb0', '#7a6a58', '#0f6d7a', '#a23b53', '#5d7f2e'],
	dark: ['#5aa2dc', '#e6ac3c', '#35b892', '#d683b1', '#86c8ee', '#e5845a',
		'#c4ba4e', '#a497e6', '#b8a58e', '#4fb9c6', '#e07a92', '#9cc06a'],
};
const RAMPS = {
	light: ['#f1f4f7', '#cfdfea', '#9cc0d8', '#5d99bf', '#2f729f', '#16507b',
		'#082f50'],
	dark: ['#1a2026', '#1d3344', '#1f4d69', '#267092', '#4398b8', '#83c5d8',
		'#dff4f4'],
};

let now = {};

function rgb(hex) {
	const n = parseInt(hex.slice(1), 16);
	return [n >> 16, n >> 8 & 255, n & 255];
}

const blend = (a, b, t) => a.map((v, i) => Math.round(v + (b[i] - v) * t));

export const css = c => 'rgb(' + c.join(',') + ')';

export function readTheme() {
	const style = getComputedStyle(document.documentElement);
	const name = style.getPropertyValue('--theme').trim() === 'dark'
		? 'dark' : 'light';
	const of = key => style.getPropertyValue('--' + key).trim();
	now = { name, ink: of('ink'), soft: of('soft'), line: of('line'),
		card: of('card'), accent: of('accent'), data: of('data'),
		kinds: KINDS[name], ramp: RAMPS[name].map(rgb),
		font: getComputedStyle(document.body).fontFamily };
	return now;
}

export const theme = () => now;

// Returns a value from 0 to 1 as [r, g, b].
export function ramp(v) {
	const stops = now.ramp, x = Math.max(0, Math.min(1, v)) *
		(stops.length - 1);
	const i = Math.min(stops.length - 2, Math.floor(x));
	return blend(stops[i], stops[i + 1], x - i);
}

export const kind = i => now.kinds[i % now.kinds.length];

// -1 to 1: growth is warm, shrinkage blue.
export function difference(v) {
	const to = rgb(now.name === 'dark' ? v > 0 ? '#f08a4b' : '#5aa2dc'
		: v > 0 ? '#d9661f' : '#2b6ca3');
	const from = rgb(now.name === 'dark' ? '#2b3036' : '#eceae6');
	return css(blend(from, to, Math.min(1, 0.15 + 0.85 * Math.abs(v))));
}

// A number from 0 to 1 that depends only on the name.
export function hash(name) {
	let x = 2166136261;
	for (let i = 0; i < name.length; i++)
		x = Math.imul(x ^ name.charCodeAt(i), 16777619);
	return (x >>> 8) % 1000 / 1000;
}

// The hue shows the owner of the code, the lightness separates neighbours.
export function frame(name, which) {
	const dark = now.name === 'dark';
	const base = rgb(dark
		? ['#2f5f86', '#2c6d62', '#6b5a86', '#4a525b'][which]
		: ['#a9cbe4', '#a9d8c8', '#cfc3e6', '#d9dadb'][which]);
	const to = rgb(dark ? '#ffffff' : '#51708a');
	return css(blend(base, to, hash(name) * (dark ? 0.12 : 0.2)));
}

export function inkOn(colour) {
	const [r, g, b] = colour.startsWith('#') ? rgb(colour)
		: colour.match(/\d+/g).map(Number);
	return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#14181c' : '#ffffff';
}
