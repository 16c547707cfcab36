// SPDX-License-Identifier: Apache-2.0
// The bar that stays visible: the moment and rank of all views, and the moment to
// compare with.
import { h, say } from './dom.js';
import { bytes, ns, signed } from './format.js';
import { set, state, watch } from './state.js';

// 'rank 3, peak'; a label may name the rank itself
export const whose = m => m.all || / of rank \d+$/.test(m.label) ? m.label
	: 'rank ' + m.rank + ', ' + m.label;

export function momentBar(model) {
	const list = model.moments, span = model.span;
	const left = t => 100 * Math.max(0, Math.min(1, t / span)) + '%';
	const ticks = list.map(m => m.timed && h('i', { class: 'tick tick-' + m.kind,
		style: { left: left(m.time) } }));
	const hand = h('i', { class: 'hand' }), other = h('i', { class: 'hand other' });
	const scale = h('div', { class: 'scale', role: 'slider', tabindex: '0',
		'aria-label': 'Moment', 'aria-valuemin': '0',
		onclick: e => {
			const r = scale.getBoundingClientRect();
			set({ moment: model.nearest(
				(e.clientX - r.left) / r.width * span, state.rank) });
		},
		onkeydown: key }, h('span', { class: 'rail' }), ticks, other, hand);
	const pick = select('Moment', model, m => set({ moment: m }));
	const against = select('Compare with', model,
		m => set({ versus: m }), 'nothing');
	const when = h('span', { class: 'when' });
	const size = h('strong', { class: 'size' });
	const rank = h('input', { type: 'number', 'aria-label': 'Rank',
		min: '0', max: String(model.maxRank), step: '1',
		onchange: () => {
			const r = Number(rank.value);
			if (model.hasRank(r))
				set({ rank: r, moment: model.nearest(
					list[state.moment].time, r) });
			else
				rank.value = state.rank;
		} });
	const worst = h('button', { type: 'button', class: 'quiet',
		onclick: () => set({ rank: model.worst,
			moment: model.start }) }, 'Worst');

	function key(e) {
		const order = model.orderOf(state.moment);
		const at = order.indexOf(state.moment);
		const to = { ArrowLeft: at - 1, ArrowDown: at - 1,
			ArrowRight: at + 1, ArrowUp: at + 1, Home: 0,
			End: order.length - 1 }[e.key];
		if (to === undefined)
			return;
		e.preventDefault();
		set({ moment: order[Math.max(0, Math.min(order.length - 1, to))] });
	}

	function paint() {
		const m = list[state.moment], v = list[state.versus];
		const order = model.orderOf(state.moment);
		ticks.forEach((tick, i) => {
			if (tick)
				tick.hidden = !order.includes(i);
		});
		hand.style.left = left(m.time);
		other.hidden = !v;
		if (v)
			other.style.left = left(v.time);
		pick.value = String(state.moment);
		against.value = v ? String(state.versus) : '';
		when.textContent = m.all ? 'all ranks' : ns(m.time) + ', rank ' +
			m.rank;
		size.textContent = v ? signed(m.bytes - v.bytes) : bytes(m.bytes);
		rank.value = state.rank;
		worst.disabled = state.rank === model.worst &&
			state.moment === model.start;
		scale.setAttribute('aria-valuemax', String(order.length - 1));
		scale.setAttribute('aria-valuenow',
			String(order.indexOf(state.moment)));
		scale.setAttribute('aria-valuetext', m.label + ' at ' +
			ns(m.time) + ', ' + bytes(m.bytes));
	}

	watch((s, changed) => {
		if (changed.has('moment') || changed.has('versus'))
			say(list[s.moment].label + ', ' + bytes(list[s.moment].bytes));
		paint();
	});
	paint();
	return h('section', { class: 'moments', 'aria-label': 'Moment and rank' },
		h('div', { class: 'moments-in' },
		h('div', { class: 'moment-now' }, size, when), scale,
		h('div', { class: 'moment-choose' },
			h('label', {}, h('span', {}, 'Moment'), pick),
			h('label', {}, h('span', {}, 'Compare'), against),
			h('label', {}, h('span', {}, 'Rank'), rank), worst)));
}

function select(label, model, change, none) {
	const short = s => s.length > 60 ? s.slice(0, 59) + '\u2026' : s;
	const groups = new Map();
	for (const i of model.byTime) {
		const m = model.moments[i];
		const key = m.all ? 'All ranks' : 'Rank ' + m.rank;
		if (!groups.has(key))
			groups.set(key, []);
		groups.get(key).push(h('option', { value: String(i) },
			short(m.label) + (m.timed ? ' \u00b7 ' + ns(m.time) : '')));
	}
	const first = 'Rank ' + model.home;
	const keys = [...groups.keys()].sort((a, b) => (b === first) - (a === first));
	const e = h('select', { 'aria-label': label, onchange: () =>
		change(e.value === '' ? undefined : Number(e.value)) },
	none && h('option', { value: '' }, none),
	keys.map(k => keys.length > 1 ? h('optgroup', { label: k }, groups.get(k))
		: groups.get(k)));
	return e;
}
