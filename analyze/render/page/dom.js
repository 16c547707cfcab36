// SPDX-License-Identifier: Apache-2.0
// Names from a run become only text, never markup.

// h('a', {class: 'x', onclick: f}, 'text', element, ...)
export function h(tag, attrs, ...kids) {
	const e = document.createElement(tag);
	for (const [key, value] of Object.entries(attrs || {})) {
		if (value === undefined || value === null || value === false)
			continue;
		if (key.startsWith('on'))
			e.addEventListener(key.slice(2), value);
		else if (key === 'style')
			Object.assign(e.style, value);
		else
			e.setAttribute(key, value === true ? '' : value);
	}
	e.append(...kids.flat().filter(k => k !== null && k !== undefined &&
		k !== false));
	return e;
}

export function fill(e, ...kids) {
	e.replaceChildren(...kids.flat().filter(Boolean));
	return e;
}

// A row of buttons, one of which is pressed.
export function choice(label, options, value, change) {
	const buttons = options.map(([key, text]) => h('button', {
		type: 'button', 'aria-pressed': String(key === value),
		onclick: () => { press(key); change(key); },
	}, text));
	const press = key => options.forEach(([k], i) =>
		buttons[i].setAttribute('aria-pressed', String(k === key)));
	const group = h('div', { class: 'choice', role: 'group',
		'aria-label': label }, buttons);
	group.press = press;
	return group;
}

export function box(text, value, change) {
	const input = h('input', { type: 'checkbox',
		onchange: () => change(input.checked) });
	input.checked = value;
	const label = h('label', { class: 'box' }, input, text);
	label.input = input;
	return label;
}

// The text of pictures for users who cannot see them.
let voice;
export function say(text) {
	if (!voice) {
		voice = h('div', { class: 'unseen', role: 'status' });
		document.body.append(voice);
	}
	voice.textContent = text;
}

// One small window that follows the pointer.
let tip;
export function showTip(x, y, ...lines) {
	if (!tip) {
		tip = h('div', { class: 'tip', 'aria-hidden': 'true' });
		document.body.append(tip);
	}
	fill(tip, lines.filter(Boolean).map(line =>
		line instanceof Node ? line : h('div', {}, line)));
	tip.hidden = false;
	const r = tip.getBoundingClientRect();
	const left = x + 16 + r.width > innerWidth ? x - r.width - 12 : x + 16;
	const top = y + 16 + r.height > innerHeight ? y - r.height - 12 : y + 16;
	tip.style.left = Math.max(4, left) + 'px';
	tip.style.top = Math.max(4, top) + 'px';
}

export function hideTip() {
	if (tip)
		tip.hidden = true;
}
