// SPDX-License-Identifier: Apache-2.0
// Unpacks and runs the script of the page, which is packed like its data.
import { plain } from './plain.js';
import { inflate } from './unpack.js';

inflate('wm-script').then(text => {
	const script = document.createElement('script');
	script.textContent = text;
	document.body.append(script);
}).catch(plain);
