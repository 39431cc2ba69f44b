import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRenderWorker, type RenderWorker } from '../../src/render/render-worker.ts';
import { showContent, showExcerpt, type Text } from '../../src/render/render-post.ts';
import { builtProgram } from '../support/program-build.ts';
import { startSite } from '../support/site.ts';

const options = { smilies: true, typography: true, home: 'https://example.org', postId: 7 };
const paragraph = 'The light "comes" *up* behind the [quay](/media/a.png) :) -- and <em>goes</em>.\n\n';

let program = '';
let worker: RenderWorker;
const aside: RenderWorker['render'] = (wanted) => worker.render(wanted);

beforeAll(async () => {
  program = pathToFileURL((await builtProgram()).renderWorker).href;
  worker = ((await import(program)) as { createRenderWorker: typeof createRenderWorker }).createRenderWorker();
});
afterAll(() => worker.close());

const text = (more: Partial<Text>): Text => ({ raw: paragraph.repeat(500), kind: 'md', excerpt: '', options, ...more });

describe('texts rendered in a worker', () => {
  it.each<[string, Text]>([
    ['Markdown', text({})],
    ['classic markup', text({ kind: 'html' })],
    [
      'blocks',
      text({ kind: 'html', raw: `<!-- wp:paragraph --><p>One "two"</p><!-- /wp:paragraph -->`.replaceAll('wp:', 'cms:') }),
    ],
    ['an excerpt of its own', text({ excerpt: 'Short "and" <b>good</b>' })],
  ])('equal those rendered in place: %s', async (_, one) => {
    const content = showContent(one);
    expect(await aside({ text: one, excerptWords: 20 })).toEqual({ content, excerpt: showExcerpt(one, 20, () => content) });
    expect(await aside({ text: one, excerptWords: null })).toEqual({ content, excerpt: null });
  });

  it('do not block the event loop, and reach their own requests', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    const shown = await Promise.all(
      [1, 2, 3].map((n) => aside({ text: text({ raw: `${n}\n\n${paragraph.repeat(3000)}` }), excerptWords: 1 })),
    );
    clearInterval(count);
    expect(shown.map((one) => one?.excerpt)).toEqual([1, 2, 3].map((n) => `<p>${n} [&hellip;]</p>\n`));
    expect(turns).toBeGreaterThan(10);
  });

  it('do not keep the process alive', () => {
    const line = `const { createRenderWorker } = await import(${JSON.stringify(program)});
      const text = ${JSON.stringify(text({ raw: paragraph }))};
      console.log((await createRenderWorker().render({ text, excerptWords: null })).content.length);`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', line], { encoding: 'utf8', timeout: 20_000 });
    expect(Number(said)).toBe(showContent(text({ raw: paragraph })).length);
  });

  it('are rendered in place if there is no thread', async () => {
    const unbuilt = createRenderWorker();
    expect(await unbuilt.render({ text: text({}), excerptWords: 20 })).toBeNull();
    expect(await unbuilt.render({ text: text({}), excerptWords: 20 })).toBeNull();
  });

  it('are dropped when the site closes', async () => {
    const closing = ((await import(program)) as { createRenderWorker: typeof createRenderWorker }).createRenderWorker();
    const shown = closing.render({ text: text({ raw: paragraph.repeat(3000) }), excerptWords: 1 });
    closing.close();
    expect(await shown).toBeNull();
  });
});

describe('a long post', () => {
  it('is rendered like a short one, everywhere', async () => {
    const site = await startSite();
    try {
      const raw = paragraph.repeat(500);
      const shown = showContent(text({ options: { ...options, home: site.url } }));
      const made = await site.ask('POST', '/cms/v2/posts', {
        as: 'admin',
        body: { title: 'Long', content: raw, status: 'publish' },
      });
      expect([made.status, made.body.content]).toEqual([201, { raw, rendered: shown, protected: false, block_version: 0 }]);
      const path = `/cms/v2/posts/${made.body.id}`;
      const changed = await site.ask('POST', path, { as: 'admin', body: { content: `First.\n\n${raw}` } });
      const first = showContent(text({ raw: 'First.', options }));
      expect(changed.body.content.rendered).toBe(first + shown);
      const several = await Promise.all([
        ...[path, path, '/cms/v2/posts?per_page=1'].map((one) => site.ask('GET', one)),
        site.ask('GET', `${path}?excerpt_length=2&_fields=excerpt`),
      ]);
      const [one, again, [listed], brief] = several.map(({ body }) => body);
      for (const { content } of [one, again, listed]) expect(content.rendered).toBe(first + shown);
      expect(brief).toEqual({ excerpt: { rendered: '<p>First. The [&hellip;]</p>\n', protected: false } });
      const revisions = await site.ask('GET', `${path}/revisions`, { as: 'admin' });
      expect(revisions.body.map(({ content }: any) => content.rendered)).toEqual([first + shown]);
      expect((await site.ask('GET', new URL(made.body.link).pathname, { raw: true })).body).toContain(first + shown);
      const deleted = await site.ask('DELETE', `${path}?force=true`, { as: 'admin' });
      expect(deleted.body.previous.content.rendered).toBe(first + shown);
    } finally {
      await site.close();
    }
  });
});
