/*! uPlot
The MIT License (MIT)

Copyright (c) 2022 Leon Sorokin

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE. */
(()=>{function a(t,e,...r){let c=document.createElement(t);for(let[n,o]of Object.entries(e||{}))o==null||o===!1||(n.startsWith("on")?c.addEventListener(n.slice(2),o):n==="style"?Object.assign(c.style,o):c.setAttribute(n,o===!0?"":o));return c.append(...r.flat().filter(n=>n!=null&&n!==!1)),c}function l(t){let e=t.closest("table").tBodies[0],r=t.cellIndex,c=t.dataset.sign=t.dataset.sign==="1"?"-1":"1",n=o=>o.cells[r].dataset.v||o.cells[r].textContent;e.append(...Array.from(e.rows).sort((o,s)=>{let i=parseFloat(n(s))-parseFloat(n(o));return c*(isNaN(i)?n(o).localeCompare(n(s)):i)}))}function d(t){t.querySelectorAll("th").forEach(e=>{e.tabIndex=0,e.addEventListener("click",()=>l(e)),e.addEventListener("keydown",r=>r.key==="Enter"&&l(e))})}var f=t=>new DOMParser().parseFromString(t.textContent,"text/html");function p(t){let e=document.querySelector("noscript");document.documentElement.classList.remove("scripted"),t&&document.body.append(a("p",{class:"warning"},"The pictures cannot be drawn: "+t.message)),e&&(document.body.append(...f(e).body.childNodes),d(document))}async function u(t){let e=Uint8Array.from(atob(document.getElementById(t).textContent.replace(/\s+/g,"")),r=>r.charCodeAt(0));return new Response(new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}u("wm-script").then(t=>{let e=document.createElement("script");e.textContent=t,document.body.append(e)}).catch(p);})();
