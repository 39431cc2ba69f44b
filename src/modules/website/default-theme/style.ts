/**
 * The style of the default theme: light and dark, one column that fits a phone, nothing that is fetched from elsewhere.
 */
export const style = `:root {
  color-scheme: light dark;
  --text: #1d2327;
  --quiet: #50575e;
  --back: #fdfdfc;
  --raised: #f1f1ee;
  --line: #c9cbc6;
  --accent: #0b5a7a;
  --mark: #8a2b0f;
  --width: 42rem;
  --wide: 64rem;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8e8e4;
    --quiet: #b3b6ae;
    --back: #16191b;
    --raised: #22272a;
    --line: #4a5155;
    --accent: #8ccdec;
    --mark: #f0a58c;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--back);
  color: var(--text);
  font: 1.0625rem/1.65 var(--font);
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
img, video, audio, iframe, svg, canvas { max-width: 100%; }
img, video { height: auto; vertical-align: middle; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; margin: 2.2em 0 .6em; }
h1 { font-size: clamp(1.8rem, 1.4rem + 2vw, 2.6rem); margin: 0 0 .3em; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.25rem; }
h4, h5, h6 { font-size: 1.0625rem; }
small { font-size: .65em; font-weight: normal; color: var(--quiet); }
.hidden, .screen-reader-text {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
body { border-top: 4px solid var(--accent); }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--back); z-index: 1; }
.skip:focus { top: 1rem; }

.site-header, .site-footer, main { max-width: var(--wide); margin: 0 auto; padding: 0 1.25rem; }
.site-header {
  display: flex; flex-wrap: wrap; gap: .75rem 2rem; align-items: center;
  padding-top: 1.5rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line);
}
.brand { display: flex; gap: 1rem; align-items: center; margin-inline-end: auto; }
.logo img { max-height: 3.5rem; width: auto; }
.site-name { font-size: 1.35rem; font-weight: bold; line-height: 1.2; letter-spacing: -.01em; margin: 0; }
.site-name a { color: var(--accent); text-decoration: none; }
.site-name a:hover { text-decoration: underline; }
.tagline { margin: .15rem 0 0; color: var(--quiet); font-size: .95rem; }
main { padding-top: 2.5rem; padding-bottom: 3rem; }
main > * { max-width: var(--width); margin-inline: auto; }
.site-footer { border-top: 1px solid var(--line); padding-top: 1.25rem; padding-bottom: 2rem; color: var(--quiet); font-size: .95rem; }

.menu { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; list-style: none; margin: 0; padding: 0; }
.menu a, .menu span { display: inline-block; padding: .35rem 0; min-height: 24px; }
.menu a { color: inherit; }
.menu a:not(:hover) { text-decoration-color: transparent; }
.menu [aria-current] { font-weight: bold; color: var(--accent); text-decoration-color: currentcolor; }
.menu .menu { padding-inline-start: 1rem; font-size: .95em; }
.site-header nav {
  display: block; position: static; width: auto; height: auto; margin: 0; padding: 0; border: 0; overflow: visible;
  background: none; color: inherit;
}
.menu-button { display: none; }
@media (max-width: 48rem) {
  .menu > li:has(.menu) { flex-basis: 100%; }
  /* Where a browser knows no popovers, the whole menu is shown. */
  @supports selector(:popover-open) {
    .menu-button { display: block; }
    .brand { flex: 1 1 12rem; }
    .site-header nav:not(:popover-open) { display: none; }
    .site-header nav:popover-open {
      position: fixed; inset: auto 0 0; width: 100%; max-width: none; max-height: 80vh; overflow: auto;
      padding: 1rem 1.25rem 1.5rem; background: var(--back); border-top: 4px solid var(--accent);
    }
    .site-header nav::backdrop { background: #0008; }
    .site-header .menu { flex-direction: column; gap: 0; }
    .site-header .menu a, .site-header .menu span { display: block; padding: .6rem 0; }
  }
}
@media (hover: hover) and (min-width: 48rem) {
  .site-header .menu > li { position: relative; }
  .site-header .menu > li:has(.menu) > :first-child::after { content: " \u25be" / ""; color: var(--quiet); }
  .site-header .menu .menu {
    position: absolute; z-index: 2; top: 100%; inset-inline-start: -.9rem; flex-direction: column; gap: 0;
    width: max-content; max-width: 20rem; padding: .4rem .9rem; background: var(--back);
    border: 1px solid var(--line); border-radius: 4px; visibility: hidden;
  }
  .site-header .menu .menu .menu { position: static; border: 0; padding-block: 0; }
  .site-header .menu li:hover > .menu, .site-header .menu li:focus-within > .menu, .site-header .menu .menu:hover .menu { visibility: visible; }
}

form span { display: flex; gap: .4rem; }
label { display: block; font-size: .9rem; color: var(--quiet); }
input, textarea, button { font: inherit; color: inherit; border: 1px solid var(--quiet); border-radius: 4px; padding: .35rem .75rem; min-height: 2.75rem; min-width: 2.75rem; }
input, textarea { background: var(--back); min-width: 0; flex: 1; }
.comment-form { max-width: 32rem; }
.comment-form input, textarea { width: 100%; }
[aria-invalid] { border: 2px solid var(--mark); }
button { background: var(--raised); cursor: pointer; }
button:hover { border-color: var(--accent); }
.site-header .search label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.site-header .search { max-width: 16rem; margin-inline-start: auto; }
.password { max-width: 22rem; }

.list-header { margin-bottom: 2rem; }
.list-header h1 { margin-bottom: .4rem; }
.entry { padding: 1.75rem 0; border-bottom: 1px solid var(--line); }
.entry:first-child { padding-top: 0; }
.entry h2 { margin: 0 0 .25rem; }
.entry h2 a { text-decoration-color: transparent; }
.entry h2 a:hover { text-decoration-color: currentcolor; }
.entry > :last-child { margin-bottom: 0; }
.picture { display: block; margin: 0 0 1rem; }
.picture img { border-radius: 4px; max-height: 26rem; width: 100%; object-fit: cover; }
.byline, .terms { color: var(--quiet); font-size: .95rem; margin: 0 0 .9rem; }
.byline:empty { display: none; }
.byline a, .terms a { color: inherit; }
.terms { margin: 0 0 .3rem; }
.mark { color: var(--mark); font-weight: bold; }
.notice { border-inline-start: 4px solid var(--mark); padding: .4rem 1rem; background: var(--raised); }
.item > footer { margin-top: 2.5rem; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin-top: 2rem; }
.pages ol { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; }
.pages li > * { display: inline-block; min-width: 2.25rem; padding: .3rem .5rem; text-align: center; }
.pages [aria-current] { font-weight: bold; background: var(--raised); border-radius: 4px; }
.neighbours { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.neighbours a { flex: 1 1 12rem; }
.neighbours span { display: block; color: var(--quiet); font-size: .9rem; }
.neighbours [rel=next] { text-align: end; margin-inline-start: auto; }

.comments { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.comments h2 { margin-top: 0; }
.comments ol { list-style: none; margin: 0; padding: 0; }
.comments ol ol { padding-inline-start: 1.1rem; border-inline-start: 2px solid var(--line); }
.comments li { margin-top: 1.25rem; }
.comments .byline { margin-bottom: .2rem; }
.comments .reply { font-size: .9rem; }
.comments .reply a { display: inline-block; min-height: 24px; }
.respond { margin-top: 2rem; }
.comments article > p { margin: 0 0 .6em; }
:target { scroll-margin-top: 1rem; }
li:target > article { background: var(--raised); box-shadow: 0 0 0 .5rem var(--raised); border-radius: 2px; }

.content > :first-child { margin-top: 0; }
.content p, .content ul, .content ol, .content dl, .content table, .content figure, .content pre, .content blockquote { margin: 0 0 1.2em; }
.content li > ul, .content li > ol { margin-bottom: 0; }
.content::after { content: ""; display: block; clear: both; }
blockquote { border-inline-start: 4px solid var(--line); padding-inline-start: 1.1rem; margin-inline: 0; color: var(--quiet); }
blockquote > :last-child { margin-bottom: 0; }
cite { font-size: .95rem; }
figure { margin: 0 0 1.2em; }
figcaption, .wp-caption-text { font-size: .92rem; color: var(--quiet); margin-top: .4rem; }
pre { font: .92rem/1.5 var(--mono); background: var(--raised); border-radius: 4px; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
code, kbd, samp { font-family: var(--mono); font-size: .92em; }
:not(pre) > code { background: var(--raised); border-radius: 3px; padding: .1em .3em; }
table { border-collapse: collapse; display: block; overflow-x: auto; max-width: 100%; }
th, td { border: 1px solid var(--line); padding: .4rem .7rem; text-align: start; vertical-align: top; }
th { background: var(--raised); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5rem auto; }
dt { font-weight: bold; }
dd { margin: 0 0 .6em; padding-inline-start: 1.1rem; }
.content li:has(> [type=checkbox]:first-child) { list-style: none; }
.content li > [type=checkbox], .content li > p > [type=checkbox] { min-height: 0; margin: 0 .4em 0 0; vertical-align: middle; }
sup, sub { line-height: 0; }
.footnotes { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .92rem; }
.footnotes li > p { margin-bottom: .4em; }
.footnote-ref a, .footnote-backref { padding: 0 .2em; text-decoration: none; }
.footnotes li:target { background: var(--raised); }
.markdown-alert { margin: 0 0 1.2em; padding: .6rem 1.1rem; border-inline-start: 4px solid var(--accent); background: var(--raised); }
.markdown-alert > :last-child { margin-bottom: 0; }
.content .markdown-alert-title { margin-bottom: .3em; color: var(--accent); font-weight: bold; }
.markdown-alert-warning, .markdown-alert-caution { border-color: var(--mark); }
.markdown-alert-warning > .markdown-alert-title, .markdown-alert-caution > .markdown-alert-title { color: var(--mark); }
mark { background: #ffe48a; color: #1d2327; }
.alignleft { float: left; margin: .3rem 1.25rem 1rem 0; max-width: 50%; }
.alignright { float: right; margin: .3rem 0 1rem 1.25rem; max-width: 50%; }
.aligncenter { display: block; margin-inline: auto; text-align: center; }
@media (min-width: 66rem) {
  .alignwide, .alignfull { width: var(--wide); max-width: none; margin-inline: calc((var(--width) - var(--wide)) / 2) !important; }
}
.gallery, .wp-block-gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem; padding: 0; list-style: none; }
.gallery figure, .wp-block-gallery figure { margin: 0; }
.wp-block-columns { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.wp-block-column { flex: 1 1 14rem; min-width: 0; }
.wp-block-button__link { display: inline-block; padding: .5rem 1.1rem; border-radius: 4px; background: var(--accent); color: var(--back); text-decoration: none; }
.wp-block-media-text { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; align-items: center; }
.wp-block-embed iframe { width: 100%; }

@media (max-width: 40rem) {
  .site-header .search { max-width: none; margin: 0; flex: 1 1 100%; }
  .alignleft, .alignright { float: none; max-width: 100%; margin-inline: 0; }
  .wp-block-media-text { grid-template-columns: 1fr; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  .site-header nav, .search, .site-footer, .pages, .neighbours, .respond, .skip { display: none; }
  body { background: #fff; color: #000; }
}
`;
