/** A small site that has a page of every kind. */
import sharp from 'sharp';

const item = (title: string, ...lines: string[]): string =>
  ['---', `title: ${title}`, ...lines, '---', `Text of *${title}*.`, ''].join('\n');

export const post = (number: number, ...lines: string[]): string =>
  item(
    `Post ${number}`,
    `id: ${100 + number}`,
    `date: 2026-03-${String(number).padStart(2, '0')}T10:00:00`,
    'author: anna',
    ...lines,
  );

export const settings = [
  'name: Harbour & Quay',
  'description: Notes from the quay',
  'timezone: Europe/Berlin',
  'posts_per_page: 4',
  'date_format: j F Y',
  'menu_locations:',
  '  primary: Header',
  '  footer: Footer',
  'types:',
  '  boat:',
  '    plural: Boats',
  '    rest_base: boats',
  '    has_archive: boats',
  'taxonomies:',
  '  rig:',
  '    plural: Rigs',
  '    types: [boat]',
  '',
].join('\n');

export const files: Readonly<Record<string, string>> = {
  'site.yaml': settings,
  'users/anna.yaml': 'id: 21\nname: Anna Quist\ndescription: Writes about boats.\n',
  'users/idle.yaml': 'id: 22\nname: Nobody\n',
  'terms/category/notes.yaml': 'id: 31\nname: Notes\ndescription: Short ones.\n',
  'terms/category/tides.yaml': 'id: 32\nname: Tides\nparent: notes\naliases: [waters]\n',
  'terms/tag/winter.yaml': 'id: 33\nname: Winter\n',
  'terms/rig/ketch.yaml': 'id: 34\nname: Ketch\n',
  'menus/main.yaml':
    'id: 41\nname: Main\nlocations: [primary]\nitems:\n  - page: about\n    id: 51\n    items:\n      - page: about/team\n        id: 52\n  - category: notes\n    id: 53\n  - url: https://example.com/ferry\n    title: Ferry\n    id: 54\n',
  'menus/foot.yaml': 'id: 42\nname: Foot\nlocations: [footer]\nitems:\n  - page: imprint\n    id: 55\n',
  'pages/about/index.md': item('About', 'id: 61'),
  'pages/about/team.md': item('Team', 'id: 62'),
  'pages/imprint.md': item('Imprint', 'id: 63', 'aliases: [legal]'),
  'boats/elsa.md': item('Elsa', 'id: 71', 'rig: [ketch]', 'date: 2026-02-01T10:00:00'),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [`posts/post-${number}.md`, post(number, 'categories: [notes]')]),
  ),
  'posts/post-9.md': post(
    9,
    'categories: [tides]',
    'tags: [winter]',
    'comments: open',
    'featured_media: quay.png',
    'format: aside',
  ),
  'posts/locked.md': item('Locked', 'id: 120', 'date: 2026-01-05T10:00:00', 'password: tide', 'author: anna').replace(
    'Text of',
    'Hidden words of',
  ),
  'posts/draft.md': item('Draft', 'id: 121', 'status: draft', 'date: 2026-01-05T10:00:00'),
  'media/quay.png.yaml': 'id: 81\ntitle: The quay\nalt: Boats at the quay\n',
  'comments/109/1.md': '---\nid: 1\nname: Ben\nurl: https://ben.example\ndate: 2026-03-10T10:00:00\n---\nFirst words\n',
  'comments/109/2.md': '---\nid: 2\nauthor: anna\nparent: 1\ndate: 2026-03-10T11:00:00\n---\nAn answer\n',
  'comments/109/3.md': '---\nid: 3\nname: Spam\nstatus: hold\ndate: 2026-03-10T12:00:00\n---\nWaiting\n',
  'redirects.yaml': '/former/: /about/\n/gone/:\n  status: 410\n',
};

/** The bytes of `media/quay.png`. */
export function quay(): Promise<Buffer> {
  return sharp({ create: { width: 1200, height: 800, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
}
