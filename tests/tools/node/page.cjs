/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a page of wm-analyze --html as a person's browser does.
 *
 *   page.cjs PAGE CHECK[=WORD]...
 *
 * Prints a line for each CHECK, "CHECK: what was seen", in the order given; at
 * the end "messages: " with what the console said, errors and requests.
 * $WM_NODE_TOOLS is the folder that scripts/node-tools prints, $WM_CHROMIUM the
 * browser.
 */
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const tools = path.join(process.env.WM_NODE_TOOLS, 'node_modules');
const { chromium } = require(path.join(tools, 'playwright-core'));
const axe = fs.readFileSync(path.join(tools, 'axe-core/axe.min.js'), 'utf8');

const file = path.resolve(process.argv[2]);
const data = /id="wm-data"/.test(fs.readFileSync(file, 'utf8'))
	? JSON.parse(execFileSync(path.join(__dirname, '../page-data'), [file],
		{ maxBuffer: 1 << 28 })) : null;
const span = data && data.run && data.run.duration_s * 1e9;
const messages = [];

// A page of each kind of window stays open: a new one takes half a second
const kept = new Map();

async function open(browser, options = {}, hash = '') {
	const key = JSON.stringify(options);
	if (!kept.has(key))
		kept.set(key, await make(browser, options));
	const page = kept.get(key);
	await page.goto('about:blank');
	await page.goto('file://' + file + hash);
	if (options.javaScriptEnabled !== false) {
		await page.waitForSelector('html[data-ready]');
		await settle(page);
	}
	return page;
}

async function make(browser, options) {
	const context = await browser.newContext(Object.assign({
		viewport: { width: 1280, height: 900 }, colorScheme: 'light',
		acceptDownloads: true }, options));
	const page = await context.newPage();
	page.setDefaultTimeout(4000);
	page.on('console', m => messages.push(m.type() + ' ' + m.text()));
	page.on('pageerror', e => messages.push('error ' + e.message));
	page.on('dialog', d => { messages.push('dialog'); d.dismiss(); });
	page.on('request', r => {
		if (!/^(file|data|blob|about):/.test(r.url()))
			messages.push('request ' + r.url());
	});
	return page;
}

// Pictures are drawn in the next frame
const settle = page => page.evaluate(() =>
	new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))))
	.catch(() => null);

const total = async page => Number(await page.locator('.flame-total')
	.getAttribute('data-bytes'));
const words = page => page.evaluate(() => location.hash);

// By keys into a frame of the third row: is that in the address?
async function intoFrame(page) {
	await page.locator('.picture-flame canvas').focus();
	for (const k of ['ArrowDown', 'ArrowDown', 'Enter'])
		await page.keyboard.press(k);
	return /frame=/.test(await words(page));
}

// How many colours each canvas has: one that was not drawn has one
const painted = page => page.evaluate(() =>
	Array.from(document.querySelectorAll('canvas'), c => {
		const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		const seen = new Set();
		for (let i = 0; i < d.length && seen.size < 3; i += 4)
			seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
		return seen.size;
	}));

async function at(page, selector, x, y) {
	const node = page.locator(selector).first();
	await node.scrollIntoViewIfNeeded();
	const b = await node.boundingBox();
	return [b.x + x * b.width, b.y + y * b.height];
}

async function findings(page) {
	await page.evaluate(axe);
	const out = await page.evaluate(() => window.axe.run(document, {
		resultTypes: ['violations'] }));
	return out.violations.map(v => v.id + ' ' + v.nodes.slice(0, 3).map(n =>
		n.target.join(' ')).join(', ')).join('; ') || 'none';
}

// The bin of the first line that a place on the curve lies in, and its moment
function momentAt(share) {
	const t = share * span, home = data.timeline[0], bin = home.bin_s * 1e9;
	let best = null, least = Infinity;
	data.moments.forEach((m, i) => {
		if (m.rank !== home.rank || m.time_ns === null)
			return;
		const from = home.start_s * 1e9 + m.bin * bin;
		const far = m.kind !== 'end' && m.bin !== null && t >= from &&
			t < from + bin ? 0 : Math.abs(m.time_ns - t);
		if (far < least) {
			least = far;
			best = i;
		}
	});
	return best;
}

// What the menu of a view saves in a form
async function saved(page, view, form) {
	const box = page.locator('#view-' + view);
	await box.locator('.menu summary').click();
	const get = page.waitForEvent('download');
	await box.getByRole('button', { name: 'Save as ' + form }).click();
	return fs.readFileSync(await (await get).path());
}

