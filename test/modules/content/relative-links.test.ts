/** Pictures beside texts, links between files and wiki links: what a reader sees, and what is refused. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../cli/run.ts';
import { picture } from '../../support/media.ts';
import { startSite, until } from '../../support/site.ts';

const front = (id: number, title: string, more = '') =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-05T10:00:00\n${more}---\n`;

async function siteWith(files: Readonly<Record<string, string>>, pictures: readonly string[] = []) {
  const site = await startSite({ files: { ...files, ...Object.fromEntries(pictures.map((path) => [path, ''])) } });
  const bytes = await picture(1200, 800);
  for (const path of pictures) await writeFile(join(site.dir, path), bytes);
  await site.site.reload();
  onTestFinished(() => site.close());
  const shown = async (id: number, type = 'posts'): Promise<string> =>
    (await site.ask('GET', `/cms/v2/${type}/${id}`)).body.content.rendered;
  return { ...site, shown };
}

describe('images next to a text', () => {
  it('are attachments with sizes, served below /uploads', async () => {
    const site = await siteWith(
      {
        'posts/trip/index.md': `${front(70, 'Trip', 'cover: ./boat.jpg\n')}![Boat](./boat.jpg) ![Up](../sea%20view.jpg) \`![](boat.jpg)\`\n`,
        'posts/near.html': `${front(71, 'Near')}<p><img src="trip/boat.jpg" alt=""></p>\n`,
      },
      ['posts/trip/boat.jpg', 'posts/sea view.jpg'],
    );
    const html = await site.shown(70);
    expect(html).toContain(`src="${site.url}/uploads/posts/trip/boat.jpg"`);
    expect(html).toMatch(/<img [^>]*width="1200" height="800"[^>]*srcset="[^"]*boat-300x200\.jpg 300w/);
    expect(html).toContain(`${site.url}/uploads/posts/sea%20view.jpg`);
    expect(html).toContain('<code>![](boat.jpg)</code>');
    expect(await site.shown(71)).toContain(`${site.url}/uploads/posts/trip/boat.jpg`);
    for (const name of ['boat.jpg', 'boat-300x200.jpg']) {
      const file = await fetch(`${site.url}/uploads/posts/trip/${name}`);
      expect([name, file.status, file.headers.get('content-type')]).toEqual([name, 200, 'image/jpeg']);
    }
    const { body: post } = await site.ask('GET', '/cms/v2/posts/70?_embed');
    const { body: media } = await site.ask('GET', `/cms/v2/media/${post.featured_media}`);
    expect(media).toMatchObject({ source_url: `${site.url}/uploads/posts/trip/boat.jpg`, media_details: { width: 1200 } });
    expect(await site.read('posts/trip/boat.jpg.yaml')).toContain(`id: ${media.id}\n`);
    expect((await run(['validate', site.dir])).out).toContain('no problems found');

    // The text stays as it was written, and the picture can be described.
    const edit = (await site.ask('GET', '/cms/v2/posts/70?context=edit', { as: 'admin' })).body;
    expect(edit.content.raw).toContain('![Boat](./boat.jpg)');
    await site.ask('POST', `/cms/v2/media/${media.id}`, { as: 'admin', body: { alt_text: 'A boat' } });
    expect(await site.read('posts/trip/boat.jpg.yaml')).toContain('alt: A boat\n');
    await site.site.reload();
    expect((await site.ask('GET', `/cms/v2/media/${media.id}`)).body.alt_text).toBe('A boat');
  });

  it('are rejected if they are not media, are links, or are outside the content folders', async () => {
    const site = await siteWith(
      {
        'posts/a.md': `${front(70, 'A')}[x](./evil.html.exe) ![](../../etc/passwd) ![](./link.jpg) ![](../../../x.jpg) [j](./run.js)\n`,
        'posts/run.js': 'alert(1)\n',
        'themes/x.jpg': '',
      },
      ['drafts/hidden.jpg'],
    );
    await symlink('/etc/hostname', join(site.dir, 'posts/link.jpg'));
    await site.site.reload();
    for (const path of [
      'posts/run.js',
      'posts/a.md',
      'posts/link.jpg',
      'drafts/hidden.jpg',
      'themes/x.jpg',
      'site.yaml',
      '../site.yaml',
    ])
      expect([path, (await fetch(`${site.url}/uploads/${path}`)).status]).toEqual([path, 404]);
    expect(await site.shown(70)).not.toContain('/uploads/');
    const { out } = await run(['validate', site.dir]);
    expect(out.match(/relative and leads nowhere/g)).toHaveLength(5);
    expect(out).toContain('posts/a.md:6:');
  });
});

describe('links between files', () => {
  it('become URLs, and follow their targets', async () => {
    const site = await siteWith({
      'posts/a.md': `${front(70, 'A')}[b](b.md#part) [team](../pages/about/team.md) [trip](./trip/) [gone](gone.md)\n\n[ref]: ../pages/about/index.md\n\nSee [ref].\n`,
      'posts/b.md': front(71, 'B'),
      'posts/trip/index.md': `${front(72, 'Trip')}[a](../a.md)\n`,
      'pages/about/index.md': `${front(73, 'About')}[t](team.md)\n`,
      'pages/about/team.md': front(74, 'Team'),
    });
    expect((await site.shown(70)).match(/href="[^"]*"/g)).toEqual([
      'href="/b/#part"',
      'href="/about/team/"',
      'href="/trip/"',
      'href="gone.md"',
      'href="/about/"',
    ]);
    expect(await site.shown(72)).toContain('href="/a/"');
    expect(await site.shown(73, 'pages')).toContain('href="/about/team/"');
    const { out } = await run(['validate', site.dir]);
    expect(out.match(/^.* relative .*$/gm)).toEqual([
      'posts/a.md:6:70 warning "gone.md" is relative and leads nowhere on the site',
    ]);
    await site.write('posts/b.md', front(71, 'B', 'slug: elsewhere\n'));
    await until(() => site.site.posts.get(71)?.slug === 'elsewhere');
    expect(await site.shown(70)).toContain('href="/elsewhere/#part"');
  });

  it('in double brackets are supported if site.yaml enables them', async () => {
    const files = {
      'posts/a.md': `${front(70, 'A')}[[Low Water]] [[2026-03-05-dated|that day]] [[Team#People here]] ![[boat.jpg]] [[None]] \`[[Team]]\`\n`,
      'posts/Low Water.md': front(71, 'B'),
      'posts/2026-03-05-dated.md': front(72, 'C'),
      'pages/team.md': front(73, 'Team'),
      'posts/markup.html': `${front(74, 'D')}<p>[[Team]]</p>\n`,
    };
    const site = await siteWith(files, ['posts/boat.jpg']);
    expect(await site.shown(70)).toContain('[[Low Water]]');
    const settings = await readFile(join(site.dir, 'site.yaml'), 'utf8');
    await site.write('site.yaml', `${settings}wiki_links: true\n`);
    await until(() => site.site.settings.value('wiki_links') === true);
    const html = await site.shown(70);
    expect(html).toContain('<a href="/low-water/">Low Water</a>');
    expect(html).toContain('<a href="/dated/">that day</a>');
    expect(html).toContain('<a href="/team/#people-here">Team#People here</a>');
    expect(html).toContain(`src="${site.url}/uploads/posts/boat.jpg" alt="boat.jpg"`);
    expect(html).toContain('[[None]]');
    expect(html).toContain('<code>[[Team]]</code>');
    // Brackets of markup are no links.
    expect(await site.shown(74)).toContain('<p>[[Team]]</p>');
  });
});
