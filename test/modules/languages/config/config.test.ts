/** The document of a site over the interface and in its files, and what it makes of fields. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const path = '/lang/v1/custom-xml-config';
const site = 'name: Harbour\ndeployment: extended\n';
const configOf = (fields: string): string => `<lang-config><custom-fields>${fields}</custom-fields></lang-config>`;
const content = configOf('<custom-field action="copy">price</custom-field>');
const users = ['editor', 'author', 'subscriber'];
const refusedFor = (who: string | undefined, status: 401 | 403) =>
  [`GET ${path}`, `POST ${path}`, `POST ${path}/validate`].map((does) => ({
    name: `${does} is not for ${who ?? 'visitors'}`,
    ...(who === undefined ? {} : { who }),
    does,
    body: { content },
    gets: [status, 'rest_forbidden'] as const,
  }));

describeApi('the translation document', { files: { 'site.yaml': site }, users }, [
  ...[undefined, ...users].flatMap((who) => refusedFor(who, who === undefined ? 401 : 403)),
  { name: 'is empty at first', who: 'admin', does: `GET ${path}`, gets: 200, headers: { Allow: 'GET, POST' } },
  {
    name: 'can be validated without being stored',
    who: 'admin',
    does: `POST ${path}/validate`,
    body: { content: '<x' },
    gets: 200,
  },
  { name: 'must be sent', who: 'admin', does: `POST ${path}`, body: {}, gets: [400, 'rest_invalid_param'] },
  { name: 'must be a string', who: 'admin', does: `POST ${path}`, body: { content: 7 }, gets: [400, 'rest_invalid_param'] },
  {
    name: 'must be a string for validation',
    who: 'admin',
    does: `POST ${path}/validate`,
    body: { content: ['a'] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'is refused if invalid',
    who: 'admin',
    does: `POST ${path}`,
    body: { content: '<x' },
    gets: [422, 'lang_xml_invalid'],
  },
  { name: 'is stored in site.yaml', who: 'admin', does: `POST ${path}`, body: { content }, gets: 200, writes: ['site.yaml'] },
  { name: 'is not written if unchanged', who: 'admin', does: `POST ${path}`, body: { content }, gets: 200 },
  {
    name: 'stays when another one is refused',
    who: 'admin',
    does: `POST ${path}`,
    body: { content: '<other/>' },
    gets: [422, 'lang_xml_invalid'],
  },
  {
    name: 'is cleared by an empty string',
    who: 'admin',
    does: `POST ${path}`,
    body: { content: '' },
    gets: 200,
    writes: ['site.yaml'],
  },
  {
    name: 'rejects other languages',
    who: 'admin',
    does: `GET ${path}?lang_language=fr`,
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'has a maximum size',
    who: 'admin',
    does: `POST ${path}/validate`,
    body: { content: 'x'.repeat(1024 * 1024 + 1) },
    gets: [413, 'lang_too_large'],
  },
]);

describe('a site with a translation document', () => {
  let on: TestSite;
  const fields = [
    ['copy', 'price'],
    ['copy-once', 'colour'],
    ['ignore', 'note'],
    ['translate', 'lead'],
    ['copy', 'footnotes'],
    ['copy', '_hidden'],
  ].map(([action, name]) => `<custom-field action="${action}">${name}</custom-field>`);
  const text = configOf(fields.join('\r\n'));
  beforeAll(async () => {
    on = await startSite({ files: { 'site.yaml': `${site}translation_config: ${JSON.stringify(text)}\n` } });
  });
  afterAll(() => on.close());
  const metaOf = async (id: number) => (await on.ask('GET', `/cms/v2/posts/${id}`)).body.meta;
  const write = (target: string, body: object) => on.ask('POST', target, { as: 'admin', body });

  it('returns it as it was sent, also after a restart', async () => {
    const { body } = await write(path, { content: `${text}\n` });
    expect(body).toBe(`${text}\n`);
    const again = await openSite(on.dir, { readOnly: true });
    expect(again.translationConfig.text).toBe(`${text}\n`);
    expect(again.fieldModes?.('post', 'colour')).toBe('copy-once');
    await again.close();
  });

  it('shows its fields as meta; declared fields keep their declaration, and protected ones are hidden', async () => {
    const { body } = await write('/cms/v2/posts', {
      title: 'One',
      status: 'publish',
      meta: { price: '7', lead: 'Up', _hidden: 'x' },
    });
    expect(body.meta).toEqual({ footnotes: '', price: '7', colour: '', lead: 'Up' });
  });

  it('keeps values of translations according to their mode', async () => {
    const first = (
      await write('/cms/v2/posts', {
        title: 'Two',
        status: 'publish',
        meta: { price: '7', colour: 'red', lead: 'Up', note: 'n' },
      })
    ).body.id;
    const second = (
      await write('/cms/v2/posts', { title: 'Zwei', status: 'publish', lang: 'de', translation_of: first, meta: { lead: 'Auf' } })
    ).body.id;
    expect(await metaOf(second)).toMatchObject({ price: '7', colour: 'red', lead: 'Auf' });
    await write(`/cms/v2/posts/${first}`, { meta: { price: '8', colour: 'blue', lead: 'Down' } });
    expect(await metaOf(second)).toMatchObject({ price: '8', colour: 'red', lead: 'Auf' });
    await write(`/cms/v2/posts/${second}`, { meta: { price: '9' } });
    expect(await metaOf(first)).toMatchObject({ price: '8' });
    await write(`/cms/v2/posts/${first}`, { meta: { price: null } });
    expect(await metaOf(second)).toMatchObject({ price: '', colour: 'red' });
  });

  it('knows which fields are translatable texts', async () => {
    const { id } = (await write('/cms/v2/posts', { title: 'Three', status: 'publish', meta: { price: '7', lead: 'Up' } })).body;
    const { created } = (await write('/lang/tm/v1/ate/jobs', { elements: [{ id, type: 'post', targets: ['de'] }] })).body;
    const parts = on.site.translationJobs.job(created[0].job_id)?.parts.map((part) => part.id);
    expect(parts).toContain('meta/lead');
    expect(parts).not.toContain('meta/price');
  });

  it('follows hand edits of site.yaml, and keeps the rules of the last valid document', async () => {
    await on.write(
      'site.yaml',
      `${site}translation_config: '${configOf('<custom-field action="ignore">price</custom-field>')}'\n`,
    );
    await until(() => on.site.fieldModes?.('post', 'price') === 'ignore');
    await on.write('site.yaml', `${site}translation_config: '<broken'\n`);
    await until(() => on.site.problems().some(({ rule }) => rule === 'translation-config'));
    expect(on.site.fieldModes?.('post', 'price')).toBe('ignore');
    expect((await on.ask('GET', path, { as: 'admin' })).body).toBe('<broken');
  });

  it('loads documents of themes and extensions first, its own last', async () => {
    await on.write(
      'site.yaml',
      `${site}translation_config: '${configOf('<custom-field action="ignore">price</custom-field>')}'\n`,
    );
    await on.write(
      'lang/config/a.xml',
      configOf('<custom-field action="copy">price</custom-field><custom-field action="copy">sku</custom-field>'),
    );
    await on.write('lang/config/b.xml', '<lang-config>');
    const again = await openSite(on.dir, { readOnly: true });
    expect(['price', 'sku'].map((name) => again.fieldModes?.('post', name))).toEqual(['ignore', 'copy']);
    expect(
      again
        .problems()
        .filter(({ rule }) => rule === 'translation-config')
        .map(({ path: at }) => at),
    ).toEqual(['lang/config/b.xml']);
    await again.close();
  });
});
