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
(()=>{function a(e,o,...r){let c=document.createElement(e);for(let[t,n]of Object.entries(o||{}))n==null||n===!1||(t.startsWith("on")?c.addEventListener(t.slice(2),n):t==="style"?Object.assign(c.style,n):c.setAttribute(t,n===!0?"":n));return c.append(...r.flat().filter(t=>t!=null&&t!==!1)),c}function p(e){let o=e.closest("table").tBodies[0],r=e.cellIndex,c=e.dataset.sign=e.dataset.sign==="1"?"-1":"1",t=n=>n.cells[r].dataset.v||n.cells[r].textContent;o.append(...Array.from(o.rows).sort((n,s)=>{let i=parseFloat(t(s))-parseFloat(t(n));return c*(isNaN(i)?t(n).localeCompare(t(s)):i)}))}var u=e=>new DOMParser().parseFromString(e.textContent,"text/html");function l(e){let o=document.querySelector("noscript");document.documentElement.classList.remove("scripted"),e&&document.body.append(a("p",{class:"warning"},"The pictures can not be drawn: "+e.message)),o&&(document.body.append(...u(o).body.childNodes),document.querySelectorAll("th").forEach(r=>r.addEventListener("click",()=>p(r))))}async function d(e){let o=Uint8Array.from(atob(document.getElementById(e).textContent.replace(/\s+/g,"")),r=>r.charCodeAt(0));return new Response(new Blob([o]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}d("wm-script").then(e=>{let o=document.createElement("script");o.textContent=e,document.body.append(o)}).catch(l);})();
