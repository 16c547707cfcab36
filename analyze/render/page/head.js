// SPDX-License-Identifier: Apache-2.0
// The top of the page: the run, and its most important numbers.
import { h } from './dom.js';
import { bytesParts, exact, seconds } from './format.js';
import { set, state } from './state.js';

function themeButton() {
	const words = { auto: 'Auto', light: 'Light', dark: 'Dark' };
	const order = ['auto', 'light', 'dark'];
	const text = () => words[state.theme] || words.auto;
	const b = h('button', { type: 'button', class: 'quiet',
		title: 'Colours: as the system has them, light, dark',
		onclick: () => {
			const at = order.indexOf(state.theme);
			set({ theme: order[(at + 1) % 3] });
			b.textContent = text();
		} }, text());
	return b;
}

export function head(model) {
	const run = model.run;
	const facts = run.facts.map(([name, value]) =>
		h('div', {}, h('dt', {}, name), h('dd', { title: value }, value)));
	return h('header', { class: 'head' },
		h('div', { class: 'brand' },
			h('span', { class: 'mark', 'aria-hidden': 'true' }),
			h('span', {}, 'wmtools'),
			h('span', { class: 'grow' }), themeButton()),
		h('h1', { title: run.program }, run.program),
		run.command && h('p', { class: 'command-line', title: run.command },
			run.command),
		h('p', { class: 'lead' }, model.lead),
		h('dl', { class: 'facts' }, facts),
		model.data?.deaths ? deaths(model.data.deaths) : null,
		model.warnings.length ? warnings(model.warnings) : null);
}

const times = g => g.last_s - g.first_s < .0005 ? seconds(g.first_s)
	: seconds(g.first_s) + ' to ' + seconds(g.last_s);

// "0-2, 4"; only the first ranges of a long list.
function runs(list) {
	const out = [];
	for (let i = 0, k; i < list.length; i = k) {
		for (k = i + 1; list[k] === list[k - 1] + 1; k++)
			;
		if (out.length === 8)
			return out.join(', ') + ', ' + (list.length - i) + ' more';
		out.push(list[i] + (k > i + 1 ? '-' + list[k - 1] : ''));
	}
	return out.join(', ');
}

// How the ranks of a run ended that died.
function deaths(d) {
	const path = g => (g.path || '').split(';').reverse().slice(0, 4)
		.join(' < ');
	return h('section', { class: 'deaths', 'aria-label': 'How ranks ended' },
		h('h2', {}, 'How ranks ended'),
		d.sentences.map(text => h('p', {}, text)),
		h('ul', {}, d.groups.map(g => h('li', {}, (g.ranks.length === 1
			? 'Rank ' : 'Ranks ') + runs(g.ranks) + ': ' + g.in_words +
			', last event at ' + times(g) + (g.path
			? ', last allocation in ' + path(g) : '')))));
}

function warnings(list) {
	return h('details', { class: 'warning' },
		h('summary', {}, list[0],
			list.length > 1 && h('span', { class: 'more' },
				' and ' + (list.length - 1) + ' more')),
		h('ul', {}, list.map(text => h('li', {}, text))));
}

// Each tile leads to its view.
export function tiles(list, go) {
	return h('nav', { class: 'tiles', 'aria-label': 'The run in numbers' },
		list.map(t => {
			const [n, unit] = t.bytes !== undefined
				? bytesParts(t.bytes) : [t.value, t.unit || ''];
			return h('button', { type: 'button', class: 'tile' +
				(t.first ? ' first' : ''), 'data-tile': t.key,
			title: t.bytes !== undefined ? exact(t.bytes) : null,
			onclick: () => go(t) },
			h('span', { class: 'tile-label' }, t.label),
			h('span', { class: 'tile-value' }, n,
				h('small', {}, ' ' + unit)),
			h('span', { class: 'tile-note' }, t.note || ''));
		}));
}
