/** HTML and what stands in it, for the source of a text in markup. */
export { htmlLanguage } from '@codemirror/lang-html';
