/** Markdown as people write it, from files to answers and back: lists of several texts, feeds, and authors who may not write all markup. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../../support/site.ts';

const text = 'one[^1] two[^1]\n\n> [!NOTE]\n> three\n\n## Four {#four}\n\nfive\n: six\n\n[^1]: seven\n';
const post = (id: number): string => `---\nid: ${id}\ntitle: Post ${id}\ndate: 2026-03-0${id - 10}T10:00:00\n---\n${text}`;

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/a.md': post(11),
      'posts/b.md': post(12),
      'comments/11/1.md': '---\nid: 1\nname: Ben\ndate: 2026-03-10T10:00:00\n---\nwell[^1]\n\n[^1]: so\n',
    },
  });
});
afterAll(() => site.close());

const idsIn = (html: string): string[] => Array.from(html.matchAll(/ id="(fn[^"]*)"/g), ([, id = '']) => id);

describe('texts with footnotes', () => {
  it('get unique ids in lists, and in comments too', async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts?slug=a,b');
    const { body: comments } = await site.ask('GET', '/cms/v2/comments?post=11');
    const ids = [...body, ...comments].flatMap(({ content }) => idsIn(content.rendered));
    expect(ids).toContain('fn-11-1');
    expect(ids).toContain('fnref-c1-1');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(8);
  });

  it('work in feeds', async () => {
    const { body } = await site.ask('GET', '/feed/', { raw: true });
    const ids = idsIn(body);
    expect(ids.length).toBe(6);
    expect(new Set(ids).size).toBe(6);
  });

  it('have excerpts without marks and notes', async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts/11');
    expect(body.excerpt.rendered).toBe('<p>one two three Four five six</p>\n');
    const page = await site.ask('GET', '/', { raw: true });
    expect(page.body).not.toContain('footnote-ref');
  });
});

it('a written text reads back unchanged, and renders like one from a file', async () => {
  const wanted = (await site.ask('GET', '/cms/v2/posts/11')).body.content.rendered;
  for (const as of ['admin', (await signUp(site, 'anna', 'author')).as]) {
    const { body } = await site.ask('POST', '/cms/v2/posts', { as, body: { title: 'x', content: text, status: 'publish' } });
    expect(body.content.raw).toBe(text);
    expect(body.content.rendered.replaceAll(`-${body.id}-`, '-11-')).toBe(wanted);
    const changed = await site.ask('POST', `/cms/v2/posts/${body.id}`, {
      as,
      body: { content: `${text}\n- > quoted\n\n> <b onclick="x()">bold</b> 1 > 0\n` },
    });
    const raw = changed.body.content.raw.slice(text.length);
    expect(raw).toBe(
      as === 'admin' ? '\n- > quoted\n\n> <b onclick="x()">bold</b> 1 > 0\n' : '\n- > quoted\n\n> <b>bold</b> 1 &gt; 0\n',
    );
  }
});
