// SPDX-License-Identifier: Apache-2.0
// The page of wm-analyze --model RUN... --html: what other jobs need.  Its data
// are docs/page-data.md, "a model".
import { h } from './dom.js';
import { base, bytes, bytesParts, count, share } from './format.js';
import { card, nameRuns } from './picture.js';
import { begin } from './state.js';
import { head, tiles } from './head.js';
import { amount, jobWords, modelCurve } from './model_curve.js';
import { goTo, putTheme, run, startViews } from './shell.js';
import { table } from './table.js';
import { unpack } from './unpack.js';

const OPTIONS = '--model';

function sheet(id, title, note, rows, columns, sort) {
	const t = table({ view: id, label: title, sort,
		rows: rows.map((r, i) => i), columns: columns.map(c =>
			Object.assign({ get: i => rows[i][c.key] }, c,
				c.of && { get: i => c.of(rows[i]) })) });
	const box = card({ id, title, options: OPTIONS, entries: t.entries });
	box.note(note);
	box.body.append(t.host);
	return box;
}

const job = [{ key: 'ranks', label: 'Ranks', kind: 'count' },
	{ key: 'size', label: 'Size', kind: 'count', show: amount }];
const signedShare = v => v === null ? '\u2013'
	: (v > 0 ? '+' : '') + (100 * v).toFixed(1) + ' %';

const runsOf = d => sheet('runs', 'What was measured', count(d.runs.length) +
	' runs; the model was made of those that are no checks.', d.runs, [
	{ key: 'name', label: 'Run', kind: 'text', wide: true,
		of: r => r.program + '.' + r.id }, ...job,
	{ key: 'bytes', label: 'Worst rank', kind: 'bytes', bar: true },
	{ key: 'modelled', label: 'The model says', kind: 'bytes' },
	{ key: 'error', label: 'Error', kind: 'share', show: signedShare,
		of: r => r.bytes ? r.modelled / r.bytes - 1 : null },
	{ key: 'check', label: 'What', kind: 'text', of: r => r.check ? 'check'
		: 'run' },
	{ key: 'started', label: 'Started', kind: 'text' },
	{ key: 'build_id', label: 'Build-id', kind: 'text', show: s =>
		(s || '').slice(0, 12) },
	{ key: 'command', label: 'Command', kind: 'text', wide: true }], 'ranks');

const answersOf = d => sheet('predictions', 'What other jobs will need',
	'The worst rank of each job that was asked about; where the interval spans ' +
	'more than a factor of 2 it is the answer.', d.model.predictions, [
		...job, { key: 'bytes', label: 'Worst rank', kind: 'bytes', bar: true,
			of: p => p.open && p.low !== null ? null : p.bytes },
		{ key: 'role', label: 'Which is', kind: 'text' },
		{ key: 'low', label: 'At least', kind: 'bytes' },
		{ key: 'high', label: 'At most', kind: 'bytes' }], 'ranks');

const termsOf = d => sheet('formula', 'The formula', d.model.formula,
	d.model.terms, [{ key: 'term', label: 'Term', kind: 'text', wide: true },
		{ key: 'coefficient', label: 'Coefficient', kind: 'count', show: v =>
			String(+v.toPrecision(5)) },
		{ key: 'unit', label: 'Unit', kind: 'text' },
		{ key: 'share', label: 'Share', kind: 'share', bar: true },
		{ key: 'holds', label: 'Holds', kind: 'text' }], 'share');

const sitesOf = d => sheet('sites', 'Where it comes from',
	'Bytes and shares with ' + jobWords(d.shares_at.ranks, d.shares_at.size) +
	'.', d.model.sites, [
		{ key: 'name', label: 'Function', kind: 'text', wide: true },
		{ key: 'place', label: 'Place', kind: 'text', show: base,
			of: s => s.file ? s.file + (s.line ? ':' + s.line : '') : '' },
		{ key: 'formula', label: 'Formula', kind: 'text', wide: true },
		{ key: 'class', label: 'Kind', kind: 'text' },
		{ key: 'grows', label: 'Grows with ranks', kind: 'text',
			of: s => s.grows ? 'yes' : 'no' },
		{ key: 'bytes', label: 'Bytes', kind: 'bytes', bar: true },
		{ key: 'share', label: 'Share', kind: 'share' },
		{ key: 'path', label: 'Call path', kind: 'text', wide: true }], 'bytes');

const rolesOf = d => sheet('roles', 'Roles of ranks', 'The worst rank is the ' +
	'highest of them; bytes with ' + jobWords(d.shares_at.ranks,
	d.shares_at.size) + '.', d.roles, [
	{ key: 'name', label: 'Role', kind: 'text' },
	{ key: 'runs', label: 'Seen in runs', kind: 'count' },
	{ key: 'bytes', label: 'Bytes', kind: 'bytes', bar: true },
	{ key: 'formula', label: 'Formula', kind: 'text', wide: true }], 'bytes');

