import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { type SourceItem, SourceError } from '../../../src/transfer/import/items.ts';
import { cpuMs } from '../../support/long-texts.ts';
import {
  wxrAuthor,
  wxrCategory,
  wxrComment,
  wxrCorpus,
  wxrFoot,
  wxrHead,
  type WxrHead,
  type WxrItem,
  wxrItem,
  wxrTag,
  wxrTerm,
} from '../../support/wxr.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cms-wxr-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let files = 0;
async function open(bytes: string | Buffer, keepGoing = false, name = `export-${++files}.xml`) {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return wxrImporter.open({ source: path, path, scratch: dir, keepGoing });
}

async function read(
  bytes: string | Buffer,
  options: { keepGoing?: boolean; pass?: 'scan' | 'write'; name?: string } = {},
): Promise<any[]> {
  const source = await open(bytes, options.keepGoing, options.name);
  const items: SourceItem[] = [];
  for await (const item of source.items(options.pass ?? 'write')) items.push(item);
  return items;
}

const wrap = (...parts: string[]): string => wxrHead() + wxrAuthor(3, 'anna') + parts.join('') + wxrFoot;
const posts = (items: readonly any[]): any[] => items.filter(({ kind }) => kind === 'post');
/** The one item of a kind in a file with one item. */
async function one(item: Partial<WxrItem>, kind = 'post', head = ''): Promise<any> {
  const items = await read(wxrHead() + wxrAuthor(3, 'anna') + head + wxrItem({ id: 7, ...item }) + wxrFoot);
  return items.find((found) => found.kind === kind);
}
const siteOf = async (items: string, head: WxrHead = {}): Promise<any> => (await read(wxrHead(head) + items + wxrFoot)).at(-1);

it('comments have their status from before their post was trashed; an unknown status is hold', async () => {
  const meta = [['_wp_trash_meta_comments_status', 'a:3:{i:10;s:1:"1";i:11;s:1:"0";i:12;s:4:"spam";}']] as const;
  const after = [10, 11, 12, 13].map((id) => wxrComment({ id, approved: 'post-trashed' })).join('');
  const items = await read(wrap(wxrItem({ id: 7, status: 'trash', meta, after })));
  expect(items.filter(({ kind }) => kind === 'comment').map(({ status }) => status)).toEqual([
    'approved',
    'hold',
    'spam',
    'hold',
  ]);
});

it('the description of a menu link is read in both passes', async () => {
  const item = { id: 7, type: 'nav_menu_item', content: 'Where we are', meta: [['_menu_item_type', 'custom']] as const };
  for (const pass of ['scan', 'write'] as const) {
    const items = await read(wrap(wxrItem(item)), { pass });
    expect(items.find(({ kind }) => kind === 'menu-link').description).toBe('Where we are');
  }
});

describe('an export in several files', () => {
  const head = wxrHead() + wxrAuthor(3, 'anna');
  const first = head + wxrItem({ id: 7, content: 'one' }) + wxrFoot;
  const second = head + wxrItem({ id: 7, content: 'two' }) + wxrItem({ id: 8 }) + wxrFoot;

  async function all(source: Awaited<ReturnType<typeof open>>): Promise<any[]> {
    const items: any[] = [];
    for await (const item of source.items('write')) items.push(item);
    return items;
  }

  it('is read as one: shared items come once', async () => {
    const paths = [join(dir, 'part-1.xml'), join(dir, 'part-2.xml')] as const;
    await Promise.all([writeFile(paths[0], first), writeFile(paths[1], second)]);
    const others = [{ source: paths[1], path: paths[1] }];
    const items = await all(await wxrImporter.open({ source: paths[0], path: paths[0], others, scratch: dir, keepGoing: true }));
    expect(posts(items).map(({ key, content, place }) => [key, content, place.source])).toEqual([
      ['7', 'one', 'part-1.xml'],
      ['8', '', 'part-2.xml'],
    ]);
    expect(items.filter(({ kind }) => kind === 'user')).toHaveLength(1);
    expect(items.filter(({ kind }) => kind === 'site')).toHaveLength(1);
  });

  it('may be a ZIP archive, whose damaged members do not affect others', async () => {
    const archive = zip([
      ['export/b.xml', second, true],
      ['export/a.xml', first, false],
      ['__MACOSX/export/._a.xml', 'x', false],
      ['export/c.xml', '<html>', true],
    ]);
    const path = join(dir, 'export.zip');
    await writeFile(path, archive);
    expect(await wxrImporter.recognises({ source: path, path })).toBe(true);
    const items = await all(await wxrImporter.open({ source: path, path, scratch: dir, keepGoing: true }));
    expect(posts(items).map(({ key, content }) => [key, content])).toEqual([
      ['7', 'one'],
      ['8', ''],
    ]);
    expect(items.filter((item) => item.kind === 'lost' && item.what === 'file')).toHaveLength(1);
  });

  it.each([
    ['is encrypted', (entry: Buffer) => entry.writeUInt16LE(1, 8), 'it is encrypted'],
    ['is packed otherwise', (entry: Buffer) => entry.writeUInt16LE(12, 10), 'it is packed in a way that is not read (method 12)'],
    ['lies behind its end', (entry: Buffer) => entry.writeUInt32LE(0x7fffffff, 42), 'the archive is cut off before it'],
  ] as const)('says which member of the archive %s, and reads the others', async (_, spoil, message) => {
    const archive = zip([
      ['a.xml', first, true],
      ['b.xml', second, false],
    ]);
    spoil(archive.subarray(archive.indexOf('PK\x01\x02', undefined, 'latin1')));
    const path = join(dir, 'locked.zip');
    await writeFile(path, archive);
    const items = await all(await wxrImporter.open({ source: path, path, scratch: dir, keepGoing: true }));
    expect(items.flatMap((item) => (item.kind === 'lost' ? [[item.place.source, item.remarks[0].message]] : []))).toEqual([
      ['a.xml', message],
    ]);
    expect(posts(items).map(({ key }) => key)).toEqual(['7', '8']);
  });

  it('survives any damage of the archive', async () => {
    const archive = zip([
      ['a.xml', first, true],
      ['b.xml', second, false],
    ]);
    for (let at = 0; at < archive.length; at += 31) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] as number) ^ 0xff;
      const path = join(dir, 'damaged.zip');
      await writeFile(path, at % 2 === 0 ? damaged : archive.subarray(0, at));
      try {
        await all(await wxrImporter.open({ source: path, path, scratch: dir, keepGoing: true }));
      } catch (error) {
        expect(error).toBeInstanceOf(SourceError);
      }
    }
  });
});

