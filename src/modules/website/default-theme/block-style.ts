/**
 * Styles for block classes in the default theme: layout, alignment, sizes, single blocks. Classes come from the server (`render/block-layouts.ts`,
 * `render/block-supports.ts`) and from editors.
 *
 * Named colors and sizes are in `preset-style.ts`.
 */
export const blockStyle = `
:root {
  --wp--preset--spacing--20: .44rem; --wp--preset--spacing--30: .67rem; --wp--preset--spacing--40: 1rem; --wp--preset--spacing--50: 1.5rem;
  --wp--preset--spacing--60: 2.25rem; --wp--preset--spacing--70: 3.38rem; --wp--preset--spacing--80: 5.06rem;
}
.is-layout-flow > * + *, .is-layout-constrained > * + * { margin-block-start: 1.2em; }
.is-layout-flow > :last-child, .is-layout-constrained > :last-child { margin-block-end: 0; }
.is-layout-constrained > :where(:not(.alignleft):not(.alignright):not(.alignfull):not(.alignwide)) { max-width: var(--width); margin-inline: auto; }
.is-layout-flex { display: flex; flex-wrap: wrap; align-items: center; gap: .75em; }
.is-layout-flex.is-nowrap { flex-wrap: nowrap; }
.is-layout-flex.is-vertical { flex-direction: column; align-items: flex-start; }
.is-layout-flex.is-content-justification-center { justify-content: center; }
.is-layout-flex.is-content-justification-right { justify-content: flex-end; }
.is-layout-flex.is-content-justification-space-between { justify-content: space-between; }
.is-layout-flex.is-vertical.is-content-justification-center { align-items: center; }
.is-layout-flex.is-vertical.is-content-justification-right { align-items: flex-end; }
.is-layout-grid { display: grid; gap: 1.2em; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); }
.is-layout-flex > *, .is-layout-grid > * { margin: 0; min-width: 0; }
.is-layout-grid.columns-2 { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.is-layout-grid.columns-3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.is-layout-grid.columns-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); }
.is-layout-grid.columns-5 { grid-template-columns: repeat(5, minmax(0, 1fr)); }
.is-layout-grid.columns-6 { grid-template-columns: repeat(6, minmax(0, 1fr)); }
.has-text-align-left { text-align: left; }
.has-text-align-center { text-align: center; }
.has-text-align-right { text-align: right; }
.has-text-align-justify { text-align: justify; }
:where(p, h1, h2, h3, h4, h5, h6, ul, ol, .wp-block-group, .wp-block-column, .wp-block-columns, .wp-block-quote, .wp-block-details).has-background { padding: 1.25em 1.75em; }
.has-drop-cap:not(:focus)::first-letter { float: left; font-size: 4.2em; line-height: .68; margin: .08em .1em 0 0; text-transform: uppercase; }
:where(.has-border-color) { border-style: solid; border-width: 2px; }
:where([style*="border-width"]) { border-style: solid; }
.wp-block-columns { align-items: normal; }
.wp-block-columns.are-vertically-aligned-center { align-items: center; }
.wp-block-columns.are-vertically-aligned-bottom { align-items: flex-end; }
.wp-block-column.is-vertically-aligned-center { align-self: center; }
.wp-block-column.is-vertically-aligned-bottom { align-self: flex-end; }
.wp-block-column[style*="flex-basis"] { flex-grow: 0; }
.wp-block-buttons { margin-block: 1.2em; }
.wp-block-button.is-style-outline > .wp-block-button__link { background: none; color: inherit; border: 2px solid currentcolor; }
.wp-block-button__link.has-text-align-center { text-align: center; }
.wp-block-gallery.is-layout-flex { display: flex; align-items: stretch; }
.wp-block-gallery.has-nested-images figure.wp-block-image { flex: 1 1 30%; margin: 0; display: flex; flex-direction: column; }
.wp-block-gallery.columns-1 figure.wp-block-image { flex-basis: 100%; }
.wp-block-gallery.columns-2 figure.wp-block-image { flex-basis: 45%; }
.wp-block-gallery.columns-4 figure.wp-block-image { flex-basis: 22%; }
.wp-block-gallery.is-cropped img { width: 100%; height: 100%; object-fit: cover; flex: 1; }
.wp-block-image.is-style-rounded img { border-radius: 999px; }
.wp-block-cover { position: relative; display: flex; align-items: center; justify-content: center; min-height: 20rem; padding: 1.25em; overflow: clip; color: #fff; }
.wp-block-cover__background, .wp-block-cover__image-background, .wp-block-cover__video-background { position: absolute; inset: 0; width: 100%; height: 100%; }
.wp-block-cover__image-background, .wp-block-cover__video-background { object-fit: cover; }
.wp-block-cover__background { background: #000; opacity: .5; }
.wp-block-cover__background.has-background-dim-0 { opacity: 0; }
.wp-block-cover__background.has-background-dim-10 { opacity: .1; }
.wp-block-cover__background.has-background-dim-20 { opacity: .2; }
.wp-block-cover__background.has-background-dim-30 { opacity: .3; }
.wp-block-cover__background.has-background-dim-40 { opacity: .4; }
.wp-block-cover__background.has-background-dim-60 { opacity: .6; }
.wp-block-cover__background.has-background-dim-70 { opacity: .7; }
.wp-block-cover__background.has-background-dim-80 { opacity: .8; }
.wp-block-cover__background.has-background-dim-90 { opacity: .9; }
.wp-block-cover__background.has-background-dim-100 { opacity: 1; }
.wp-block-cover__inner-container { position: relative; width: 100%; z-index: 1; }
.wp-block-cover.is-light { color: #000; }
.wp-block-media-text.has-media-on-the-right > .wp-block-media-text__media { order: 2; }
.wp-block-media-text__media { margin: 0; }
.wp-block-separator.is-style-wide { border-top-width: 1px; max-width: none; }
.wp-block-separator.has-background { height: 2px; border: 0; padding: 0; }
.wp-block-separator.is-style-dots { border: 0; text-align: center; height: auto; }
.wp-block-separator.is-style-dots::before { content: "···" / ""; letter-spacing: 1.5em; padding-inline-start: 1.5em; }
.wp-block-spacer { clear: both; }
.wp-block-pullquote { text-align: center; border-block: 4px solid var(--line); padding: 1.5em 0; }
.wp-block-pullquote blockquote { border: 0; padding: 0; font-size: 1.35em; }
.wp-block-quote.is-style-plain { border: 0; padding: 0; }
.wp-block-table > table { display: table; width: 100%; }
.wp-block-table { overflow-x: auto; }
.wp-block-table.is-style-stripes tbody tr:nth-child(odd) { background: var(--raised); }
.wp-block-table .has-fixed-layout { table-layout: fixed; }
.wp-block-verse { font-family: inherit; }
.wp-block-post-template, .wp-block-latest-posts, .wp-block-latest-comments, .wp-block-archives-list, .wp-block-categories-list, .wp-block-term-template { list-style: none; padding-inline-start: 0; }
.wp-block-latest-posts.is-grid { display: grid; gap: 1.2em; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); }
.wp-block-navigation ul, .wp-block-social-links, .wp-block-page-list { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .5em 1em; }
.wp-block-navigation__responsive-container-open, .wp-block-navigation__responsive-container-close, .wp-block-navigation__submenu-icon { display: none; }
.wp-block-latest-comments__comment-date { display: block; font-size: .85em; }
.wp-block-breadcrumbs ol { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .4em; }
.wp-block-breadcrumbs li + li::before { content: var(--separator, "/"); margin-inline-end: .4em; }
.page-numbers { padding: .2em .5em; }
.wp-block-embed__wrapper > iframe { aspect-ratio: 16 / 9; height: auto; }
@media (max-width: 479px) { .wp-block-hidden-mobile { display: none !important; } }
@media (min-width: 480px) and (max-width: 781px) { .wp-block-hidden-tablet { display: none !important; } }
@media (min-width: 782px) { .wp-block-hidden-desktop { display: none !important; } }
@media (max-width: 781px) {
  .wp-block-columns:not(.is-not-stacked-on-mobile) { flex-wrap: wrap !important; }
  .wp-block-columns:not(.is-not-stacked-on-mobile) > .wp-block-column { flex-basis: 100% !important; }
  .is-layout-grid[class*="columns-"] { grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); }
}
`;
