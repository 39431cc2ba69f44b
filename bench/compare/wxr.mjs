/**
 * What an export file holds, read by itself and not by the importer: whoever compares needs a second opinion.
 */
import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';

/** @returns what `compare` takes of a source */
export function readWxr(path) {
  const channel = elements(readFileSync(path, 'utf8'));
  const one = (node, name) => node.children.find((child) => child.name === name)?.text ?? '';
  const all = (node, name) => node.children.filter((child) => child.name === name);
  const meta = (node, key) => {
    for (const row of [...all(node, 'wp:postmeta'), ...all(node, 'wp:commentmeta')])
      if (one(row, 'wp:meta_key') === key) return one(row, 'wp:meta_value');
    return '';
  };
  const home = (one(channel, 'wp:base_blog_url') || one(channel, 'link')).replace(/\/$/, '');
  // Of Polylang, whose languages are terms that say their locale.
  const locales = new Map(
    all(channel, 'wp:term').flatMap((node) => {
      const [, locale] = /"locale";s:\d+:"([^"]+)"/.exec(one(node, 'wp:term_description')) ?? [];
      return one(node, 'wp:term_taxonomy') === 'language' && locale ? [[one(node, 'wp:term_slug'), locale]] : [];
    }),
  );
  const hasLanguages = locales.size > 0;
  const isOfLanguages = (taxonomy) => hasLanguages && /^(?:language|term_language|(?:post|term)_translations)$/.test(taxonomy);
  const items = all(channel, 'item').map((item) => ({
    place: item.line,
    id: Number(one(item, 'wp:post_id')),
    type: one(item, 'wp:post_type'),
    title: one(item, 'title'),
    slug: one(item, 'wp:post_name'),
    status: one(item, 'wp:status'),
    date: one(item, 'wp:post_date'),
    author: one(item, 'dc:creator'),
    parent: Number(one(item, 'wp:post_parent')),
    order: Number(one(item, 'wp:menu_order')),
    sticky: one(item, 'wp:is_sticky') === '1',
    password: one(item, 'wp:post_password'),
    comments: one(item, 'wp:comment_status'),
    pings: one(item, 'wp:ping_status'),
    content: one(item, 'content:encoded'),
    excerpt: one(item, 'excerpt:encoded'),
    guid: one(item, 'guid'),
    address: one(item, 'link'),
    file: one(item, 'wp:attachment_url'),
    alt: meta(item, '_wp_attachment_image_alt'),
    picture: Number(meta(item, '_thumbnail_id')),
    terms: all(item, 'category')
      .map(({ attributes, text }) => ({ taxonomy: attributes.domain, slug: attributes.nicename, name: text }))
      .filter(({ taxonomy }) => !isOfLanguages(taxonomy)),
    language: all(item, 'category').find(({ attributes }) => hasLanguages && attributes.domain === 'language')?.attributes
      .nicename,
    group: all(item, 'category').find(({ attributes }) => attributes.domain === 'post_translations')?.attributes.nicename,
    link: {
      type: meta(item, '_menu_item_type'),
      object: meta(item, '_menu_item_object'),
      target: Number(meta(item, '_menu_item_object_id')),
      parent: Number(meta(item, '_menu_item_menu_item_parent')),
      url: meta(item, '_menu_item_url'),
    },
    remarks: all(item, 'wp:comment').map((comment) => ({
      id: Number(one(comment, 'wp:comment_id')),
      author: one(comment, 'wp:comment_author'),
      date: one(comment, 'wp:comment_date'),
      content: one(comment, 'wp:comment_content'),
      approved: one(comment, 'wp:comment_approved'),
      parent: Number(one(comment, 'wp:comment_parent')),
      type: one(comment, 'wp:comment_type'),
    })),
  }));
  const named = new Map();
  // The first that tells of a term counts.
  const term = (taxonomy, slug, row) => {
    const key = `${taxonomy} ${slug}`;
    if (!named.has(key)) named.set(key, { taxonomy, slug, parent: '', description: '', id: 0, ...row });
  };
  for (const node of all(channel, 'wp:category'))
    term('category', one(node, 'wp:category_nicename'), {
      id: Number(one(node, 'wp:term_id')),
      name: one(node, 'wp:cat_name'),
      parent: one(node, 'wp:category_parent'),
      description: one(node, 'wp:category_description'),
    });
  for (const node of all(channel, 'wp:tag'))
    term('post_tag', one(node, 'wp:tag_slug'), {
      id: Number(one(node, 'wp:term_id')),
      name: one(node, 'wp:tag_name'),
      description: one(node, 'wp:tag_description'),
    });
  for (const node of all(channel, 'wp:term').filter((row) => !isOfLanguages(one(row, 'wp:term_taxonomy'))))
    term(one(node, 'wp:term_taxonomy'), one(node, 'wp:term_slug'), {
      id: Number(one(node, 'wp:term_id')),
      name: one(node, 'wp:term_name'),
      parent: one(node, 'wp:term_parent'),
      description: one(node, 'wp:term_description'),
    });
  for (const { terms } of items) for (const { taxonomy, slug, name } of terms) term(taxonomy, slug, { name });
  for (const { language } of items) if (language && !locales.has(language)) locales.set(language, language);
  return {
    format: 'wxr',
    home,
    locales,
    users: all(channel, 'wp:author').map((node) => ({
      login: one(node, 'wp:author_login'),
      name: one(node, 'wp:author_display_name'),
      description: one(node, 'wp:author_description'),
    })),
    terms: [...named.values()],
    items,
  };
}

/** The channel as nested elements: name, attributes, children, text, line. */
function elements(text) {
  const parser = new SaxesParser();
  const root = { name: '', attributes: {}, children: [], text: '', line: 0 };
  const open = [root];
  parser.on('opentag', ({ name, attributes }) => {
    const node = { name, attributes, children: [], text: '', line: parser.line };
    open.at(-1).children.push(node);
    open.push(node);
  });
  const add = (part) => {
    open.at(-1).text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => open.pop());
  parser.write(text.slice(text.indexOf('<?xml'))).close();
  return root.children[0].children.find(({ name }) => name === 'channel');
}
