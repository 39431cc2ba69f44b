/**
 * The samples of docs/seo.md, run: the code of the front ends without their frameworks, which do no more with it than is done here, and
 * the files in a site.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seoChecks } from '../../../../src/modules/seo/metadata/checks.ts';
import { optionTable } from '../../../../src/modules/seo/metadata/option-table.ts';
import { userValueTable, valueTable } from '../../../../src/modules/seo/metadata/values.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/seo.md'), 'utf8');
const sample = (kind: string): string => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(docs)?.[1] as string;
const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...values: unknown[]) => Promise<any>;

describe('docs/seo.md', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      clock: () => Date.parse('2026-03-05T10:00:00Z'),
      files: {
        'site.yaml': `name: Harbour\nhome: https://front.example\ntimezone: UTC\ndeployment: extended\nlang: { default: en, languages: { en: {} }, url: { mode: directory, default_in_directory: false } }\n${sample('yaml')}`,
        'posts/tide-tables.md': sample('markdown').replace('title: Tide tables', 'date: 2026-03-01T08:00:00\ntitle: Tide tables'),
      },
    });
  });
  afterAll(() => site.close());

  it('has valid sample files', async () => {
    expect(site.site.problems()).toEqual([]);
    const [post] = (await site.ask('GET', '/cms/v2/posts')).body;
    expect(post.seo_head_json).toMatchObject({
      title: 'Tide tables for 2026 | Harbour',
      description: 'When the water turns.',
      canonical: 'https://front.example/tide-tables/',
    });
  });

  it('has code for Next that yields the head of the site', async () => {
    const code = `${sample('js').replaceAll('export ', '')}\nreturn { generateMetadata, graph };`;
    const { generateMetadata, graph } = await new AsyncFunction('process', 'fetch', code)(
      { env: { CONTENT_API: `${site.url}/cms-json` } },
      fetch,
    );
    expect(await generateMetadata({ params: Promise.resolve({ slug: 'tide-tables' }) })).toMatchObject({
      title: 'Tide tables for 2026 | Harbour',
      description: 'When the water turns.',
      alternates: { canonical: 'https://front.example/tide-tables/' },
      robots: 'index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1',
      openGraph: { title: 'Tide tables for 2026 | Harbour', url: 'https://front.example/tide-tables/' },
    });
    expect(JSON.parse((await graph('tide-tables')).__html)['@graph'].length).toBeGreaterThan(3);
  });

  it('has a page for Astro that yields the head of the site', async () => {
    const [, script = '', markup = ''] = sample('astro').split('---\n');
    const code = `${script.replaceAll('import.meta.env', 'env')}\nreturn { post };`;
    const names = await new AsyncFunction('env', 'Astro', 'fetch', code)(
      { CONTENT_API: `${site.url}/cms-json` },
      { params: { slug: 'tide-tables' } },
      fetch,
    );
    const shown = markup.replace(/<Fragment set:html=\{([\w.]+)\} \/>/g, (_, path: string) =>
      path.split('.').reduce((value, name) => value[name], names),
    );
    expect(shown).toContain('<title>Tide tables for 2026 | Harbour</title>');
    expect(shown).toContain('<link rel="canonical" href="https://front.example/tide-tables/" />');
    expect(shown).not.toContain('Fragment');
  });

  it('names every front-matter key, rule and option', () => {
    const keys = [...Object.values(valueTable), ...Object.values(userValueTable)].map(({ key }) => key);
    for (const name of [...keys, ...seoChecks.map(({ rule }) => rule)]) expect(docs, name).toContain(`\`${name}\``);
    for (const name of [
      'separator',
      'represents',
      'organization',
      'person',
      'profiles',
      'image',
      'verification',
      'breadcrumbs',
      'home',
    ])
      expect([docs.includes(`${name}:`), Object.values(optionTable).some(({ path }) => path[0] === name)], name).toEqual([
        true,
        true,
      ]);
  });
});
