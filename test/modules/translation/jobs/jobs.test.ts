/** Jobs from the order to the translated file, by the service that routes and the command line call. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestError } from '../../../../src/kernel/errors.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered, orderOf, siteFiles } from './site.ts';

let at: TestSite;
beforeAll(async () => {
  at = await startSite({ files: siteFiles });
});
afterAll(() => at.close());

const jobs = () => at.site.translationJobs;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof RestError ? error.code : String(error)),
  );
const german = (text: string) => text.replace(/[A-Za-z]+/g, (word) => `${word}de`);

describe('an order', () => {
  it('creates a batch, jobs and statuses, and reports what it skips', async () => {
    const done = await jobs().create(
      orderOf([
        { id: 10, type: 'page', targets: ['de', 'en', 'fr'] },
        { id: 99, type: 'page', targets: ['de'] },
        { id: 16, type: 'post', targets: ['de'] },
        { id: 32, type: 'category', targets: ['en'] },
      ]),
      null,
    );
    expect(done.skipped).toEqual([
      { item: 10, target: 'en', reason: 'same_language' },
      { item: 10, target: 'fr', reason: 'unknown_language' },
      { item: 99, target: 'de', reason: 'unknown_item' },
      { item: 16, target: 'de', reason: 'nothing_to_translate' },
      { item: 32, target: 'en', reason: 'not_original' },
    ]);
    const [job] = done.created;
    expect(job).toMatchObject({ item: 10, target: 'de', type: 'post' });
    expect(jobs().status(job?.rid ?? 0)).toMatchObject({
      status: 1,
      element: 'post_page',
      job: job?.jobId,
      needsUpdate: false,
      batch: done.batch?.id,
    });
    expect(await readdir(`${at.dir}/lang`)).toEqual(['batches', 'jobs', 'status']);
    expect(
      jobs()
        .job(job?.jobId ?? 0)
        ?.parts.map(({ id, units }) => [id, units.map((unit) => unit.id)]),
    ).toEqual([
      ['title', ['title']],
      ['content', ['content/1', 'content/2', 'content/3', 'content/4']],
      ['excerpt', ['excerpt']],
      ['fields/lead', ['fields/lead']],
      ['fields/rows/0/label', ['fields/rows/0/label']],
    ]);
  });
});

describe('a result', () => {
  it('is written next to its original, with terms, group and shared fields', async () => {
    const id = await ordered(at.site, 14, 'post');
    const result = await jobs().applyResult(id, answered(at.site, id, { change: german }), null);
    expect(result).toMatchObject({ finished: 3, units: 3, status: { status: 10 } });
    expect(await at.read('posts/hello.de.html')).toContain(
      '<!-- cms:paragraph -->\n<p>Hellode <em>youde</em></p>\n<!-- /cms:paragraph -->\n\n<!-- cms:search {"label":"Findde"} /-->',
    );
    const made = at.site.posts.get(result.item) as unknown as {
      lang: string;
      terms: Record<string, number[]>;
      author: number;
      slug: string;
    };
    expect(made).toMatchObject({ lang: 'de', slug: 'hello', terms: { category: [32], post_tag: [] } });
    expect(at.site.translations.idIn('posts', 14, 'de')).toBe(result.item);
    // Again: the same, and nothing is written.
    const { generation } = at.site.records;
    expect(await jobs().applyResult(id, answered(at.site, id, { change: german }), null)).toMatchObject({ item: result.item });
    expect(at.site.records.generation).toBe(generation);
    expect(await codeOf(jobs().applyResult(id, answered(at.site, id), null))).toBe('lang_job_not_open');
  });

  it('gets the parent, fields and links of its language', async () => {
    const id = await ordered(at.site, 10, 'page');
    const { item } = await jobs().applyResult(id, answered(at.site, id, { change: german, version: '2.0' }), null);
    expect(await at.read('pages/about.de.md')).toContain('title: Aboutde *usde*');
    expect(at.site.posts.get(item)).toMatchObject({
      content:
        '# Whode wede arede\n\nWede arede **manyde** peoplede. Seede [thede teamde](/en/about/team/) andde `code`.\n\n- onede\n- twode',
      excerpt: 'Inde shortde',
      fields: { lead: 'Ade leadde', amount: '3', rows: [{ label: 'Onede', to: 1 }] },
    });
    const team = await ordered(at.site, 12, 'page');
    const below = await jobs().applyResult(team, answered(at.site, team, { change: german }), null);
    expect(at.site.posts.get(below.item)).toMatchObject({ parent: item, path: 'pages/about/team.de.md' });
    // Ordered again, nothing is to be done but the link that leads somewhere now.
    const again = await ordered(at.site, 10, 'page');
    expect(jobs().job(again)).toMatchObject({ revision: 3 });
    expect(
      jobs()
        .job(again)
        ?.parts.flatMap(({ units }) => units.map(({ state }) => state)),
    ).not.toContain('');
    await jobs().applyResult(again, jobs().xliff(again), null);
    expect((at.site.posts.get(item) as { content: string }).content).toContain('[thede teamde](/de/about/team/)');
  });

  it('with missing units is stored, and completed by the next one', async () => {
    const id = await ordered(at.site, 15, 'post');
    const part = await jobs().applyResult(id, answered(at.site, id, { change: german, only: (unit) => unit !== 'title' }), null);
    expect(part).toMatchObject({ finished: 2, units: 3, item: 0, status: { status: 2 } });
    expect(at.site.translations.idIn('posts', 15, 'de')).toBe(0);
    const all = await jobs().save(id, { title: 'Schlicht' }, null);
    expect(all).toMatchObject({ finished: 3, status: { status: 10 } });
    expect(at.site.posts.get(all.item)).toMatchObject({ title: 'Schlicht', content: 'Onede linede\n\nTwode <b>linesde</b>' });
  });

  it('of a term is a term of its language', async () => {
    const id = await ordered(at.site, 33, 'post_tag');
    const { item } = await jobs().applyResult(id, answered(at.site, id, { change: () => 'See' }), null);
    expect(at.site.terms.get(item)).toMatchObject({ name: 'See', lang: 'de' });
    const category = await ordered(at.site, 31, 'category');
    await jobs().applyResult(category, answered(at.site, category, { change: german }), null);
    expect(at.site.terms.get(32)).toMatchObject({ name: 'Generalde', description: 'Allde sortsde' });
  });
});

describe('an invalid result', () => {
  it.each([
    [
      'a unit is missing',
      (text: string) => text.replace(/ *<trans-unit id="title"[\s\S]*?<\/trans-unit>\n/, ''),
      'lang_xliff_invalid',
      'title',
    ],
    [
      'a unit is there twice',
      (text: string) => text.replace(/( *<trans-unit id="title"[\s\S]*?<\/trans-unit>\n)/, '$1$1'),
      'lang_xliff_invalid',
      'title',
    ],
    [
      'a code is lost',
      (text: string) => text.replace(/(<target[^>]*>[^\n]*?)<bpt id="1">.*?<\/bpt>/, '$1'),
      'lang_xliff_invalid',
      'content/1',
    ],
    ['a source is another', (text: string) => text.replace('<source>Hello ', '<source>Bye '), 'lang_xliff_invalid', 'content/1'],
    [
      'the languages are others',
      (text: string) => text.replace('target-language="de"', 'target-language="fr"'),
      'lang_xliff_invalid',
      'fr',
    ],
    ['it is another job’s', (text: string) => text.replace(/original="\d+/, 'original="77'), 'lang_xliff_mismatch', '77'],
    ['it is cut off', (text: string) => text.slice(0, 400), 'lang_xliff_malformed', 'line'],
  ])('is refused when %s, and nothing is written', async (_, change, code, named) => {
    const id = await ordered(at.site, 14, 'post');
    const { generation } = at.site.records;
    const refusal = await jobs()
      .applyResult(id, change(answered(at.site, id)), null)
      .catch((error: RestError) => error);
    expect(refusal).toBeInstanceOf(RestError);
    expect(refusal).toMatchObject({ code });
    expect((refusal as unknown as RestError).message).toContain(named);
    expect(at.site.records.generation).toBe(generation);
  });

  it('does not overwrite what a person has written meanwhile', async () => {
    const id = await ordered(at.site, 14, 'post');
    const item = at.site.translations.idIn('posts', 14, 'de');
    await at.ask('POST', `/cms/v2/posts/${item}`, { as: 'admin', body: { title: 'Von Hand' } });
    expect(await codeOf(jobs().applyResult(id, answered(at.site, id, { change: german }), null))).toBe('lang_translation_edited');
    expect(at.site.posts.get(item)).toMatchObject({ title: 'Von Hand' });
    // Ordered anew, what the person wrote is what is suggested.
    const again = await ordered(at.site, 14, 'post');
    expect(jobs().job(again)?.parts[0]?.units[0]).toMatchObject({ target: 'Von Hand', state: 'memory' });
  });
});

describe('a translation', () => {
  it('needs an update once the texts of its original change', async () => {
    const rid = jobs().statusOf('post_post', 14, 'de')?.id ?? 0;
    const needs = () => jobs().status(rid)?.needsUpdate;
    const id = await ordered(at.site, 14, 'post');
    await jobs().applyResult(id, answered(at.site, id), null);
    expect(needs()).toBe(false);
    await at.ask('POST', '/cms/v2/posts/14', { as: 'admin', body: { status: 'private', comment_status: 'closed' } });
    expect(needs()).toBe(false);
    await at.ask('POST', '/cms/v2/posts/14', { as: 'admin', body: { status: 'publish', title: 'Hello again' } });
    expect(needs()).toBe(true);
    const next = await ordered(at.site, 14, 'post');
    expect(needs()).toBe(false);
    const units =
      jobs()
        .job(next)
        ?.parts.flatMap((part) => part.units) ?? [];
    expect(units.map(({ id: name, state }) => [name, state])).toEqual([
      ['title', 'fuzzy'],
      ['content/1', 'memory'],
      ['content/2', 'memory'],
    ]);
    // Cancelled, it needs the update as before.
    await jobs().cancel([rid], null);
    expect(jobs().status(rid)).toMatchObject({ status: 10, needsUpdate: true, job: id });
  });

  it('is the same after a restart', async () => {
    const before = [...jobs().statuses()];
    const again = await startSite({ from: at.dir });
    expect([...again.site.translationJobs.statuses()]).toEqual(before);
    await again.close();
  });
});
