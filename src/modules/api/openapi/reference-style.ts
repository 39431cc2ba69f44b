/** The style of the reference page: phone and desktop, light and dark. */
export const style = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#565d66;--line:#d4d8dd;--back:#fff;--raised:#f5f6f8;--link:#0b57b5}
@media (prefers-color-scheme:dark){:root{--text:#e8eaed;--soft:#a9b1ba;--line:#3a4048;--back:#15181c;--raised:#1e2227;--link:#8ab8ff}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
header,nav,main{max-width:62rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
h1{margin:0;font-size:1.75rem;line-height:1.2}
h2{margin:2rem 0 .5rem;font-size:1.25rem}
h3{margin:1rem 0 .25rem;font-size:1rem}
p{margin:.25rem 0 .75rem}
a{color:var(--link)}
code{font:.875em/1.4 ui-monospace,monospace}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem .75rem;margin:0;padding:.75rem 0;border-block:1px solid var(--line);list-style:none}
nav a{display:inline-block;padding:.25rem 0}
details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0}
details>div{padding:0 .75rem .75rem}
summary{padding:.6rem .75rem;cursor:pointer;background:var(--raised);border-radius:.4rem}
summary:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.method{display:inline-block;min-width:4.2rem;font:700 .8rem/1.4 ui-monospace,monospace}
.what{color:var(--soft);margin-left:.5rem}
dl{margin:0}
dl>div{padding:.4rem 0;border-top:1px solid var(--line)}
dt span{color:var(--soft);font-size:.9rem}
dd{margin:0;padding-left:1rem}
dd p{margin:0}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem;background:var(--back)}
@media print{details>div{display:block}nav{display:none}}
`;
