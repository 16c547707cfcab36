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
(()=>{var v={light:["#2b6ca3","#d08a00","#0b8a68","#b5568c","#4ba3d4","#c0552b","#8d8420","#6b5bb0","#7a6a58","#0f6d7a","#a23b53","#5d7f2e"],dark:["#5aa2dc","#e6ac3c","#35b892","#d683b1","#86c8ee","#e5845a","#c4ba4e","#a497e6","#b8a58e","#4fb9c6","#e07a92","#9cc06a"]},S={light:["#f1f4f7","#cfdfea","#9cc0d8","#5d99bf","#2f729f","#16507b","#082f50"],dark:["#1a2026","#1d3344","#1f4d69","#267092","#4398b8","#83c5d8","#dff4f4"]},p={};function M(e){let n=parseInt(e.slice(1),16);return[n>>16,n>>8&255,n&255]}function d(){let e=getComputedStyle(document.documentElement),n=e.getPropertyValue("--theme").trim()==="dark"?"dark":"light",t=a=>e.getPropertyValue("--"+a).trim();return p={name:n,ink:t("ink"),soft:t("soft"),line:t("line"),card:t("card"),accent:t("accent"),data:t("data"),kinds:v[n],ramp:S[n].map(M),font:getComputedStyle(document.body).fontFamily},p}function m(e,n,...t){let a=document.createElement(e);for(let[o,r]of Object.entries(n||{}))r==null||r===!1||(o.startsWith("on")?a.addEventListener(o.slice(2),r):o==="style"?Object.assign(a.style,r):a.setAttribute(o,r===!0?"":r));return a.append(...t.flat().filter(o=>o!=null&&o!==!1)),a}function h(e){let n=e.closest("table").tBodies[0],t=e.cellIndex,a=e.dataset.sign=e.dataset.sign==="1"?"-1":"1",o=r=>r.cells[t].dataset.v||r.cells[t].textContent;n.append(...Array.from(n.rows).sort((r,f)=>{let u=parseFloat(o(f))-parseFloat(o(r));return a*(isNaN(u)?o(r).localeCompare(o(f)):u)}))}function O(e){e.querySelectorAll("th").forEach(n=>{n.tabIndex=0,n.addEventListener("click",()=>h(n)),n.addEventListener("keydown",t=>t.key==="Enter"&&h(n))})}var C=e=>new DOMParser().parseFromString(e.textContent,"text/html");function l(e){let n=document.querySelector("noscript");document.documentElement.classList.remove("scripted"),e&&document.body.append(m("p",{class:"warning"},"The pictures cannot be drawn: "+e.message)),n&&(document.body.append(...C(n).body.childNodes),O(document))}var s={moment:"number",versus:"number",rank:"number",by:"text",from:"number",to:"number",frame:"number",find:"text",inverted:"flag",wrappers:"flag",threads:"flag",least:"number",order:"text",whole:"flag",rows:"text",resident:"flag",list:"text",theme:"text",view:"text"},c={},g=[],x={};function y(e){g.push(e)}function b(){let e=Object.assign({},x);for(let n of location.hash.slice(1).split("&")){let[t,a=""]=n.split("="),o;try{o=decodeURIComponent(a)}catch{continue}Object.hasOwn(s,t)&&(s[t]==="flag"?e[t]=o==="1":s[t]==="text"?e[t]=o:o!==""&&Number.isFinite(Number(o))&&(e[t]=Number(o)))}return e}function N(e){let n=new Set;for(let t of Object.keys(s))c[t]!==e[t]&&(c[t]=e[t],n.add(t));n.size&&g.forEach(t=>t(c,n))}function k(e,n){x=e,Object.assign(c,n(b())),addEventListener("hashchange",()=>N(n(b())))}function i(){let e=document.documentElement;c.theme==="light"||c.theme==="dark"?e.dataset.theme=c.theme:delete e.dataset.theme,d()}function w(e){let n=()=>{d(),e.forEach(t=>t.repaint&&t.repaint())};e.forEach(t=>t.start&&t.start()),y((t,a)=>{a.has("theme")&&(i(),n())}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",n),addEventListener("beforeprint",()=>{document.documentElement.dataset.theme="light",n()}),addEventListener("afterprint",()=>{i(),n()})}function E(e,n){document.documentElement.classList.add("scripted"),e.then(t=>t?n(t):l()).catch(l).finally(()=>{performance.mark("ready"),document.documentElement.dataset.ready="yes"})}k({theme:"auto"},e=>e);i();w([]);E(Promise.resolve(null));})();