const phasesOf = d => sheet('phases', 'Phases', 'The rank needs what its ' +
	'highest phase does.', d.model.phases, [
	{ key: 'name', label: 'Phase', kind: 'text', of: p => p.name ??
		'outside of phases' },
	{ key: 'formula', label: 'Formula', kind: 'text', wide: true }], 'name');

function tilesOf(d) {
	const far = d.model.predictions.reduce((a, b) => !a || b.ranks > a.ranks
		? b : a, null), m = d.model;
	const most = d.runs.filter(r => !r.check).reduce((a, b) =>
		b.ranks > a.ranks ? b : a);
	const open = far && far.open && far.low !== null;
	const out = [{ key: 'measured', label: 'Measured, largest job',
		bytes: most.bytes, note: jobWords(most.ranks, most.size), view: 'runs' }];
	if (far)
		out.unshift({ key: 'predicted', label: 'Predicted, largest job',
			bytes: open ? far.high : far.bytes, first: true,
			view: 'predictions', note: jobWords(far.ranks, far.size) + (open
				? ', at most; at least ' + bytes(far.low) : '') });
	if (m.left_out_error !== null)
		out.push({ key: 'error', label: 'Error of runs left out',
			value: (100 * m.left_out_error).toFixed(1), unit: '%', view: 'runs',
			note: 'each predicted from the others' });
	const checks = m.checks.map(c => Math.abs(c.error));
	if (checks.length)
		out.push({ key: 'checks', label: 'Error of checks', value: (100 *
			Math.max(...checks)).toFixed(1), unit: '%', view: 'runs',
		note: 'the largest of ' + count(checks.length) });
	if (m.fits_ranks)
		out.push({ key: 'fits', label: 'Fits a node from', unit: 'ranks',
			value: count(m.fits_ranks), view: 'curve', note: m.overflow_ranks
				? 'not from ' + count(m.overflow_ranks) + ' on' : 'and on' });
	else if (d.curve.node_bytes)
		out.push({ key: 'fits', label: 'Fits a node', value: 'never', unit: '',
			view: 'curve', note: bytesParts(d.curve.node_bytes).join(' ') +
				' a node' });
	return out;
}

function factsOf(d) {
	return [['Runs', count(d.runs.filter(r => !r.check).length) + (d.runs.some(
		r => r.check) ? ' and ' + count(d.runs.filter(r => r.check).length) +
		' to check' : '')],
	['Scaling', { strong: 'strong: the problem stays', weak: 'weak: the problem ' +
		'grows with the ranks', mixed: 'ranks and problem vary' }[d.scaling]],
	['Ranks', [...new Set(d.runs.map(r => r.ranks))].sort((a, b) => a - b)
		.map(count).join(', ')],
	['Grows with the ranks', share(d.model.sites.filter(s => s.grows).reduce(
		(s, v) => s + v.bytes, 0), d.model.sites.reduce((s, v) => s + v.bytes,
		0)) + ' of what its sites hold']].map(([k, v]) => [k, String(v)]);
}

function foot(d) {
	const more = d.sites_left_out ? [count(d.sites_left_out) + ' sites that ' +
		'hold less are left out: wm-analyze --model --json has all.'] : [];
	if (d.shortened)
		more.push('The middle of ' + count(d.shortened) +
			' long names is left out.');
	return h('footer', { class: 'foot' }, more.map(t => h('p', {}, t)),
		h('p', {}, 'Keys: in the picture the arrows, Home, End and Escape. The ' +
			'address of the page keeps what is chosen.'),
		h('p', {}, 'wmtools ' + d.version + '.'));
}

function build(d) {
	const program = d.runs[0].program, last = d.curve.steps.length - 1;
	nameRuns(program, d.options.concat(d.given));
	begin({ by: 'log', moment: -1, theme: 'auto' }, s => Object.assign(s, {
		by: s.by === 'even' ? 'even' : 'log',
		moment: Math.max(-1, Math.min(last, Math.round(s.moment))) }));
	putTheme();
	const views = [modelCurve(d), answersOf(d), runsOf(d), rolesOf(d),
		termsOf(d), sitesOf(d)];
	if (d.model.phases.length)
		views.push(phasesOf(d));
	document.body.prepend(h('div', { id: 'page' }, head({
		run: { program, facts: factsOf(d) }, lead: d.sentence.trim(),
		warnings: d.notes }), tiles(tilesOf(d), t => goTo(t.view, 'curve')),
	h('main', {}, views), foot(d)));
	startViews(views);
}

run(unpack('wmtools.model-page/1'), build);
