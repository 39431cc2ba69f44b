/** A site with types, taxonomies, fields and meta of its own, and one item of everything that visitors can read. */
import { signUp, startSite, type TestSite } from '../support/site.ts';

export type Deployment = 'basic' | 'extended';

const settings = (deployment: Deployment): string => `name: Harbour Notes
description: A small magazine
timezone: Europe/Berlin
deployment: ${deployment}
default_category: notes
menu_locations:
  primary: Header
types:
  book:
    plural: Books
    singular: Book
    rest_base: books
    supports: [title, editor, author, excerpt, revisions, thumbnail, custom-fields]
    taxonomies: [genre]
    fields:
      isbn: { type: string, description: Number of the edition }
      pages: integer
taxonomies:
  genre: { plural: Genres, singular: Genre, rest_base: genres, hierarchical: true }
fields:
  post:
    subtitle: text
    price: { type: number, min: 0, index: true }
    colour: { type: choice, choices: [red, blue], multiple: true }
    address: { type: group, fields: { street: text, zip: integer } }
    hours: { type: list, fields: { day: text, from: text } }
    related: { type: relation, to: [post, page], multiple: true }
  category: { tone: { type: choice, choices: [warm, cold] } }
  user: { motto: text }
`;

export function declaredFiles(deployment: Deployment): Readonly<Record<string, string>> {
  return {
    'site.yaml': settings(deployment),
    'terms/category/notes.yaml': 'name: Notes\nfields:\n  tone: warm\n',
    'terms/tag/tide.yaml': 'name: Tide\n',
    'terms/genre/novel.yaml': 'name: Novel\n',
    'users/anna.yaml': 'name: Anna\n',
    'posts/hello.md':
      '---\ntitle: Hello\ndate: 2026-03-05T10:00:00\nauthor: anna\ncategories: [notes]\ntags: [tide]\nsticky: true\nfields:\n  subtitle: First\n  price: 3\n  colour: [red]\n  address: { street: Quay, zip: 7 }\n---\nGood morning.\n',
    'posts/bare.md': '---\ntitle: Bare\ndate: 2026-03-04T10:00:00\n---\nNothing more.\n',
    'pages/about.md': '---\ntitle: About\ndate: 2026-03-01T10:00:00\n---\nAbout.\n',
    'books/dune.md':
      '---\ntitle: Dune\ndate: 2026-03-02T10:00:00\nmeta:\n  isbn: "978"\n  pages: 412\ngenre: [novel]\n---\nSand.\n',
    'menus/main.yaml':
      'name: Main\nlocations: [primary]\nitems:\n  - page: about\n  - url: https://example.org/\n    title: Away\n',
  };
}

export async function startDeclared(deployment: Deployment): Promise<TestSite> {
  const site = await startSite({ files: declaredFiles(deployment) });
  await signUp(site, 'ed', 'editor');
  const [post] = (await site.ask('GET', '/cms/v2/posts?slug=hello')).body;
  const make = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const { status, body: said } = await site.ask('POST', path, { as: 'admin', body });
    if (status !== 201 && status !== 200) throw new Error(`${path}: ${JSON.stringify(said)}`);
  };
  await make('/cms/v2/comments', { post: post.id, content: 'Well said.' });
  await make(`/cms/v2/posts/${post.id}`, { content: 'Good evening.' });
  await make(`/cms/v2/posts/${post.id}/autosaves`, { content: 'Good night.' });
  await make('/cms/v2/blocks', { title: 'Block', content: 'x', status: 'publish' });
  return site;
}
