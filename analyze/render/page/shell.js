// SPDX-License-Identifier: Apache-2.0
// The common parts of all pages: theme, printing, start.
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

// Called when the views are in the page.  Paper is always light.
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

// Shows the view that a tile leads to, else the view @other.
export function goTo(view, other, behavior) {
	const to = document.getElementById('view-' + view) ||
		document.getElementById('view-' + other);
	to.scrollIntoView({ behavior });
	to.querySelector('h2').focus({ preventScroll: true });
}

// @load: a promise of the data from which @build makes a page; null: none.
export function run(load, build) {
	document.documentElement.classList.add('scripted');
	load.then(d => d ? build(d) : plain()).catch(plain).finally(() => {
		performance.mark('ready');
		document.documentElement.dataset.ready = 'yes';
	});
}
