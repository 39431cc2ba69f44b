/**
 * Text that must not be taken for Markdown. The light form escapes what would be read as a mark where it stands and leaves the
 * rest readable; the heavy form escapes every sign. Both are only proposals: what they give is rendered and compared.
 */

/** A text of one node; its white space is single spaces, and its beginning may be the beginning of a line. */
export function escapeLightly(text: string): string {
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/`|~~+/g, (signs) => signs.replace(/./g, '\\$&'))
    .replace(/\*(?!\s)|(?<!\s)\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=\()/g, '\\]')
    .replace(/^\[(?=[^\]]*\]:|[ xX]\])/, '\\[');
  return beginning(addresses(entities(escaped)));
}

/** As above, with every sign that can be one escaped. */
export function escapeHeavily(text: string): string {
  return beginning(addresses(entities(text.replace(/[\\`*_[\]~|!#]/g, '\\$&'))));
}

/** `&` and `<` where they would begin an entity or a tag. */
function entities(text: string): string {
  return text.replace(/&(?=#?\w+;)/g, '&amp;').replace(/<(?=[a-z/!?]|$)/gi, '&lt;');
}

/** Addresses in plain text are no links in markup. */
function addresses(text: string): string {
  return text
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/(?<![:\w/\\])\/\/(?=\w)/g, '\\//')
    .replace(/\b(mailto|www)([:.])(?=\S)/gi, '$1\\$2')
    .replace(/(?<=[\w.+-])@(?=\w)/g, '\\@');
}

/** What would make a heading, a list, a quote or a rule of a line. */
function beginning(text: string): string {
  return text
    .replace(/^\s*(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|[-=]+\s*$|-[ -]*$|[-:|]{2})/, '$&\\')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
