// SPDX-License-Identifier: Apache-2.0
// The page of wm-analyze --model RUN... --html: what other jobs need.  It is made
// of the plain part: its sentence, its picture, and its tables.
import { h, say } from './dom.js';
import { card, fileName, nameRuns } from './picture.js';
import { begin, set, state, watch } from './state.js';
import { head } from './head.js';
import { plainPart } from './plain.js';
import { putTheme, run, startViews } from './shell.js';
import { saveText } from './save.js';
import { table } from './table.js';

// The picture: its strips are the jobs, each says what it needs
function picture(svg, label) {
	const jobs = [...svg.querySelectorAll('.job')];
	const told = h('p', { class: 'sub told-job' });
	const box = card({ id: 'curve', title: 'What a rank needs', entries: [
		['Save as SVG', () => saveText(svg.outerHTML, 'image/svg+xml',
			fileName('curve', 'svg'))]] });
	const keys = { ArrowLeft: i => i < 0 ? jobs.length - 1 : i - 1,
		ArrowRight: i => i + 1, Home: () => 0, End: () => jobs.length - 1,
		Escape: () => -1 };
	const choose = i => set({ moment: Math.min(i, jobs.length - 1) });
	function show() {
		jobs.forEach((j, i) => j.classList.toggle('chosen',
			i === state.moment));
		told.textContent = state.moment < 0 ? ''
			: jobs[state.moment].textContent;
	}
	jobs.forEach((j, i) => j.addEventListener('click', () => choose(i)));
	svg.addEventListener('keydown', e => {
		if (!keys[e.key])
			return;
		e.preventDefault();
		choose(Math.max(keys[e.key](state.moment),
			e.key === 'Escape' ? -1 : 0));
		say(told.textContent);
	});
	for (const [key, value] of [['role', 'img'], ['tabindex', '0'],
		['aria-label', label]])
		svg.setAttribute(key, value);
	watch(show);
	box.body.append(h('div', { class: 'picture picture-curve' }, svg), told);
	box.start = show;
	return box;
}

// A table of the plain part, below its heading
function sheet(title, grid) {
	const rows = [...grid.tBodies[0].rows];
	const columns = [...grid.tHead.rows[0].cells].map((th, i) => {
		const number = th.className === 'n';
		const shown = r => rows[r].cells[i].textContent;
		const exact = r => parseFloat(rows[r].cells[i].dataset.v);
		return { key: 'c' + i, label: th.textContent,
			kind: number ? 'count' : 'text', wide: !number,
			get: r => !number ? shown(r)
				: Number.isNaN(exact(r)) ? null : exact(r),
			show: (v, r) => shown(r) };
	});
	const id = title.toLowerCase().match(/[a-z]+/)[0];
	const list = table({ view: id, label: title, columns,
		rows: rows.map((r, i) => i), sort: 'given' });
	const box = card({ id, title, entries: list.entries });
	// of a long one the first rows are there
	if (grid.nextElementSibling?.matches('p'))
		box.note(grid.nextElementSibling.textContent);
	box.body.append(list.host);
	return box;
}

function build(plain) {
	const program = plain.querySelector('h1').textContent;
	const all = [...plain.children];
	const lines = all.slice(0, all.findIndex(e => e.matches('table')))
		.filter(e => e.matches('p')).flatMap(p => p.textContent.split('\n'));
	const [sentence, ...notes] = lines.filter(Boolean);
	nameRuns(program, []);
	begin({ moment: -1, theme: 'auto' }, s => s);
	putTheme();
	const views = [picture(plain.querySelector('svg'), sentence),
		...[...plain.querySelectorAll('table')].map(t =>
			sheet(t.previousElementSibling.textContent, t))];
	document.body.prepend(h('div', { id: 'page' }, head({ lead: sentence,
		run: { program, facts: [] }, warnings: notes }),
	h('main', {}, views)));
	startViews(views);
}

run(Promise.resolve(plainPart()), build);
