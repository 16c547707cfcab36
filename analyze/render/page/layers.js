// SPDX-License-Identifier: Apache-2.0
// The parts of a rank's resident memory, as one bar.
import { h, showTip } from './dom.js';
import { bytes, exact } from './format.js';
import { inkOn, kind, theme } from './colours.js';
import { card, picture } from './picture.js';

const NAMES = { heap: 'Heap', mapped: 'Mapped', shm: 'Shared memory',
	mpi: 'Given by MPI', stacks: 'Thread stacks', allocator: 'Allocator',
	static: 'Static', stack: 'Main stack', tool: 'The tool' };

export function layers(model) {
	const l = model.ranks.find(r => r.rank === model.home);
	const values = { heap: l.heap_at_peak_bytes, mapped: l.mapped_at_peak_bytes,
		shm: l.shm_at_peak_bytes, mpi: l.mpi_at_peak_bytes,
		stacks: l.stacks_at_peak_bytes, allocator: l.footprint &&
			Math.max(0, l.footprint - l.heap_peak_bytes),
		static: l.static, stack: l.stack_bytes, tool: l.tool_resident_bytes };
	const bound = l.lower_bound ? 'at least ' : '';
	// These three are sampled.
	const seen = k => (['allocator', 'stack', 'tool'].includes(k) ? bound : '') +
		bytes(values[k]);
	const parts = Object.keys(NAMES).filter(k => values[k] > 0);
	const sum = parts.reduce((s, k) => s + values[k], 0);
	const whole = Math.max(sum, l.resident || 0, 1);
	const colour = k => kind(Object.keys(NAMES).indexOf(k));
	const pic = picture({ view: 'layers', height: () => 84,
		label: 'Memory of rank ' + l.rank + ': ' + parts.map(k => NAMES[k] +
			' ' + seen(k)).join(', ') + (l.resident
			? '; resident ' + bound + bytes(l.resident) : ''),
		draw: (pen, w) => {
			let x = 0;
			for (const k of parts) {
				const wide = values[k] / whole * w, c = colour(k);
				pen.rect(x, 8, Math.max(1, wide - 1), 40, c);
				if (wide > 44)
					pen.fitted(x + 8, 33, NAMES[k], wide - 12, inkOn(c),
						{ size: 12.5, weight: 600 });
				x += wide;
			}
			if (!l.resident)
				return;
			const at = Math.min(w - 1, l.resident / whole * w);
			pen.line([[at, 0], [at, 58]], theme().ink, 1.5);
			pen.text(Math.max(150, at), 74, 'resident ' + bound +
				bytes(l.resident),
				theme().ink, { align: 'right', size: 12.5 });
		},
		find: x => {
			let at = x / pic.host.clientWidth * whole;
			for (const k of parts)
				if ((at -= values[k]) < 0)
					return { k };
			return null;
		},
		over: ({ k }, e) => showTip(e.clientX, e.clientY,
			h('strong', {}, NAMES[k]), seen(k), exact(values[k])) });
	const box = card({ id: 'layers', title: 'Resident memory',
		options: '--summary', entries: pic.entries });
	box.note('Rank ' + l.rank + ', each part at its highest' + (l.resident
		? sum > l.resident ? '; not all of it was ever touched.'
			: '; the rest is code, libraries and memory without a record.' : '.'));
	box.body.append(pic.host, h('ul', { class: 'legend' }, parts.map(k =>
		h('li', {}, h('i', { class: 'area', style: { background: colour(k) } }),
			NAMES[k] + ' ', h('b', {}, seen(k))))));
	box.repaint = pic.paint;
	return box;
}
