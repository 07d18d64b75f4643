/** The style of the reference: follows the color scheme, one column on a phone. */
export const STYLE = `
:root{--ink:#1c2330;--soft:#566072;--line:#dfe4ec;--ground:#fff;--panel:#f5f7fa;--link:#1756c4;--get:#0a6b4f;--post:#1756c4;--put:#8a5200;--delete:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf1;--soft:#a0abbd;--line:#2c3545;--ground:#12161e;--panel:#1a202b;--link:#86b4ff;--get:#5fd3aa;--post:#86b4ff;--put:#f0b65a;--delete:#ff8f86}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;color:var(--ink);background:var(--ground);font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;background:var(--panel);border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;margin:1rem 0 0;padding:0}
nav li a{display:block;padding:.2rem 0;color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav li a:hover{text-decoration:underline}
nav li a[aria-current]{font-weight:700;color:var(--link)}
nav ul ul{margin:.15rem 0 .6rem;padding-left:.75rem;border-left:2px solid var(--line)}
nav ul ul a{color:var(--soft);font-size:.8125rem}
.brand{font-size:1.1rem;font-weight:700;color:inherit;text-decoration:none}
.brand small{font-weight:400;color:var(--soft)}
main{max-width:60rem;padding:2rem clamp(1rem,4vw,3rem) 6rem}
h1{margin-top:0;line-height:1.2}
section>h2{margin:3rem 0 1rem;padding-bottom:.4rem;border-bottom:1px solid var(--line)}
section>h3{margin:2rem 0 .25rem}
section>h3+p{margin:0 0 .5rem;color:var(--soft)}
.operations{list-style:none;margin:0;padding:0}
.operations li{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1rem;padding:.3rem 0;border-bottom:1px solid var(--line)}
.operations a{color:inherit;text-decoration:none;overflow-wrap:anywhere}
.operations a:hover code{text-decoration:underline}
.operations b{display:inline-block;min-width:4.2rem}
.operations span{color:var(--soft);font-size:.9375rem}
b.GET,b.POST,b.PUT,b.PATCH,b.DELETE{font-size:.75rem}
article{margin:0 0 2rem;padding:1.25rem;border:1px solid var(--line);border-radius:10px}
article h2{margin:0;font-size:1.15rem;line-height:1.3}
article h2 a{color:inherit;text-decoration:none}
article h2 a:hover{text-decoration:underline}
.path{margin:.25rem 0 .5rem;overflow-wrap:anywhere}
article h3{margin:1.25rem 0 .4rem;color:var(--soft);font-size:.8rem;letter-spacing:.05em;text-transform:uppercase}
:target{outline:2px solid var(--link);outline-offset:2px}
#top:target{outline:0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,monospace}
pre{margin:0;padding:1rem;overflow:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px}
details{margin:.3rem 0}
summary{cursor:pointer}
.answers{list-style:none;margin:0;padding:0}
details pre{margin:.5rem 0;max-height:26rem}
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th,td{padding:.45rem .6rem .45rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
th:first-child{width:26%}th:nth-child(2){width:18%}
td code{overflow-wrap:break-word}
em{color:var(--delete);font-style:normal;font-size:.75rem}
.GET{color:var(--get)}.POST{color:var(--post)}.PUT,.PATCH{color:var(--put)}.DELETE{color:var(--delete)}
@media (max-width:40rem){thead{display:none}tr{display:block;padding:.6rem 0;border-bottom:1px solid var(--line)}td{display:inline;padding:0 .6rem 0 0;border:0}td:nth-child(2){color:var(--soft)}td:nth-child(3){display:block;padding:.15rem 0 0}article{padding:1rem}.operations li{display:block}.operations span{display:block}}
@media (max-width:52rem){body{display:block}nav{position:static;height:auto;padding:1rem;border-right:0;border-bottom:1px solid var(--line)}nav ul{display:flex;gap:1rem;margin:.5rem -1rem 0;padding:0 1rem;overflow-x:auto;white-space:nowrap}nav ul ul{display:none}}
`