/** A ZIP archive as its writers make it. */
function zip(members: readonly (readonly [name: string, text: string, isDeflated: boolean])[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, text, isDeflated] of members) {
    const bytes = isDeflated ? deflateRawSync(Buffer.from(text)) : Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(Buffer.byteLength(text), 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), bytes]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    common.copy(central, 6);
    central.writeUInt32LE(at, 42);
    list.push(Buffer.concat([central, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

describe('an export', () => {
  it('contains the site, authors, terms, items and comments', async () => {
    const items = await read(
      wxrHead({ title: 'Tom & Jerry', language: 'de-DE' }) +
        wxrAuthor(3, 'anna', { display_name: 'Anna &amp; Co', first_name: 'Anna', last_name: 'P' }) +
        wxrCategory({ id: 4, slug: 'ships', name: 'Ships &amp; Boats', parent: 'harbour', description: 'All <b>afloat</b>' }) +
        wxrTag({ id: 5, slug: 'fog' }) +
        wxrTerm('genre', { id: 6, slug: 'noir', name: 'Noir', parent: 'crime', meta: [['colour', 'black']] }) +
        wxrItem({
          id: 7,
          title: 'Hello',
          slug: 'hello',
          content: '<p>One ]]> two</p>',
          terms: [
            ['category', 'ships'],
            ['post_tag', 'fog'],
            ['post_tag', 'new', 'New'],
          ],
          after: wxrComment({
            id: 9,
            user: 3,
            parent: 8,
            meta: [
              ['rating', '5'],
              ['akismet_history', 'x'],
            ],
          }),
        }) +
        wxrFoot,
    );
    expect(items.map(({ place: _, ...item }) => item)).toEqual([
      {
        kind: 'user',
        key: 'anna',
        id: 3,
        login: 'anna',
        slug: 'anna',
        name: 'Anna & Co',
        email: 'anna@old.example',
        firstName: 'Anna',
        lastName: 'P',
      },
      {
        kind: 'term',
        key: 'category:ships',
        id: 4,
        taxonomy: 'category',
        slug: 'ships',
        name: 'Ships & Boats',
        description: 'All <b>afloat</b>',
        parent: 'category:harbour',
      },
      { kind: 'term', key: 'post_tag:fog', id: 5, taxonomy: 'post_tag', slug: 'fog', name: 'fog' },
      {
        kind: 'term',
        key: 'genre:noir',
        id: 6,
        taxonomy: 'genre',
        slug: 'noir',
        name: 'Noir',
        parent: 'genre:crime',
        meta: { colour: 'black' },
      },
      { kind: 'term', key: 'post_tag:new', taxonomy: 'post_tag', slug: 'new', name: 'New', standsIn: true },
      {
        kind: 'post',
        key: '7',
        id: 7,
        type: 'post',
        slug: 'hello',
        title: 'Hello',
        content: '<p>One ]]> two</p>',
        markup: 'html',
        excerpt: '',
        status: 'publish',
        date: '2026-03-05T11:00:00',
        dateGmt: '2026-03-05T10:00:00',
        modified: '2026-03-05T11:00:00',
        modifiedGmt: '2026-03-05T10:00:00',
        comments: 'open',
        pings: 'open',
        guid: 'https://old.example/?p=7',
        link: 'https://old.example/hello/',
        author: 'anna',
        terms: { category: ['category:ships'], post_tag: ['post_tag:fog', 'post_tag:new'] },
      },
      {
        kind: 'comment',
        key: '9',
        id: 9,
        post: '7',
        parent: '8',
        author: 'anna',
        name: 'Bob',
        email: 'bob@mail.example',
        ip: '192.0.2.7',
        content: 'Well said.',
        status: 'approved',
        date: '2026-03-06T09:00:00',
        dateGmt: '2026-03-06T08:00:00',
        meta: { rating: '5' },
      },
      { kind: 'taxonomy', name: 'genre', declaration: { singular: 'Genre', plural: 'Genres', hierarchical: true } },
      {
        kind: 'site',
        isZoneGuessed: true,
        addresses: ['https://old.example'],
        uploads: ['https://old.example/wp-content/uploads', 'https://old.example/uploads'],
        settings: { name: 'Tom & Jerry', description: 'Notes', language: 'de_DE', timezone: '+01:00', permalink: '/{slug}/' },
      },
    ]);
  });

  it('returns the same items and keys in both passes, without bodies in the first', async () => {
    const text = [...wxrCorpus({ items: 60, bodyBytes: 400 })].join('');
    const [sourceScan, write] = [await read(text, { pass: 'scan', name: 'a.xml' }), await read(text, { name: 'a.xml' })];
    const bare = (items: any[]) => items.map((item) => ('content' in item ? { ...item, content: '' } : item));
    expect(sourceScan).toEqual(bare(write));
    expect(posts(sourceScan).every(({ content }) => content === '')).toBe(true);
    expect(write.length).toBeGreaterThan(100);
  });

  it('may be gzipped, in chunks of any size', async () => {
    const text = [...wxrCorpus({ items: 300, bodyBytes: 3000 })].join('');
    const plain = await read(text, { name: 'b.xml' });
    expect((await read(gzipSync(text), { name: 'b.xml' })).length).toBe(plain.length);
    expect(await read(gzipSync(text), { name: 'b.xml' })).toEqual(plain);
  });

  it('reports its progress', async () => {
    const source = await open(wrap(wxrItem({ id: 7 })));
    const seen: [number, number][] = [];
    for await (const _ of source.items('write', (done, total) => seen.push([done, total])));
    expect(seen.at(-1)?.[0]).toBe(seen.at(-1)?.[1]);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('is detected by its name or first bytes', async () => {
    const path = join(dir, 'backup.bin');
    await writeFile(path, gzipSync(wrap()));
    expect(await wxrImporter.recognises({ source: path, path })).toBe(true);
    expect(await wxrImporter.recognises({ source: join(dir, 'none.xml'), path: join(dir, 'none.xml') })).toBe(false);
    expect(await wxrImporter.recognises({ source: 'https://old.example', path: null })).toBe(false);
    await expect(wxrImporter.open({ source: 'x', path: join(dir, 'none.xml'), scratch: dir, keepGoing: false })).rejects.toThrow(
      SourceError,
    );
  });
});

describe('an item', () => {
  const rows: readonly [what: string, item: Partial<WxrItem>, expected: Record<string, unknown>][] = [
    ['sticky', { sticky: true }, { sticky: true }],
    ['with a password', { password: ' secret ' }, { password: ' secret ' }],
    ['scheduled', { status: 'future', date: '2034-01-01 00:00:00' }, { status: 'future', date: '2034-01-01T00:00:00' }],
    ['private', { status: 'private' }, { status: 'private' }],
    [
      'a draft without a date',
      { status: 'draft', dateGmt: '0000-00-00 00:00:00', modified: '2026-03-07 10:00:00' },
      { date: undefined, dateGmt: undefined, modified: '2026-03-07T10:00:00' },
    ],
    ['a draft with a date', { status: 'draft' }, { date: '2026-03-05T11:00:00' }],
    [
      'without any date',
      { date: '0000-00-00 00:00:00', dateGmt: '0000-00-00 00:00:00', modified: '', modifiedGmt: '' },
      { date: undefined, dateGmt: undefined, modified: undefined },
    ],
    [
      'with a date that is none',
      { date: '2026-02-30 10:00:00' },
      {
        date: undefined,
        dateGmt: '2026-03-05T10:00:00',
        remarks: [expect.objectContaining({ rule: 'unreadable-date' }), expect.anything()],
      },
    ],
    [
      'in the trash',
      {
        status: 'trash',
        slug: 'hello__trashed',
        meta: [
          ['_wp_trash_meta_status', 'publish'],
          ['_wp_desired_post_slug', 'hello'],
          ['_wp_trash_meta_time', '1'],
        ],
      },
      { status: 'trash', trashed: { status: 'publish', slug: 'hello' }, meta: undefined },
    ],
    [
      'in the trash of an older version',
      { status: 'trash', slug: 'hello__trashed' },
      { trashed: { status: 'draft', slug: 'hello' } },
    ],
    ['with a picture', { meta: [['_thumbnail_id', '12']] }, { featuredMedia: '12', meta: undefined }],
    ['with a template', { type: 'page', meta: [['_wp_page_template', 'wide.php']] }, { template: 'wide.php' }],
    [
      'with the usual template',
      { type: 'page', meta: [['_wp_page_template', 'default']] },
      { template: undefined, meta: undefined },
    ],
    [
      'with former slugs',
      {
        slug: 'now',
        meta: [
          ['_wp_old_slug', 'then'],
          ['_wp_old_slug', 'now'],
          ['_wp_old_slug', 'before'],
        ],
      },
      { aliases: ['then', 'before'] },
    ],
    ['with a format', { terms: [['post_format', 'post-format-aside', 'Aside']] }, { format: 'aside', terms: undefined }],
    ['below another', { type: 'page', parent: 5, order: 3 }, { parent: '5', order: 3 }],
    ['closed for discussion', { comments: 'closed', pings: 'closed' }, { comments: 'closed', pings: 'closed' }],
    [
      'with custom fields',
      {
        meta: [
          ['mood', 'calm'],
          ['list', 'a:1:{i:0;s:1:"x";}'],
          ['_edit_lock', '1:1'],
          ['wp_pattern_sync_status', 'unsynced'],
          ['_wp_note_status', 'reopen'],
        ],
      },
      { meta: { mood: 'calm', list: ['x'], wp_pattern_sync_status: 'unsynced', _cms_note_status: 'reopen' } },
    ],
    [
      'with a field that has several values',
      {
        meta: [
          ['mood', 'calm'],
          ['mood', 'grey'],
        ],
      },
      { meta: { mood: ['calm', 'grey'] }, remarks: [expect.objectContaining({ rule: 'meta-list', severity: 'changed' })] },
    ],
    [
      'with an object in a field',
      { meta: [['x', 'O:1:"A":0:{}']] },
      { meta: { x: 'O:1:"A":0:{}' }, remarks: [expect.objectContaining({ rule: 'meta-object' })] },
    ],
    [
      'with control characters',
      { title: 'A\x00B\x1f', content: 'ok\x0b' },
      { title: 'AB', content: 'ok', remarks: [expect.objectContaining({ rule: 'control-character' }), expect.anything()] },
    ],
    ['a pattern', { type: 'wp_block' }, { type: 'cms_block' }],
    [
      'a template of a theme',
      {
        type: 'wp_template_part',
        slug: 'header',
        terms: [
          ['wp_theme', 'tide'],
          ['wp_template_part_area', 'header'],
        ],
      },
      { type: 'cms_template_part', slug: 'header', meta: { area: 'header', theme: 'tide' }, terms: undefined },
    ],
    [
      'styles of a theme',
      { type: 'wp_global_styles', slug: 'wp-global-styles-tide', content: '{"version":3}', terms: [['wp_theme', 'tide']] },
      { type: 'cms_global_styles', slug: 'tide', content: '{"version":3}' },
    ],
    [
      'an attachment',
      {
        type: 'attachment',
        status: 'inherit',
        parent: 5,
        attachmentUrl: 'https://old.example/wp-content/uploads/2026/03/cat.jpg',
        meta: [
          ['_wp_attached_file', '2026/03/cat.jpg'],
          ['_wp_attachment_image_alt', 'A cat'],
          ['_wp_attachment_metadata', 'a:1:{s:12:"parent_image";a:2:{s:13:"attachment_id";s:2:"11";s:4:"file";s:1:"x";}}'],
        ],
      },
      {
        status: 'inherit',
        parent: '5',
        meta: undefined,
        media: {
          path: '2026/03/cat.jpg',
          url: 'https://old.example/wp-content/uploads/2026/03/cat.jpg',
          alt: 'A cat',
          edited: '11',
        },
      },
    ],
    [
      'an attachment that does not say its path',
      { type: 'attachment', attachmentUrl: 'https://cdn.example/files/2026/03/c%20t.jpg?x=1' },
      { media: { path: '2026/03/c t.jpg', url: 'https://cdn.example/files/2026/03/c%20t.jpg?x=1' } },
    ],
  ];
  for (const [what, item, expected] of rows) {
    it(what, async () => {
      const found = await one(item);
      for (const [key, value] of Object.entries(expected)) expect([key, found[key]]).toEqual([key, value]);
    });
  }

  it('of a menu is a link', async () => {
    const menu = wxrTerm('nav_menu', { id: 30, slug: 'main', name: 'Main' }) + wxrCategory({ id: 31, slug: 'notes' });
    const link = (meta: readonly (readonly [string, string])[], rest: Partial<WxrItem> = {}) =>
      one(
        {
          type: 'nav_menu_item',
          title: '',
          terms: [['nav_menu', 'main']],
          order: 2,
          meta: meta.map(([key, value]) => [`_menu_item_${key}`, value]),
          ...rest,
        },
        'menu-link',
        menu,
      );
    const page = [
      ['type', 'post_type'],
      ['menu_item_parent', '6'],
      ['object_id', '5'],
      ['object', 'page'],
      ['target', '_blank'],
      ['classes', 'a:2:{i:0;s:4:"wide";i:1;s:0:"";}'],
      ['xfn', 'me friend'],
      ['url', ''],
    ] as const;
    expect(await link(page)).toMatchObject({
      menu: 'nav_menu:main',
      key: '7',
      parent: '6',
      order: 2,
      itemType: 'post_type',
      object: 'page',
      target: '5',
      window: '_blank',
      classes: ['wide'],
      xfn: ['me', 'friend'],
      title: '',
      status: 'publish',
    });
    expect(
      await link([
        ['type', 'taxonomy'],
        ['object_id', '31'],
        ['object', 'category'],
      ]),
    ).toMatchObject({ itemType: 'taxonomy', target: 'category:notes' });
    expect(
      await link([
        ['type', 'taxonomy'],
        ['object_id', '99'],
        ['object', 'category'],
      ]),
    ).toMatchObject({ itemType: 'taxonomy', object: 'category', targetId: 99 });
    expect(
      await link(
        [
          ['type', 'custom'],
          ['object_id', '7'],
          ['object', 'custom'],
          ['url', 'https://x.example'],
        ],
        { title: 'X', terms: [] },
      ),
    ).toMatchObject({ itemType: 'custom', object: 'custom', url: 'https://x.example', title: 'X', menu: '' });
    expect(
      await link([
        ['type', 'post_type_archive'],
        ['object_id', '-3'],
        ['object', 'book'],
      ]),
    ).toMatchObject({ itemType: 'post_type_archive', object: 'book' });
  });

  it('that nothing needs is reported', async () => {
    const items = await read(
      wrap(
        wxrItem({ id: 7 }),
        wxrItem({ id: 7 }),
        wxrItem({ id: 8, type: 'revision' }),
        wxrItem({ id: 9, status: 'auto-draft' }),
      ),
    );
    expect(items.filter(({ kind }) => kind === 'lost').map(({ what, remarks }) => [what, remarks[0].rule])).toEqual([
      ['post 7', 'duplicate-item'],
      ['revision 8', 'left-out'],
      ['post 9', 'left-out'],
    ]);
  });

  it('of a custom type declares it', async () => {
    const items = await read(
      wrap(
        wxrItem({ id: 7, type: 'book', parent: 8, order: 1, terms: [['genre', 'noir']], link: 'https://old.example/book/x/' }),
        wxrItem({
          id: 8,
          type: 'contact_form',
          comments: 'closed',
          pings: 'closed',
          link: 'https://old.example/?post_type=contact_form&p=8',
        }),
      ),
    );
    expect(
      items.filter(({ kind }) => kind === 'type' || kind === 'taxonomy').map(({ name, declaration }) => [name, declaration]),
    ).toEqual([
      [
        'book',
        {
          singular: 'Book',
          plural: 'Books',
          hierarchical: true,
          supports: expect.arrayContaining(['page-attributes', 'comments']),
          taxonomies: ['genre'],
        },
      ],
      [
        'contact_form',
        { singular: 'Contact form', plural: 'Contact forms', public: false, supports: expect.not.arrayContaining(['comments']) },
      ],
      ['genre', { singular: 'Genre', plural: 'Genres', types: ['book'] }],
    ]);
  });
});

describe('the site', () => {
  const link = (path: string) => `https://old.example${path}`;
  const permalinks: readonly [links: Partial<WxrItem>[], pattern: string | undefined][] = [
    [
      [
        { slug: 'a', link: link('/2026/03/a/') },
        { slug: 'b', link: link('/2026/03/b/') },
      ],
      '/{year}/{month}/{slug}/',
    ],
    [[{ slug: 'a', link: link('/2026/03/05/a.html') }], '/{year}/{month}/{day}/{slug}.html'],
    [
      [
        { slug: 'a', link: link('/archives/7') },
        { id: 8, link: link('/archives/8') },
      ],
      '/archives/{id}',
    ],
    [[{ slug: 'a', link: link('/notes/a/'), terms: [['category', 'notes']] }], '/{category}/{slug}/'],
    [[{ slug: 'a', link: link('/anna/a/') }], '/{author}/{slug}/'],
    [[{ slug: '%d1%84', link: link('/%D1%84/') }], '/{slug}/'],
    [[{ slug: 'a', link: link('/?p=7') }], undefined],
    [
      [
        { slug: 'a', link: link('/a/') },
        { slug: 'b', link: link('/x/b/') },
      ],
      undefined,
    ],
    [[{ slug: 'a', link: 'https://else.example/a/' }], undefined],
  ];
  for (const [links, pattern] of permalinks) {
    it(`has the permalink ${pattern}, by ${links.map((one) => one.link).join(' and ')}`, async () => {
      const site = await siteOf(links.map((item, i) => wxrItem({ id: 7 + i, ...item })).join(''));
      expect(site.settings.permalink).toBe(pattern);
    });
  }

  const zones: readonly [pairs: [string, string][], zone: string | undefined][] = [
    [
      [
        ['2026-03-05 12:00:00', '2026-03-05 10:00:00'],
        ['2026-07-05 12:00:00', '2026-07-05 10:00:00'],
      ],
      '+02:00',
    ],
    [[['2026-03-05 05:00:00', '2026-03-05 10:30:00']], '-05:30'],
    [[['2026-03-05 10:00:00', '2026-03-05 10:00:00']], 'UTC'],
    [
      [
        ['2026-03-05 11:00:00', '2026-03-05 10:00:00'],
        ['2026-07-05 12:00:00', '2026-07-05 10:00:00'],
      ],
      'Europe/Berlin',
    ],
    [
      [
        ['2026-01-05 05:00:00', '2026-01-05 10:00:00'],
        ['2026-07-05 06:00:00', '2026-07-05 10:00:00'],
        ['2026-07-06 06:00:00', '2026-07-06 10:00:00'],
        ['2026-07-07 06:00:00', '2026-07-07 10:00:00'],
        ['2026-07-08 10:00:00', '2026-07-08 10:00:00'],
      ],
      'America/New_York',
    ],
    [
      [
        ['2026-01-05 05:00:00', '2026-01-05 10:00:00'],
        ['2026-01-06 13:00:00', '2026-01-06 10:00:00'],
      ],
      undefined,
    ],
    [[['2026-03-05 11:07:31', '2026-03-05 10:00:00']], undefined],
  ];
  for (const [pairs, zone] of zones) {
    it(`is at ${zone}`, async () => {
      const site = await siteOf(pairs.map(([date, dateGmt], i) => wxrItem({ id: 7 + i, date, dateGmt })).join(''));
      expect(site.settings.timezone).toBe(zone);
    });
  }

  it('has its uploads where its attachments are', async () => {
    const item = (id: number, base: string) =>
      wxrItem({
        id,
        type: 'attachment',
        attachmentUrl: `${base}/2026/03/${id}.jpg`,
        meta: [['_wp_attached_file', `2026/03/${id}.jpg`]],
      });
    const site = await siteOf(
      item(7, 'https://cdn.example/x') + item(8, 'https://old.example/files') + item(9, 'https://cdn.example/x'),
    );
    expect(site.uploads).toEqual(['https://cdn.example/x', 'https://old.example/files', 'https://old.example/uploads']);
  });
});

describe('version', () => {
  it('with one id for terms of two taxonomies is supported', async () => {
    const link = (object: string) =>
      wxrItem({
        id: object.length,
        type: 'nav_menu_item',
        terms: [['nav_menu', 'main', 'Main']],
        meta: [
          ['_menu_item_type', 'taxonomy'],
          ['_menu_item_object', object],
          ['_menu_item_object_id', '5'],
        ],
      });
    const terms = wxrCategory({ id: 5, slug: 'fog' }) + wxrTag({ id: 5, slug: 'fog' });
    const items = await read(wxrHead() + terms + link('category') + link('post_tag') + wxrFoot);
    const targets = items.flatMap((item) => (item.kind === 'menu-link' ? [item.target] : []));
    expect(targets).toEqual(['category:fog', 'post_tag:fog']);
  });

  it('with author descriptions is supported', async () => {
    const author = wxrAuthor(3, 'anna').replace(
      '</wp:author>',
      '<wp:author_description>She tests.</wp:author_description></wp:author>',
    );
    const items = await read(`${wxrHead()}${author}${wxrFoot}`);
    expect(items.find(({ kind }) => kind === 'user')).toMatchObject({ login: 'anna', description: 'She tests.' });
  });

  it('1.0, without authors, with repeated categories and <tag>, is supported', async () => {
    const item = wxrItem({ id: 7, creator: 'bea' })
      .replace('<wp:postmeta>', '')
      .replace(
        '\t</item>',
        '\t\t<category><![CDATA[Notes]]></category>\n\t\t<category domain="category" nicename="notes"><![CDATA[Notes]]></category>\n\t\t<category domain="tag" nicename="fog"><![CDATA[Fog]]></category>\n\t</item>',
      );
    const items = await read(wxrHead({ version: '1.0' }) + item + wxrFoot);
    expect(items.filter(({ kind }) => kind === 'user')).toMatchObject([{ key: 'bea', login: 'bea', name: 'bea' }]);
    expect(posts(items)[0]).toMatchObject({ author: 'bea', terms: { category: ['category:notes'], post_tag: ['post_tag:fog'] } });
  });
  it('1.1 is supported, with any namespace prefix', async () => {
    const text = (wxrHead({ version: '1.1' }) + wxrItem({ id: 7 }) + wxrFoot)
      .replaceAll('wp:', 'x:')
      .replaceAll('xmlns:wp', 'xmlns:x');
    expect(posts(await read(text))).toMatchObject([{ key: '7', slug: 'item-7', status: 'publish' }]);
  });
});

describe('broken input', () => {
  const whole = wrap(wxrItem({ id: 7 }), wxrItem({ id: 8 }), wxrItem({ id: 9 }));
  const line = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
  const broken = (part: string, by: string): string => whole.replace(part, by);
  /** Text, message, what keeps going brings. */
  const rows: readonly [what: string, bytes: string | Buffer, message: RegExp, brought: string[] | null][] = [
    [
      'an entity of HTML',
      broken('Item 8]]>', 'Item]]>&nbsp;8<![CDATA['.concat(']]>')),
      /&nbsp; is not declared in <title>/,
      ['7', '8', '9'],
    ],
    ['an unknown entity', broken('Item 8]]>', ']]>&xyz;<![CDATA[]]>'), /&xyz; is not declared/, ['7', '8', '9']],
    [
      'the name of a property',
      broken('Item 8]]>', ']]>&constructor;<![CDATA[]]>'),
      /&constructor; is not declared/,
      ['7', '8', '9'],
    ],
    ['a bare ampersand', broken('<![CDATA[Item 8]]>', 'Tom & Jerry'), /an & that does not begin an entity/, ['7', '8', '9']],
    [
      'an element that is not closed',
      broken('</title>\n\t\t<link>https://old.example/item-8/', '\n\t\t<link>https://old.example/item-8/'),
      /not well-formed in <item>|not well-formed/,
      ['7', '9'],
    ],
    ['an end that nothing began', broken('<wp:post_id>8', '</wp:nothing><wp:post_id>8'), /not well-formed/, ['7', '9']],
    ['a tag cut off', broken('<wp:post_id>8</wp:post_id>', '<wp:post_id 8</wp:post_id>'), /not well-formed/, ['7', '9']],
    ['a file cut off in an item', whole.slice(0, whole.indexOf('<wp:post_id>9')), /the file ends inside <item>/, ['7', '8']],
    [
      'a file cut off in CDATA',
      whole.slice(0, whole.indexOf('Item 9') + 3),
      /the file ends inside <title> of the <item> that began in line \d+/,
      ['7', '8'],
    ],
    [
      'a file cut off between items',
      whole.slice(0, whole.lastIndexOf('</item>') + 8),
      /the file ends inside <channel>/,
      ['7', '8', '9'],
    ],
    ['text behind the end', `${whole}Warning: out of memory`, /not well-formed/, ['7', '8', '9']],
    ['a byte of another encoding', Buffer.from(broken('Item 8', 'Caf\u00e9'), 'latin1'), /invalid UTF-8/, ['7', '8', '9']],
    ['no version', broken('<wp:wxr_version>1.2</wp:wxr_version>', ''), /does not state its version/, ['7', '8', '9']],
    ['an unknown version', broken('<wp:wxr_version>1.2', '<wp:wxr_version>9.0'), /unknown WXR version 9\.0/, ['7', '8', '9']],
    ['a DTD', broken('<rss ', '<!DOCTYPE rss [<!ENTITY a "b">]>\n<rss '), /DOCTYPE is not accepted/, null],
    [
      'a bomb of entities',
      broken(
        '<rss ',
        `<!DOCTYPE x [${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i + 1};`.repeat(10)}">`).join('')}]>\n<rss `,
      ),
      /DOCTYPE is not accepted/,
      null,
    ],
    [
      'elements nested without end',
      broken('<wp:post_id>8', `${'<a>'.repeat(100_000)}<wp:post_id>8`),
      /nested more than 64 deep/,
      ['7', '9'],
    ],
    [
      'attributes without end',
      broken('<wp:post_id>8', `<a ${Array.from({ length: 5000 }, (_, i) => `a${i}=""`).join(' ')}/><wp:post_id>8`),
      /more than 1000 attributes/,
      ['7', '9'],
    ],
    [
      'a news feed',
      '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>x</title></channel></rss>',
      /a news feed, not an export/,
      null,
    ],
    ['an Atom feed', '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom"></feed>', /a news feed/, null],
    ['an HTML page', '<!DOCTYPE html>\n<html><head><title>Log in</title></head></html>', /this is an HTML page/, null],
    ['an HTML page without a doctype', '<html><head><title>Log in</title></head></html>', /this is an HTML page/, null],
    ['other XML', '<?xml version="1.0"?><opml/>', /the root element is <opml>/, null],
    ['JSON', '{"posts": []}', /not an XML file/, null],
    ['nothing', '', /empty/, null],
    ['blanks', ' \n ', /before any content/, null],
    ['a ZIP archive', Buffer.from('PK\x03\x04rest of it'), /ZIP archive/, null],
    ['an unknown encoding', broken('encoding="UTF-8"', 'encoding="klingon"'), /unknown encoding "klingon"/, null],
    ['a wrong UTF-16', broken('encoding="UTF-8"', 'encoding="UTF-16"'), /claims to be in UTF-16 but is not/, null],
    ['a damaged gzip', gzipSync(whole).subarray(0, 400), /compressed file is damaged/, []],
  ];
  for (const [what, bytes, message, brought] of rows) {
    it(what, async () => {
      const error = await read(bytes).then(
        () => null,
        (caught) => caught,
      );
      expect(error).toBeInstanceOf(SourceError);
      expect(error.message).toMatch(message);
      expect(error.place).toMatchObject({
        source: expect.stringMatching(/^export-\d+\.xml$/),
        line: expect.any(Number),
        column: expect.any(Number),
      });
      const items = await read(bytes, { keepGoing: true }).catch((caught) => {
        expect(caught).toBeInstanceOf(SourceError);
        return null;
      });
      const keys = items && posts(items).map(({ key }) => key);
      if (brought?.length === 0) expect(keys ?? []).toEqual([]);
      else expect(keys).toEqual(brought);
    });
  }

  it('reports line and column', async () => {
    const text = broken('<![CDATA[Item 8]]>', 'x &copy; y');
    const error = await read(text).catch((caught) => caught);
    expect(error.place).toMatchObject({ line: line(text, '&copy;'), column: expect.any(Number) });
    expect(error.hint).toMatch(/keep-going/);
    const cut = whole.slice(0, whole.indexOf('<wp:post_id>9'));
    expect((await read(cut).catch((caught) => caught)).place.line).toBe(cut.split('\n').length);
    const bytes = await read(Buffer.from(broken('Item 8', 'Caf\u00e9'), 'latin1')).catch((caught) => caught);
    expect(bytes.place.line).toBe(line(whole, 'Item 8'));
  });

  it('is named when skipped, and lines are still counted', async () => {
    const items = await read(broken('<wp:post_id>8</wp:post_id>', '<wp:post_id 8</wp:post_id>'), { keepGoing: true });
    expect(items.filter(({ kind }) => kind === 'lost')).toMatchObject([
      { what: '<item>', remarks: [{ rule: 'broken' }], place: { line: line(whole, '<wp:post_id>8') } },
    ]);
    expect(posts(items).map(({ place }) => place.line)).toEqual([
      line(whole, '<title><![CDATA[Item 7') - 1,
      line(whole, '<title><![CDATA[Item 9') - 1,
    ]);
  });

  it('keeps valid characters', async () => {
    expect(posts(await read(broken('<![CDATA[Item 8]]>', 'a&nbsp;b &hellip;'), { keepGoing: true }))[1].title).toBe('a\u00a0b …');
    const western = posts(await read(Buffer.from(broken('Item 8', 'Caf\u00e9 \u0093x\u0094'), 'latin1'), { keepGoing: true }))[1];
    expect(western).toMatchObject({ title: 'Café “x”', remarks: [{ rule: 'encoding' }] });
  });

  it.each([
    ['Nice &#55357;&#56834; day', 'Nice 😂 day', undefined],
    ['&#xD83D;&#xDE02;&#x0d83c;&#xdde9; &#8230;', '😂🇩 …', undefined],
    ['a &#55357; b &#56834; c', 'a \ufffd b \ufffd c', [expect.objectContaining({ rule: 'xml' })]],
    ['<![CDATA[Nice &#55357;&#56834; &#xd83c;&#xDDE9; day]]>', 'Nice 😂 🇩 day', undefined],
    [
      '<![CDATA[a &#55357; &#50000;&#50000; &amp;#55357;&#56834;]]>',
      'a &#55357; &#50000;&#50000; &amp;#55357;&#56834;',
      undefined,
    ],
  ])('joins split surrogates: %s', async (written, title, remarks) => {
    const [, item] = posts(await read(broken('<![CDATA[Item 8]]>', written), { keepGoing: true }));
    expect([item.title, item.remarks]).toEqual([title, remarks]);
  });

  it('leaves rows of meta, which count their characters', async () => {
    const value = 'a:1:{i:0;s:16:"&#55357;&#56834;";}';
    const [item] = posts(await read(wrap(wxrItem({ id: 7, meta: [['mood', value]] }))));
    expect(item.meta).toMatchObject({ mood: ['&#55357;&#56834;'] });
  });

  it.each([
    ['a ]]> b', 'a ]]> b'],
    ['if (x[y[0]]>3) {} ]]> <b>y</b>', 'if (x[y[0]]>3) {} ]]> <b>y</b>'],
    [']]>]]>', ']]>]]>'],
  ])('treats a stray end of CDATA as text: %s', async (written, content) => {
    const text = wrap(wxrItem({ id: 7 }), wxrItem({ id: 8, content: 'Text 8' }), wxrItem({ id: 9 })).replace('Text 8', written);
    const items = await read(text, { keepGoing: true });
    expect(posts(items).map(({ key }) => key)).toEqual(['7', '8', '9']);
    expect(posts(items)[1]).toMatchObject({ content, remarks: [{ rule: 'xml', message: expect.stringContaining(']]>') }] });
  });

  it.each([
    '<br />\n<b>Deprecated</b>:  x[0] is deprecated in <b>/srv/p.php</b> on line <b>12</b><br />\n',
    '<!-- made by a cache -->\n',
    'Warning: y\n\n',
  ])('skips bytes before it: %s', async (before) => {
    const items = await read(before + whole, { keepGoing: true });
    expect(posts(items).map(({ key }) => key)).toEqual(['7', '8', '9']);
    expect(posts(items)[0].place.line).toBe(line(before + whole, '<title><![CDATA[Item 7') - 1);
    expect(items.at(-1)).toMatchObject({ kind: 'site', remarks: [{ rule: 'skipped-text', severity: 'note' }] });
    await expect(read(before + whole)).rejects.toThrow('before the XML declaration');
  });

  it('supports other declared encodings', async () => {
    const text = whole.replace('Item 8', 'Café “x”');
    const western = Buffer.from(text.replace('UTF-8', 'ISO-8859-1').replace('“', '\u0093').replace('”', '\u0094'), 'latin1');
    expect(posts(await read(western))[1].title).toBe('Café “x”');
    expect(
      posts(await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replace('UTF-8', 'UTF-16'), 'utf16le')])))[1]
        .title,
    ).toBe('Café “x”');
    expect(posts(await read(`\ufeff${text}`))[1].title).toBe('Café “x”');
    expect(posts(await read(`\n\n  ${text}`))[1]).toMatchObject({ title: 'Café “x”', place: { line: line(text, 'Café') + 1 } });
  });

  it('survives truncation anywhere', async () => {
    const text = wrap(wxrItem({ id: 7, content: 'ü — “x” ]]> y', after: wxrComment({ id: 9 }) }), wxrItem({ id: 8 }));
    const bytes = Buffer.from(text);
    for (let end = 1; end < bytes.length - 8; end += 197) {
      await expect(read(bytes.subarray(0, end))).rejects.toThrow(SourceError);
      const items = await read(bytes.subarray(0, end), { keepGoing: true }).catch((error) => {
        expect(error).toBeInstanceOf(SourceError);
        return [];
      });
      expect(posts(items).length).toBeLessThanOrEqual(2);
    }
  });

  it('does not parse a text repeatedly', async () => {
    const text = wxrHead() + '<item><title><![CDATA['.repeat(20_000);
    const work = async (): Promise<void> => expect(posts(await read(text, { keepGoing: true }))).toEqual([]);
    expect(await cpuMs(work)).toBeLessThan(20_000);
  });
});

describe('size', () => {
  it('an element of 10 MB is read completely', async () => {
    const content = 'The tide. '.repeat(1_050_000);
    expect((await one({ content })).content).toBe(content);
  });
  it('an element over 64 MB is refused', async () => {
    const start = wrap(wxrItem({ id: 7, content: 'HERE' })).split('HERE');
    const text = Buffer.concat([
      Buffer.from(start[0] as string),
      Buffer.alloc(66 * 1024 * 1024, 'x'),
      Buffer.from(start[1] as string),
    ]);
    await expect(read(text)).rejects.toThrow(/<content:encoded> is larger than 64 MB/);
    await expect(read(gzipSync(text), { pass: 'scan' })).rejects.toThrow(/larger than 64 MB/);
  });
});
