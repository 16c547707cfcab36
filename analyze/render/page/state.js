// SPDX-License-Identifier: Apache-2.0
// The user's choices: moment, rank and so on.  All are in the fragment of the address,
// so that a mailed link shows the same.

const WORDS = {
	moment: 'number', versus: 'number', rank: 'number', by: 'text',
	from: 'number', to: 'number', frame: 'number', find: 'text',
	inverted: 'flag', wrappers: 'flag', threads: 'flag', least: 'number',
	order: 'text', whole: 'flag', rows: 'text', resident: 'flag', list: 'text', theme: 'text', view: 'text',
};

export const state = {};
const watchers = [];
let initial = {};

// f(state, changed): changed is the set of keys with new values.
export function watch(f) {
	watchers.push(f);
}

function read() {
	const out = Object.assign({}, initial);
	for (const pair of location.hash.slice(1).split('&')) {
		const [key, text = ''] = pair.split('=');
		let value;
		try {
			value = decodeURIComponent(text);
		} catch (e) {
			continue;
		}
		if (!Object.hasOwn(WORDS, key))
			continue;
		if (WORDS[key] === 'flag')
			out[key] = value === '1';
		else if (WORDS[key] === 'text')
			out[key] = value;
		else if (value !== '' && Number.isFinite(Number(value)))
			out[key] = Number(value);
	}
	return out;
}

function write() {
	const words = [];
	for (const key of Object.keys(WORDS)) {
		const v = state[key];
		if (v === undefined || v === null || v === initial[key])
			continue;
		words.push(key + '=' + encodeURIComponent(v === true ? '1'
			: v === false ? '0' : v));
	}
	const hash = '#' + words.join('&');
	if (hash !== location.hash && (words.length || location.hash))
		history.replaceState(null, '', hash);
}

function apply(next) {
	const changed = new Set();
	for (const key of Object.keys(WORDS))
		if (state[key] !== next[key]) {
			state[key] = next[key];
			changed.add(key);
		}
	if (changed.size)
		watchers.forEach(f => f(state, changed));
}

export function set(patch) {
	apply(Object.assign({}, state, patch));
	write();
}

// @check replaces values of a link that this run lacks, such as a rank or a moment.
export function begin(values, check) {
	initial = values;
	Object.assign(state, check(read()));
	addEventListener('hashchange', () => apply(check(read())));
}
