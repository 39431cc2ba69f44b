/** What only the whole site shows: names, comments, menus, media, the design. Rows as in validate.test.ts. */
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/validate/validate.ts';
import { clock, contentOf, findEach, front, modelOf, post, type Row, sound } from './findings.ts';

const menu = (...items: string[]): string =>
  `id: 4\nlocations: [primary]\nitems:\n${items.map((item) => `  - ${item}\n`).join('')}`;

const rows: readonly Row[] = [
  {
    name: 'names that differ in capitals',
    files: { 'posts/Hello.md': front('id: 9', 'slug: a'), 'posts/hello.md': front('id: 10', 'slug: b') },
    says: ['posts/hello.md 1:1 warning name-collision'],
    hint: /rename one/,
  },
  {
    name: 'folders that differ in capitals, said once each',
    files: { 'pages/X/a.md': front('id: 9'), 'pages/x/b.md': front('id: 10'), 'pages/x.md': front('id: 11') },
    says: ['pages/X/a.md 1:1 warning unknown-parent', 'pages/x/b.md 1:1 warning name-collision'],
  },
  {
    name: 'names that Windows cannot have',
    files: { 'posts/con.md': front('id: 9'), 'posts/what?.md': front('id: 10') },
    says: ['posts/con.md 1:1 warning reserved-name', 'posts/what?.md 1:1 warning reserved-name'],
  },
  {
    name: 'files nobody reads',
    files: { 'posts/notes.txt': 'x', 'posts/a.mdx': 'x', 'README.txt': 'x', 'tools/x.py': 'x', 'users/team/ben.yaml': 'id: 9\n' },
    says: [
      'posts/a.mdx 1:1 warning not-content',
      'posts/notes.txt 1:1 warning not-content',
      'users/team/ben.yaml 1:1 warning not-content',
    ],
  },
  {
    name: 'settings of the operator',
    files: { 'site.yaml': 'menu_locations: {primary: x}\nupload_limit: 9000\n\ndefault_role: administrator\n' },
    says: ['site.yaml 2:1 warning operator-setting', 'site.yaml 4:1 warning operator-setting'],
    hint: 'set CMS_UPLOAD_LIMIT, or upload_limit in cms.config.yaml beside the content folder',
  },
  { name: 'a password', files: { [post]: front('id: 1', 'password: low tide') }, says: ['3:11 note plain-password'] },
  { name: 'no text', files: { [post]: '---\nid: 1\n---\n' }, says: ['1:1 note empty-body'] },
  { name: 'no text in a draft', files: { 'posts/x.md': '---\nid: 9\nstatus: draft\n---\n' }, says: [] },
  {
    name: 'a custom field of another type, and a misspelt one',
    files: {
      'site.yaml':
        'menu_locations: {primary: x}\ntypes:\n  book:\n    fields:\n      isbn: string\n      pages: { type: integer, minimum: 1 }\n',
      'book/a.md': front('id: 9', 'meta:', '  pages: many', '  ibsn: x'),
      'book/b.md': front('id: 10', 'meta:', '  pages: 0', '  own: x'),
    },
    says: ['book/a.md 4:10 error field:meta.pages', 'book/a.md 5:9 warning unknown-key', 'book/b.md 4:10 error field:meta.pages'],
    hint: 'did you mean isbn?',
  },
  {
    name: 'a type with a taxonomy that nobody declares',
    files: { 'site.yaml': 'menu_locations: {primary: x}\ntypes:\n  book:\n    taxonomies: [genre]\n    sigular: Book\n' },
    says: ['site.yaml 4:18 error unknown-reference', 'site.yaml 5:14 warning unknown-key'],
    hint: 'did you mean singular?',
  },
  {
    name: 'names in every folder of a type, as the server finds them',
    files: {
      'site.yaml':
        'url: https://quay.example\nmenu_locations: {primary: x}\ntypes: {page: {folder: [pages, sections/all]}}\nfront: page\nfront_page: /north.md\n',
      'sections/all/north.md': front('id: 9'),
      'sections/all/north/lake.md': front('id: 10'),
      'menus/main.yaml': menu('page: north/lake\n    id: 90', 'url: /north/\n    title: x\n    id: 91'),
    },
    says: ['menus/main.yaml 6:10 note former-address'],
  },
  { name: 'a name by a former slug', files: { [post]: front('id: 1', 'tags:', '  - strolls') }, says: ['4:5 note former-slug'] },

  {
    name: 'comments on nothing, to nothing, in a circle',
    files: {
      'comments/99/3.html': front('id: 3'),
      'comments/2/4.html': front('id: 4', 'parent: 77'),
      'comments/2/5.html': front('id: 5', 'parent: 6'),
      'comments/2/6.html': front('id: 6', 'parent: 5'),
      'comments/2/7.html': front('id: 7', 'parent: 3'),
      'comments/2/8.html': front('id: 1', 'author: ana'),
      'comments/2/9.html': front('id: 9', 'email: a@example.com'),
    },
    says: [
      'comments/2/4.html 3:9 error unknown-comment',
      'comments/2/5.html 3:9 error parent-loop',
      'comments/2/6.html 3:9 error parent-loop',
      'comments/2/7.html 3:9 error unknown-comment',
      'comments/2/8.html 2:5 error duplicate-id',
      'comments/2/8.html 3:9 warning unknown-name',
      'comments/2/9.html 3:1 warning private-key',
      'comments/99/3.html 1:1 warning orphan-comment',
    ],
  },

  {
    name: 'menu items: ids, links, parents, values',
    files: {
      'menus/main.yaml': menu(
        '{ page: about, id: 20 }',
        '{ page: about/team, id: 20 }',
        '{ post: hello, id: 1 }',
        '{ url: /abuot/, title: x, id: 23 }',
        '{ url: /uploads/2026/03/dog.jpg, title: x, id: 24 }',
        '{ url: https://quay.example/about/team, title: x, id: 25, parent: 99 }',
        '{ url: https://elsewhere.example/nothing, title: x, id: 26, status: shown, titel: x }',
      ),
    },
    says: [
      'menus/main.yaml 5:29 error duplicate-id',
      'menus/main.yaml 6:24 error duplicate-id',
      'menus/main.yaml 7:12 warning broken-link',
      'menus/main.yaml 8:12 error missing-upload',
      'menus/main.yaml 9:71 error unknown-reference',
      'menus/main.yaml 10:73 error field:status',
    ],
  },
  {
    name: 'menu items: archives',
    files: {
      'site.yaml': 'menu_locations: {primary: x}\ntypes: {walk: {has_archive: hikes}, memo: {}}\n',
      'menus/main.yaml': menu(
        '{ archive: walk, id: 20 }',
        '{ archive: post, id: 21 }',
        '{ archive: wlak, id: 22 }',
        '{ archive: hikes, id: 23 }',
        '{ archive: memo, id: 24 }',
      ),
    },
    says: [
      'menus/main.yaml 6:16 error unknown-reference',
      'menus/main.yaml 7:16 error unknown-reference',
      'menus/main.yaml 8:16 error unknown-reference',
    ],
    hint: 'did you mean walk?',
  },
  {
    name: 'one place for two menus',
    files: { 'menus/other.yaml': 'id: 9\nlocations: primary\n' },
    says: ['menus/other.yaml 2:12 warning taken-location'],
  },
  {
    name: 'a place that the theme does not show',
    files: {
      'site.yaml': 'name: Quay\nmenu_locations: {primary: A, side: B, legal: C, social: D}\n',
      'menus/side.yaml': 'id: 9\nlocations: side\n',
      'menus/feet.yaml': 'id: 10\nlocations: [legal, social]\n',
    },
    says: ['menus/feet.yaml 2:20 warning unshown-location', 'menus/side.yaml 2:12 warning unshown-location'],
  },
  {
    name: 'places that a template shows, or one that goes through all of them',
    files: {
      'site.yaml': 'name: Quay\nmenu_locations: {primary: A, side: B}\n',
      'menus/side.yaml': 'id: 9\nlocations: side\n',
      'theme/header.liquid': '{% for item in menus.side %}{{ item.title }}{% endfor %}',
    },
    says: [],
  },
  {
    name: 'no place where another program shows the site',
    files: {
      'site.yaml': 'name: Quay\ntheme: none\nmenu_locations: {primary: A, side: B}\n',
      'menus/side.yaml': 'id: 9\nlocations: side\n',
    },
    says: [],
  },
  {
    name: 'items without a menu',
    files: { 'menus/_loose.yaml': 'items:\n  - page: about\n    id: 20\n  - page: nowhere\n    id: 30\n' },
    says: ['menus/_loose.yaml 3:9 error duplicate-id', 'menus/_loose.yaml 4:11 error unknown-reference'],
  },

  {
    name: 'a sidecar without its file',
    files: { 'media/2026/03/dog.jpg.yaml': 'id: 9\n' },
    says: ['media/2026/03/dog.jpg.yaml 1:1 error no-original'],
  },
  {
    name: 'a file still to be fetched, and used',
    files: {
      'media/2026/03/dog.jpg.yaml': 'id: 9\nfetch: https://old.example/dog.jpg\n',
      [post]: front('id: 1', 'featured_media: 2026/03/dog.jpg'),
    },
    says: ['media/2026/03/dog.jpg.yaml 2:8 note not-fetched'],
  },
  {
    name: 'a file that is something else, one that is empty, one that is not served, one that nobody uses',
    files: {
      'media/a.png': '\xff\xd8\xff\xe0',
      'media/b.png': '',
      'media/c.exe': 'MZ',
      'media/d.pdf': '%PDF-1.7',
      'posts/x.md': `${front('id: 9')}![](/uploads/a.png) <img src=/uploads/b.png>`,
    },
    says: [
      'media/a.png 1:1 error wrong-bytes',
      'media/b.png 1:1 error wrong-bytes',
      'media/c.exe 1:1 warning not-served',
      'media/d.pdf 1:1 note unused-media',
    ],
    hint: 'rename it to .jpg, and its sidecar',
  },
  {
    name: 'a file that is in git LFS, and texts that only look like it',
    files: {
      'media/a.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0a'.repeat(32)}\nsize 12345\n`,
      'media/b.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:0a\nsize 12345\n',
      'posts/x.md': `${front('id: 9')}![](/uploads/a.png) ![](/uploads/b.png)`,
    },
    says: ['media/a.png 1:1 warning lfs-pointer', 'media/b.png 1:1 error wrong-bytes'],
    hint: 'git lfs pull',
  },
  {
    name: 'ways to use a file',
    files: {
      'media/a.png': '\x89PNG\r\n\x1a\n',
      'media/b.png': '\x89PNG\r\n\x1a\n',
      'media/b.png.yaml': 'id: 31\n',
      'media/c.png': '\x89PNG\r\n\x1a\n',
      'media/d.png': '\x89PNG\r\n\x1a\n',
      'media/e.png': '\x89PNG\r\n\x1a\n',
      'media/f.png': '\x89PNG\r\n\x1a\n',
      'media/f.png.yaml': 'id: 32\npost: pages/about\n',
      'site.yaml': 'menu_locations: {primary: x}\nlogo: a.png\n',
      'posts/x.html': `${front('id: 9')}<!-- wp:gallery {"ids":[31]} /--><img srcset="/uploads/c-300x200.png 300w">`,
      'posts/y.md': front('id: 10', 'meta:', '  picture: d.png'),
      'fonts/quay.yaml': 'id: 11\npreview: https://quay.example/uploads/e.png\n',
    },
    says: [],
  },

  {
    name: 'styles that are no JSON',
    files: {
      'styles/site.md': '---\nid: 9\n---\n```json\n{"version": 3,\n "styles": }\n```\n',
      'styles/other.md': '---\nid: 10\n---\n{"version": 3}\n',
    },
    says: ['styles/site.md 6:12 error styles-json'],
  },
  {
    name: 'fonts and widgets',
    files: {
      'fonts/inter.yaml': 'id: 9\nname: Inter\n',
      'fonts/intre/normal-400.yaml': 'id: 10\nfontFamily: Inter\n',
      'sidebars/side.yaml': 'id: 11\nwidgets:\n  - id: text-2\n    text: x\n  - title: Search\n  - id: serach-3\n',
      'sidebars/foot.yaml': 'id: 12\nwidgets:\n  - id: text-2\n',
      'patterns/hero.html': '---\nid: 13\ncategory: banner\ntitel: Hero\n---\n<p>x</p>\n',
    },
    says: [
      'fonts/intre/normal-400.yaml 1:1 warning font-family',
      'patterns/hero.html 4:1 warning unknown-key',
      'sidebars/side.yaml 3:9 error widget',
      'sidebars/side.yaml 5:5 error widget',
      'sidebars/side.yaml 6:9 error widget',
    ],
    hint: 'did you mean inter?',
  },
  {
    name: 'what blocks refer to',
    files: {
      'blocks/hours.html': front('id: 9'),
      'template-parts/header.html': front('id: 10'),
      'templates/index.html':
        front('id: 11') +
        '<!-- wp:block {"ref":9} /-->\n<!-- wp:block {"ref":1} /-->\n<!-- wp:navigation {"ref":9} /-->\n<!-- wp:template-part {"slug":"header"} /-->\n<!-- wp:template-part {"slug":"haeder"} /-->\n<!-- wp:template-part {"slug":"x","theme":"other"} /-->\n',
    },
    says: [
      'templates/index.html 6:1 error unknown-reference',
      'templates/index.html 7:1 error unknown-reference',
      'templates/index.html 9:1 error unknown-reference',
    ],
  },
];

describe('validation of the whole site', () => {
  findEach(rows);
});

it('menus may contain terms of a taxonomy that the menu editor does not offer', () => {
  const content = contentOf(sound);
  const model = modelOf(content);
  const taxonomies = model.taxonomies.map((taxonomy) => ({ ...taxonomy, showInNavMenus: false }));
  expect(validate(content, { ...model, taxonomies }, { clock })).toEqual([]);
});
