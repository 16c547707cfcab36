// SPDX-License-Identifier: Apache-2.0
// What all pages have in common: the theme, what is drawn anew when it changes,
// printing, and how a page begins.
import { readTheme } from './colours.js';
import { plain } from './plain.js';
import { state, watch } from './state.js';

export function putTheme() {
	const root = document.documentElement;
	if (state.theme === 'light' || state.theme === 'dark')
		root.dataset.theme = state.theme;
	else
		delete root.dataset.theme;
	readTheme();
}

// Views are in the page now.  Paper is light, whatever the screen is
export function startViews(views) {
	const repaint = () => {
		readTheme();
		views.forEach(v => v.repaint && v.repaint());
	};
	views.forEach(v => v.start && v.start());
	watch((s, changed) => {
		if (changed.has('theme')) {
			putTheme();
			repaint();
		}
	});
	matchMedia('(prefers-color-scheme: dark)')
		.addEventListener('change', repaint);
	addEventListener('beforeprint', () => {
		document.documentElement.dataset.theme = 'light';
		repaint();
	});
	addEventListener('afterprint', () => { putTheme(); repaint(); });
}

// The view that a tile leads to, or else the first one of @other
export function goTo(view, other) {
	const to = document.getElementById('view-' + view) ||
		document.getElementById('view-' + other);
	to.scrollIntoView();
	to.querySelector('h2').focus({ preventScroll: true });
}

// @load: a promise of what @build makes a page of; null: there is nothing
export function run(load, build) {
	document.documentElement.classList.add('scripted');
	load.then(d => d ? build(d) : plain()).catch(plain).finally(() => {
		performance.mark('ready');
		document.documentElement.dataset.ready = 'yes';
	});
}
