/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open.cjs speedscope FILE: what speedscope makes of a file: its own format,
 *	folded stacks or pprof.  For each profile a line "NAME UNIT TOTAL", then
 *	"STACK WEIGHT" for each stack that has weight of its own.
 * open.cjs schema FILE: is it valid by speedscope's schema?
 * open.cjs pprof FILE: what pprof-format makes of it, as JSON with the strings
 *	in their places.
 *
 * $WM_NODE_TOOLS is the folder that scripts/node-tools prints.
 */
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");
const { createRequire } = require("module");

const home = process.env.WM_NODE_TOOLS;
const load = createRequire(path.join(home, "package.json"));
const release = path.join(home, "node_modules/speedscope/dist/release");

/* Stands for everything that a browser has and importing does not need. */
const browser = new Proxy(function () {}, {
	get: (t, key) => key === Symbol.toPrimitive ? () => "" :
		key === "then" ? undefined : browser,
	apply: () => browser,
	construct: () => browser,
	has: () => true,
});

/*
 * speedscope comes as one script for a page.  It is run up to the place where
 * it would draw; the function by which its page opens a local file is taken
 * out of it.
 */
function speedscope()
{
	const name = fs.readdirSync(release)
		.find(n => /^speedscope-.*\.js$/.test(n));
	const script = fs.readFileSync(path.join(release, name), "utf8");
	const open = new RegExp("loadFileFromBase64:[^{]*" +
				"{this\\.loadProfile\\(\\(\\)=>([\\w$]+)\\(")
		.exec(script);
	const end = script.lastIndexOf("console.log(`speedscope v");

	if (!open || end < 0)
		throw new Error("this speedscope is built in another way");
	const page = { TextDecoder, TextEncoder, URL, URLSearchParams,
		       setTimeout, clearTimeout, performance, atob,
		       console: { log() {}, warn() {}, assert: console.assert,
				  error: console.error },
		       document: browser, navigator: { userAgent: "" },
		       location: { protocol: "file:", hash: "",
				   href: "file:///" },
		       matchMedia: () => browser, addEventListener() {},
		       localStorage: { getItem: () => null } };
	for (const n of ["HTMLElement", "HTMLCanvasElement", "Node", "Element",
			 "FileReader", "Blob", "File", "MutationObserver"])
		page[n] = browser;
	page.window = page.self = page;
	vm.createContext(page);
	vm.runInContext(script.slice(0, end) +
			`globalThis.openFile=${open[1]};})();`, page);
	return page.openFile;
}

async function show(file)
{
	const group = await speedscope()(path.basename(file),
		fs.readFileSync(file).toString("base64"));

	if (!group)
		throw new Error("speedscope does not know the format");
	for (const p of group.profiles) {
		const stack = [], lines = [];

		console.log(p.getName(), p.getWeightUnit(),
			    p.getTotalWeight());
		p.forEachCall(node => stack.push(node.frame.name), node => {
			if (node.getSelfWeight())
				lines.push(`${stack.join(";")} ` +
					   node.getSelfWeight());
			stack.pop();
		});
		for (const l of lines.sort())
			console.log(l);
	}
}

function schema(file)
{
	const Ajv = load("ajv");
	const read = f => JSON.parse(fs.readFileSync(f, "utf8"));
	const ajv = new Ajv({ strict: false });
	const rules = read(path.join(release, "file-format-schema.json"));
	const good = ajv.validate(rules, read(file));

	console.log(good ? "valid" : ajv.errorsText());
}

function pprof(file)
{
	const { Profile } = load("pprof-format");
	const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
	const text = i => p.stringTable.strings[Number(i)];
	const by = list => {
		const map = new Map(list.map(x => [Number(x.id), x]));

		if (map.size !== list.length || map.has(0))
			throw new Error("ids are not 1 and up, each once");
		return map;
	};
	const functions = by(p.function), mappings = by(p.mapping),
		locations = by(p.location);
	const frame = l => {
		const f = functions.get(Number(l.functionId));

		return { name: text(f.name), system: text(f.systemName),
			 file: text(f.filename), line: Number(l.line) };
	};
	const place = id => {
		const l = locations.get(Number(id));
		const m = mappings.get(Number(l.mappingId));

		if (m && !(l.address >= m.memoryStart &&
			   l.address < m.memoryLimit))
			throw new Error(`location ${id} is outside`);
		return { lines: l.line.map(frame), address: Number(l.address),
			 module: m ? text(m.filename) : null };
	};
	console.log(JSON.stringify({
		types: p.sampleType.map(t => [text(t.type), text(t.unit)]),
		default: text(p.defaultSampleType),
		period: [text(p.periodType.type), text(p.periodType.unit)],
		comments: p.comment.map(text),
		time: String(p.timeNanos), duration: Number(p.durationNanos),
		mappings: p.mapping.map(m => ({ file: text(m.filename),
						id: text(m.buildId) })),
		samples: p.sample.map(s => ({
			value: s.value.map(Number),
			stack: s.locationId.map(place) })),
	}));
}

const [what, file] = process.argv.slice(2);
Promise.resolve().then(() => ({ speedscope: show, schema, pprof })[what](file))
	.catch(e => {
		console.error(String(e.stack).slice(0, 2000));
		process.exit(1);
	});
