// SPDX-License-Identifier: Apache-2.0
// The page of wm-analyze --model RUN... --html: its plain part, with its picture.  A
// click on the heading of a column sorts.
import { putTheme, run, startViews } from './shell.js';
import { begin } from './state.js';

begin({ theme: 'auto' }, s => s);
putTheme();
startViews([]);
run(Promise.resolve(null));
