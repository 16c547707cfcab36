// SPDX-License-Identifier: Apache-2.0
// A pen draws a picture on a canvas, or as the text of an SVG.

export class CanvasPen {
	constructor(ctx, font) {
		this.ctx = ctx;
		this.font = font;
	}

	rect(x, y, w, h, colour, edge) {
		if (colour) {
			this.ctx.fillStyle = colour;
			this.ctx.fillRect(x, y, w, h);
		}
		if (edge) {
			this.ctx.strokeStyle = edge;
			this.ctx.lineWidth = 1.5;
			this.ctx.strokeRect(x + .75, y + .75, w - 1.5, h - 1.5);
		}
	}

	line(points, colour, width = 1, dash = []) {
		const c = this.ctx;
		c.strokeStyle = colour;
		c.lineWidth = width;
		c.setLineDash(dash);
		c.beginPath();
		points.forEach(([x, y], i) => i ? c.lineTo(x, y) : c.moveTo(x, y));
		c.stroke();
		c.setLineDash([]);
	}

	area(points, colour) {
		const c = this.ctx;
		c.fillStyle = colour;
		c.beginPath();
		points.forEach(([x, y], i) => i ? c.lineTo(x, y) : c.moveTo(x, y));
		c.fill();
	}

	set(size, weight, align, colour) {
		this.ctx.font = weight + ' ' + size + 'px ' + this.font;
		this.ctx.textAlign = align;
		this.ctx.textBaseline = 'alphabetic';
		this.ctx.fillStyle = colour;
	}

	text(x, y, text, colour, { size = 12, weight = 400, align = 'left' } = {}) {
		this.set(size, weight, align, colour);
		this.ctx.fillText(text, x, y);
	}

	// Shortens the text until it fits.
	fitted(x, y, text, width, colour, opt = {}) {
		const size = opt.size || 12;
		this.set(size, opt.weight || 400, 'left', colour);
		let s = text.length > 400 ? text.slice(0, 400) : text;
		let w = this.ctx.measureText(s).width;
		while (w > width && s.length > 3) {
			const keep = Math.min(s.length - 2,
				Math.floor(s.length * width / w) - 1);
			if (keep < 3)
				return;
			s = s.slice(0, keep) + '\u2026';
			w = this.ctx.measureText(s).width;
		}
		if (w <= width)
			this.ctx.fillText(s, x, y);
	}

	image(canvas, x, y, w, h) {
		this.ctx.imageSmoothingEnabled = false;
		this.ctx.drawImage(canvas, x, y, w, h);
	}
}

const escape = s => String(s).replace(/[&<>"]/g, c => ({
	'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const near = v => Math.round(v * 100) / 100;

export class SvgPen {
	constructor(width, height, font, ground) {
		this.parts = [`<svg xmlns="http://www.w3.org/2000/svg" ` +
			`width="${width}" height="${height}" ` +
			`viewBox="0 0 ${width} ${height}" ` +
			`font-family="${escape(font)}">`];
		this.rect(0, 0, width, height, ground);
	}

	rect(x, y, w, h, colour, edge) {
		this.parts.push(`<rect x="${near(x)}" y="${near(y)}" ` +
			`width="${near(w)}" height="${near(h)}" ` +
			`fill="${escape(colour || 'none')}"` +
			(edge ? ` stroke="${escape(edge)}"` : '') + '/>');
	}

	line(points, colour, width = 1, dash = []) {
		this.parts.push(`<polyline points="${this.points(points)}" ` +
			`fill="none" stroke="${escape(colour)}" ` +
			`stroke-width="${width}"` +
			(dash.length ? ` stroke-dasharray="${dash}"` : '') + '/>');
	}

	area(points, colour) {
		this.parts.push(`<polygon points="${this.points(points)}" ` +
			`fill="${escape(colour)}"/>`);
	}

	points(list) {
		return list.map(([x, y]) => near(x) + ',' + near(y)).join(' ');
	}

	text(x, y, text, colour, { size = 12, weight = 400, align = 'left' } = {}) {
		const anchor = { left: 'start', right: 'end', center: 'middle' };
		this.parts.push(`<text x="${near(x)}" y="${near(y)}" ` +
			`font-size="${size}" font-weight="${weight}" ` +
			`text-anchor="${anchor[align]}" fill="${escape(colour)}">` +
			escape(text) + '</text>');
	}

	fitted(x, y, text, width, colour, opt = {}) {
		const most = Math.floor(width / ((opt.size || 12) * 0.56));
		if (most >= 3)
			this.text(x, y, text.length <= most ? text
				: text.slice(0, most - 1) + '\u2026', colour, opt);
	}

	image(canvas, x, y, w, h) {
		this.parts.push(`<image x="${near(x)}" y="${near(y)}" ` +
			`width="${near(w)}" height="${near(h)}" ` +
			`preserveAspectRatio="none" image-rendering="pixelated" ` +
			`href="${canvas.toDataURL('image/png')}"/>`);
	}

	toString() {
		return this.parts.join('\n') + '\n</svg>\n';
	}
}