const textOf = async (...what) => (await saved(...what)).toString();

// Each view's picture, saved in both forms
async function savePictures(p, views) {
	const out = [];
	for (const view of views) {
		for (const form of ['PNG', 'SVG']) {
			const text = await saved(p, view, form);
			out.push(form === 'PNG' ? text.toString('latin1', 1, 4)
				: await p.evaluate(s => new DOMParser().parseFromString(s,
					'image/svg+xml').documentElement.nodeName,
				text.toString()));
		}
	}
	return out.join(' ');
}

const checks = {
	async views(b) {
		const p = await open(b);
		const ids = await p.evaluate(() => Array.from(document
			.querySelectorAll('main section'), s => s.id.replace('view-', '')));
		const blank = (await painted(p)).filter(n => n < 2).length;
		return ids.join(' ') + ', ' + blank + ' blank';
	},
	async elements(b) {
		const p = await open(b);
		return p.evaluate(() => document.querySelectorAll('*').length);
	},
	// The most elements while all is scrolled through, tables and the page
	async scrolled(b) {
		const p = await open(b);
		return p.evaluate(async () => {
			const frame = () => new Promise(r => requestAnimationFrame(r));
			let most = 0;
			const tall = document.documentElement.scrollHeight;
			for (const box of document.querySelectorAll('.rows'))
				for (const share of [.3, .6, 1]) {
					box.scrollTop = share * box.scrollHeight;
					await frame();
					most = Math.max(most,
						document.querySelectorAll('*').length);
				}
			for (let y = 0; y < tall; y += 800) {
				scrollTo(0, y);
				await frame();
				most = Math.max(most,
					document.querySelectorAll('*').length);
			}
			return most;
		});
	},
	// Milliseconds from the start of the page until it can be used, the best of 3
	async ready(b) {
		const times = [];
		for (let i = 0; i < 3; i++) {
			const p = await open(b);
			times.push(await p.evaluate(() => performance
				.getEntriesByName('ready')[0].startTime));
		}
		return Math.round(Math.min(...times));
	},
	async head(b) {
		const p = await open(b);
		return (await p.locator('h1').first().textContent()).length + ' ' +
			await p.locator('.tile').count() + ' tiles, ' +
			await p.locator('.lead').textContent();
	},
	// The tile of leaks and all of their card but columns of tables
	async handles(b) {
		const p = await open(b), text = s => p.locator(s).allTextContents();
		await p.locator('#view-leaks').scrollIntoViewIfNeeded();
		await settle(p);
		return [...await text('.tile[data-tile="unfreed"]'),
			...await text('#view-leaks tbody tr'),
			...await text('#view-leaks p, #view-leaks details summary')]
			.join(' | ');
	},
	// The tile of leaks, the first row of their card, what is folded below it,
	// and the first warning of the head
	async leaks(b) {
		const p = await open(b), text = s => p.locator(s).first().textContent();
		await p.locator('#view-leaks').scrollIntoViewIfNeeded();
		await settle(p);
		return await text('.tile[data-tile="unfreed"]') + ' | ' +
			await text('#view-leaks tbody tr') + ' | ' +
			await p.locator('#view-leaks details summary').last()
				.textContent() + ' | ' +
			await text('.warning summary');
	},
	// How ranks ended: above the tiles
	async deaths(b) {
		const p = await open(b), box = p.locator('.head .deaths');
		const top = async s => (await p.locator(s).first().boundingBox()).y;
		return await box.count() ? (await box.locator('p, li')
			.allTextContents()).join(' | ') + ', ' +
			(await top('.deaths') < await top('.tiles') ? 'first'
				: 'below the tiles') : 'none';
	},
	// When a rank has its peak: in the head, beside the slider, in the table
	async clock(b) {
		const p = await open(b);
		const time = s => (s.match(/[\d.]+ (ns|\u00b5s|ms|s)\b/) || ['none'])[0];
		const text = async s => time(await p.locator(s).first().textContent());
		const at = p.locator('#view-ranks tbody tr').first().locator('td, th');
		return await text('.lead') + ', ' + await text('.moments .when') + ', ' +
			time(await at.nth(2).textContent());
	},
	// Every stored moment: the flame's total is what the data say of it
	async moments(b) {
		const p = await open(b);
		const seen = await p.evaluate(async n => {
			const out = [];
			for (let i = 0; i < n; i++) {
				const turned = new Promise(r => addEventListener('hashchange',
					r, { once: true }));
				location.hash = 'moment=' + i;
				await turned;
				out.push(Number(document.querySelector('.flame-total')
					.dataset.bytes));
			}
			return out;
		}, data.moments.length);
		const wrong = seen.filter((v, i) => v !== data.moments[i].bytes);
		return wrong.length ? wrong.length + ' differ' : 'all of them';
	},
	// The curve taken apart: the legend, and what the pointer sees at the peak
	async stacks(b, by) {
		const p = await open(b, {}, '#by=' + by);
		const names = await p.locator('#view-curve .legend li')
			.allTextContents();
		const s = data.stacks.find(k => k.by === by), line = data.timeline[0];
		const bin = line.max_bytes.indexOf(Math.max(...line.max_bytes));
		const [x, y] = await at(p, '.u-over',
			(line.start_s + (bin + .5) * line.bin_s) /
			data.run.duration_s, .5);
		await p.mouse.move(x, y);
		await settle(p);
		const tip = await p.locator('.tip .pair-line').allInnerTexts();
		const pressed = await p.locator('#view-curve [aria-pressed=true]')
			.first().textContent();
		return pressed + ': ' + names.slice(0, s.layers.length).join(', ') +
			'; ' + tip.map(t => t.replace(/\s+(?=[\d.]+ [KM]?i?B|[\d.]+ bytes)/, ' '))
			.join(', ');
	},
	// A click on the curve: the flame has the bytes of the bin clicked
	async click(b) {
		const p = await open(b), out = [];
		for (const share of [.1, .33, .5, .77]) {
			const [x, y] = await at(p, '.u-over', share, .5);
			await p.mouse.click(x, y);
			const m = data.moments[momentAt(share)], seen = await total(p);
			const line = data.timeline[0];
			const curve = m.kind === 'end' || m.kind === 'death'
				? line.end_bytes.at(-1) : line.max_bytes[m.bin];
			out.push(seen === m.bytes && (m.kind === 'snapshot' ||
				seen === curve) ? 'equal' : seen + '/' + m.bytes + '/' + curve);
		}
		return out.join(' ');
	},
	async versus(b) {
		const p = await open(b);
		let [x, y] = await at(p, '.u-over', .9, .5);
		await p.mouse.click(x, y);
		const later = await total(p);
		[x, y] = await at(p, '.u-over', .1, .5);
		await p.keyboard.down('Shift');
		await p.mouse.click(x, y);
		await p.keyboard.up('Shift');
		const i = Number((await words(p)).match(/versus=(\d+)/)[1]);
		const text = await p.locator('.moment-now .size').textContent();
		return i === momentAt(.1) && later === await total(p) &&
			/^(\+|\u2212|0 )/.test(text) ? 'difference' : text;
	},
	async link(b) {
		const p = await open(b);
		const [x, y] = await at(p, '.u-over', .4, .5);
		await p.mouse.click(x, y);
		await p.locator('.picture-heat canvas').click({
			position: { x: 200, y: 40 } }).catch(() => null);
		await p.locator('#view-flame input[type=search]').fill('a');
		const hash = await words(p), seen = await total(p);
		const q = await open(b, {}, hash);
		return await total(q) === seen && await words(q) === hash &&
			await q.locator('#view-flame input[type=search]')
				.inputValue() === 'a' ? 'the same' : hash;
	},
	async search(b, word) {
		const p = await open(b);
		await p.locator('#view-flame input[type=search]').fill(word);
		return p.locator('#view-flame .told').textContent();
	},
	async inverted(b) {
		const p = await open(b), before = await total(p);
		await p.getByLabel('Inverted').check();
		return await total(p) === before ? 'same total' : await total(p);
	},
	// A click zooms into a frame of the third row, Escape out of it
	async zoom(b) {
		const p = await open(b);
		const canvas = p.locator('.picture-flame canvas');
		await canvas.scrollIntoViewIfNeeded();
		await canvas.click({ position: { x: 30, y: 52 } });
		const inside = await p.locator('.crumbs button').count();
		await canvas.press('Escape');
		await settle(p);
		return (inside > 1 ? 'in' : 'not in') + ' ' + (/frame=/.test(
			await words(p)) ? 'not out' : 'out');
	},
	async drag(b) {
		const p = await open(b);
		const [x, y] = await at(p, '.u-over', .2, .5);
		const [to] = await at(p, '.u-over', .6, .5);
		await p.mouse.move(x, y);
		await p.mouse.down();
		await p.mouse.move(to, y, { steps: 4 });
		await p.mouse.up();
		const hash = await words(p);
		const whole = p.getByRole('button', { name: 'Whole run' });
		const seen = await whole.isVisible();
		await whole.click();
		return (/from=.*to=/.test(hash) && seen ? 'zoomed' : hash) + ' ' +
			(/from=/.test(await words(p)) ? 'not back' : 'back');
	},
	async hover(b) {
		const p = await open(b);
		const [x, y] = await at(p, '.u-over', .5, .5);
		await p.mouse.move(x, y);
		await settle(p);
		return /\d m?s/.test(await p.locator('.tip').textContent())
			? 'time and bytes' : 'nothing';
	},
	async heat(b) {
		const p = await open(b), canvas = p.locator('.picture-heat canvas');
		const box = await canvas.boundingBox();
		await canvas.click({ position: { x: box.width * .28, y: 12 } });
		const rank = await p.getByLabel('Rank', { exact: true }).inputValue();
		const i = (await words(p)).match(/moment=(\d+)/);
		const m = i && data.moments[Number(i[1])];
		const off = m ? Math.abs(m.time_ns / span - .25) : 1;
		return 'rank ' + rank + (m && String(m.rank) === rank &&
			m.bytes === await total(p) ? ' and a moment of it' : '') +
			(off < .1 && m.kind === 'step' ? ', near' : ', ' +
			(m && m.kind) + ', ' + (100 * off).toFixed(0) + ' % off');
	},
	async keys(b) {
		const p = await open(b), out = [];
		const before = await total(p);
		await p.getByRole('slider').focus();
		await p.keyboard.press('Home');
		out.push(await total(p) !== before || data.moments.length < 2
			? 'slider' : 'no slider');
		await p.keyboard.press('End');
		const end = await words(p);
		await p.keyboard.press('[');
		out.push(await words(p) !== end ? 'bracket' : 'no bracket');
		await p.keyboard.press('/');
		out.push(await p.evaluate(() => document.activeElement.type)
			=== 'search' ? 'slash' : 'no slash');
		out.push(await intoFrame(p) ? 'frame' : 'no frame');
		const lost = await p.evaluate(() => Array.from(document
			.querySelectorAll('canvas, .rows')).filter(e =>
			e.tabIndex < 0 && !e.closest('[tabindex="0"]')).length);
		out.push(lost + ' out of reach');
		return out.join(' ');
	},
	async table(b) {
		const p = await open(b), box = p.locator('#view-sites');
		const first = () => box.locator('tbody tr').first().textContent();
		const a = await first();
		await box.getByRole('button', { name: 'Function' }).click();
		const sorted = await box.locator('th[aria-sort=ascending]').count();
		return (await first() !== a || sorted ? 'sorts' : 'does not sort');
	},
	async csv(b, view) {
		const text = await textOf(await open(b), view, 'CSV');
		fs.writeFileSync(view + '.csv', text);
		return text.trimEnd().split('\r\n').length + ' lines, ' +
			text.split('\r\n')[0];
	},
	// Each site's curve is there, and its points as CSV are those of the data
	async trends(b) {
		const p = await open(b), box = p.locator('#view-sites');
		const text = await textOf(p, 'sites', 'CSV');
		const rows = text.trimEnd().split('\r\n').slice(1);
		const wrong = rows.filter(r => {
			const site = data.sites.find(s => s.name === r.split(',')[0]);
			const seen = r.match(/"([0-9,]*)"$/);
			return !seen || seen[1] !== site.trend.join();
		});
		return rows.length + ' rows, ' + await box.locator('.spark').count() +
			' curves, ' + wrong.length + ' differ';
	},
	// What the keys tell of the classes of sizes, from the largest on
	async sizes(b) {
		const p = await open(b), out = [];
		const canvas = p.locator('.picture-sizes canvas');
		await canvas.focus();
		await canvas.press('ArrowRight');
		out.push(await p.locator('.unseen').textContent());
		await canvas.press('ArrowLeft');
		out.push(await p.locator('.unseen').textContent());
		return out.join('; ');
	},
	// The line of resident memory: its highest, its points, and that it goes
	async resident(b) {
		const p = await open(b), box = p.locator('#view-curve');
		const seen = async () => ((await p.locator('.plot').getAttribute(
			'aria-label')).match(/resident (.*?)\. Chosen/) || [])[1];
		const most = await seen();
		const dashed = (await textOf(p, 'curve', 'SVG'))
			.match(/points="([^"]*)"[^>]*dasharray/);
		await box.getByRole('checkbox').uncheck();
		return most + ', ' + dashed[1].split(' ').length + ' points, ' +
			(await seen() ?? 'gone');
	},
	// Of a page about two runs: the first tile, and both sides in the head
	async pairhead(b) {
		const p = await open(b);
		const names = await p.locator('.facts dt').allTextContents();
		return (await p.locator('.tile.first .tile-value').textContent())
			.replace(/^(?=\d)/, '+').replace('\u2212', '-') + ', ' +
			['A', 'B'].filter(n => names.includes(n)).join(' and ');
	},
	// The bytes of B that the frames have, and what they say has changed
	async pairs(b) {
		const p = await open(b);
		const text = await p.locator('.flame-total')
			.getAttribute('data-change');
		return await total(p) + ' ' + text;
	},
	// How far the curve of A goes by seconds, and by share
	async seconds(b) {
		const p = await open(b), out = [];
		for (const name of ['Seconds', 'Share of the run']) {
			await p.getByRole('button', { name }).click();
			const x = (await textOf(p, 'curve', 'SVG')).match(/points="([^"]*)"[^>]*dasharray/)[1].split(' ')
				.map(q => Number(q.split(',')[0]));
			const share = (Math.max(...x) - 80) / 900;
			out.push(share > .48 && share < .52 ? 'half'
				: Math.round(100 * share) + ' %');
		}
		return out.join(', ');
	},
	// The table by call path: its rows, sorted by A, a row searched for
	async pairrows(b) {
		const p = await open(b), box = p.locator('#view-functions');
		const cells = async () => (await box.locator('tbody tr')
			.allInnerTexts()).map(t => t.split('\t').slice(0, 2).join(' < '));
		await box.getByRole('button', { name: 'Call paths' }).click();
		await box.getByRole('button', { name: 'A', exact: true }).click();
		const seen = await cells();
		await box.locator('tbody tr').first().click();
		const q = await open(b, {}, await words(p));
		return seen.join(', ') + '; finds ' + await q.getByRole('searchbox')
			.inputValue() + '; the link shows ' + (await cells()).length;
	},
	// The curves of all ranks together, and what the pointer sees in them
	async whole(b) {
		const p = await open(b);
		await p.getByRole('button', { name: 'All ranks' }).click();
		const told = await p.locator('.plot').getAttribute('aria-label');
		const [x, y] = await at(p, '.u-over', .5, .5);
		await p.mouse.move(x, y);
		await settle(p);
		return told.replace(/^.*at most /, '') + '; ' + (await p.locator('.tip')
			.innerText()).replace(/\s+/g, ' ');
	},
	// Keys go to a frame, into it and out of it
	async framekeys(b) {
		const p = await open(b), inside = await intoFrame(p);
		await p.keyboard.press('Escape');
		return (inside ? 'in ' : 'not in ') +
			(/frame=/.test(await words(p)) ? 'not out' : 'out');
	},
	// How far the frames of the flame graph go: not beyond its edge
	async edge(b) {
		const svg = await textOf(await open(b), 'flame', 'SVG');
		const wide = Number(svg.match(/width="([0-9.]+)"/)[1]);
		const ends = [...svg.matchAll(/<rect x="([0-9.]+)" y="[^"]*" width="([0-9.]+)"/g)]
			.map(m => Number(m[1]) + Number(m[2]));
		return ends.length > 6 && Math.max(...ends) <= wide + 1 ? 'inside'
			: ends.length + ' frames to ' + Math.max(...ends) + ' of ' + wide;
	},
	async pictures(b, views) {
		return savePictures(await open(b), views.split(','));
	},
	// Of a plain page: clicks on the second heading of the first table, the
	// largest first, then the other way round; its first and last row
	async sorting(b) {
		const p = await open(b), t = p.locator('main.plain table').first();
		const kind = row => row.locator('td').first().textContent();
		const rows = t.locator('tr:has(td)');
		await t.locator('th').nth(1).click();
		const seen = [await kind(rows.first()), await kind(rows.last())];
		await t.locator('th').nth(1).click();
		return seen.concat(await kind(rows.last())).join(' ');
	},
	async command(b) {
		const p = await open(b);
		return p.locator('#view-flame .command code').textContent();
	},
	// What each view says prints it, and each kind of the curve, each report
	async commands(b) {
		const p = await open(b), seen = new Set();
		const take = async () => {
			for (const m of await p.locator('.menu').all()) {
				await m.locator('summary').click();
				await settle(p);
				seen.add(await m.locator('code').textContent());
				await m.locator('summary').click();
			}
		};
		await take();
		for (const group of ['Curve of', 'Report']) {
			const box = p.locator(`[role=group][aria-label="${group}"]`);
			for (const button of await box.locator('button').all()) {
				await button.click();
				await take();
			}
		}
		return [...seen].join(' && ');
	},
	async dark(b) {
		const out = [];
		for (const [colorScheme, hash] of [['light'], ['dark'],
			['light', '#theme=dark']]) {
			const p = await open(b, { colorScheme }, hash);
			out.push(await p.evaluate(() => getComputedStyle(document.body)
				.backgroundColor.match(/\d+/g).every(n => n > 128)
				? 'light' : 'dark'));
		}
		return out.join(' ');
	},
	async widths(b) {
		const out = [];
		for (const width of [320, 768, 1280, 2560]) {
			const p = await open(b, { viewport: { width, height: 900 } });
			const wide = await p.evaluate(() =>
				document.documentElement.scrollWidth);
			out.push(wide <= width ? width : width + ' has ' + wide);
		}
		return out.join(' ');
	},
	async print(b) {
		const p = await open(b, { colorScheme: 'dark' });
		const pdf = await p.pdf({ format: 'A4', printBackground: true });
		const ground = await p.evaluate(() => {
			dispatchEvent(new Event('beforeprint'));
			return getComputedStyle(document.documentElement)
				.getPropertyValue('--theme').trim();
		});
		return ground + ', ' + (pdf.toString('latin1').match(
			/\/Type\s*\/Page\b/g) || []).length + ' pages';
	},
	// From a dark screen: pictures that paper would get as they were
	async paper(b) {
		const p = await open(b, { colorScheme: 'dark' });
		return p.evaluate(() => {
			const all = Array.from(document.querySelectorAll('.picture canvas'));
			const before = all.map(c => c.toDataURL());
			dispatchEvent(new Event('beforeprint'));
			return all.filter((c, i) => c.toDataURL() === before[i]).length +
				' of ' + all.length + ' stay';
		});
	},
	async hostile(b) {
		const p = await open(b);
		const odd = await p.evaluate(() => document.querySelectorAll(
			'#page img, #page script, #page b b').length);
		const name = await p.locator('h1').first().textContent();
		return odd + ' elements, ' + name.slice(0, 40);
	},
	async axe(b, word) {
		const p = await open(b, word === 'narrow' ? { viewport: { width: 320,
			height: 800 } } : word === 'dark' ? { colorScheme: 'dark' } : {});
		return findings(p);
	},
	async plain(b) {
		const p = await open(b, { javaScriptEnabled: false });
		return await p.locator('main.plain h1').count() + ' heading, ' +
			await p.locator('main.plain svg').count() + ' pictures';
	},
	// A picture of the page's top, stacked by site, for the README
	async picture(b, out) {
		const p = await open(b, { viewport: { width: 1360, height: 1400 } },
			'#by=sites');
		const low = await p.locator('.pair').first().boundingBox();
		await p.screenshot({ path: out, fullPage: true, clip: { x: 0, y: 0,
			width: 1360, height: low.y + low.height + 2 } });
		return fs.statSync(out).size + ' bytes';
	},
	async text(b, selector) {
		const p = await open(b);
		return (await p.locator(selector).allTextContents()).join('|');
	},
};

(async () => {
	const browser = await chromium.launch({ args: ['--no-sandbox'],
		executablePath: process.env.WM_CHROMIUM || '/usr/bin/chromium' });
	for (const arg of process.argv.slice(3)) {
		const [name, ...rest] = arg.split('=');
		let seen;
		try {
			seen = await checks[name](browser, rest.join('='));
		} catch (e) {
			seen = 'failed: ' + String(e.message).split('\n')[0];
		}
		console.log(arg + ': ' + seen);
	}
	console.log('messages: ' + (messages.join('; ') || 'none'));
	await browser.close();
})();
