/** How the two spellings are compared: what one calls what, what none may have of the other, and where two answers differ. */

/** Names with a product prefix, in the neutral spelling. */
const words = (
  'cms_block cms_template_part cms_template cms_global_styles cms_navigation cms_font_family cms_font_face cms_pattern_category ' +
  '_cms_note_status'
).split(' ');
const namespaces = ['cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1'];

/** Finds what a spelling must not have of the other one. */
export const foreign = {
  neutral:
    /\/wp-json|\bwp\\?\/v2|\bwp-(?:site-health|block-editor|abilities)\\?\/v1|\b_?wp_(?:block|template|global_styles|navigation|font|pattern_category|note)|"wp:\w+":|api\.w\.org|X-WP-/,
  original:
    /\/cms-json|\bcms\\?\/v2|\bcms-(?:site-health|block-editor|abilities)\\?\/v1|\b_?cms_(?:block|template|global_styles|navigation|font|pattern|note)|"cms:|api\.cms\.example|X-CMS-/,
};

/** `write`: neutral text as the spelling has it; `read`: back; `foreign`: finds what it must not have of the other one. */
export function spellingOf(dialect) {
  const pairs = [
    ...words.map((word) => [word, dialect.wireName(word)]),
    ...namespaces.map((name) => [name, dialect.spellRoute(`/${name}`).slice(1)]),
    ...namespaces.map((name) => [encodeURIComponent(name), encodeURIComponent(dialect.spellRoute(`/${name}`).slice(1))]),
    // Routes match whatever the case of their letters.
    ...namespaces.map((name) => [name.toUpperCase(), dialect.spellRoute(`/${name}`).slice(1).toUpperCase()]),
  ].filter(([neutral, own]) => neutral !== own);
  const answers = [
    ...pairs,
    ['/cms-json', dialect.root],
    ['/cms-admin/', `/${dialect.admin}/`],
    ['https://api.cms.example/', dialect.relationUri('')],
    ['x-cms-', dialect.header('').toLowerCase()],
    ['X-CMS-', dialect.header('')],
    ['cmsurl', 'wpurl'],
    ['cms_version', 'wp_version'],
  ].filter(([neutral, own]) => neutral !== own);
  return {
    write: replacer(pairs.map(([neutral, own]) => [neutral, own])),
    read: replacer(answers.map(([neutral, own]) => [own, neutral])),
    foreign: foreign[dialect.name],
  };
}

/** Replaces all names of a list at once, the longer of two first. */
function replacer(pairs) {
  if (pairs.length === 0) return (text) => text;
  const own = new Map(pairs);
  const names = [...own.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(names.join('|'), 'g');
  return (text) => text.replace(pattern, (name) => own.get(name));
}

/** What two sites have each for themselves. */
export function settled(text) {
  return (
    text
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '{uuid}')
      .replace(/"password":\s*"(?:\w{4} ){5}\w{4}"/g, '"password":"{password}"')
      .replace(/preview_nonce=[^&"\\]+/g, 'preview_nonce={nonce}')
      // In the neutral spelling relations are places of the site, in the original one of a host of its own.
      .replace(/"href":\s*"[^"]*\{rel\}"/g, '"href":"{rel}"')
      // Whoever made the site has another clock.
      .replace(/"(registered_date|created)":\s*"[^"]*"/g, '"$1":""')
      .replace(/"(?:hash|encoded)":\s*"[^"]*"/g, '"sealed":""')
  );
}

export function neutralised(value) {
  if (Array.isArray(value)) return value.map(neutralised);
  if (value === null || typeof value !== 'object') return value;
  const names = Object.entries(value).map(([key, one]) => [key.replace(/^wp:/, 'cms:'), neutralised(one)]);
  const read = Object.fromEntries(names);
  return read.templated === true && read.name === 'wp' ? { ...read, name: 'cms' } : read;
}

/** Where two values are first unlike; null when they are alike. */
export function firstDifference(a, b, path = 'the answer') {
  if (Object.is(a, b)) return null;
  const isBranch = (value) => value !== null && typeof value === 'object';
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b))
    return `${path}: ${(JSON.stringify(a) ?? 'nothing').slice(0, 200)} and ${(JSON.stringify(b) ?? 'nothing').slice(0, 200)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}
