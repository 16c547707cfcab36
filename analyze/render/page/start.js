// SPDX-License-Identifier: Apache-2.0
// The script of the page is packed, as its data are: this one brings it to run.
import { plain } from './plain.js';
import { inflate } from './unpack.js';

inflate('wm-script').then(text => {
	const script = document.createElement('script');
	script.textContent = text;
	document.body.append(script);
}).catch(plain);
