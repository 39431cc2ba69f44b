/** What the settings of the group `strings` do: the language of originals, and which strings register themselves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeStringBatch } from '../../../../src/modules/translation/strings/batches.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';

const base = '/lang/st/v1';
const siteYaml = `name: Hafen
deployment: extended
lang: {default: de, languages: {de: {}, en: {}, fr: {}}}
fields:
  - key: group_o
    title: Site data
    location: [[{ param: options_page, operator: "==", value: options }]]
    fields:
      - { key: f_o, name: phone, type: text, public: true }
`;
const files = {
  'site.yaml': siteYaml,
  'options/options.yaml': 'fields: {phone: Ruf an}\n',
  'lang/strings/shop.yaml': 'strings:\n- {name: buy, value: Buy now}\n- {name: kauf, value: Kaufen, lang: de}\n',
};
const file = 'lang/strings/settings/strings.yaml';
const row = (key: string, data: unknown, isKept: boolean): ApiRow => ({
  name: `${key} ${isKept ? 'takes' : 'refuses'} ${JSON.stringify(data)}`,
  who: 'admin',
  does: `POST ${base}/settings`,
  body: { group: 'strings', key, data },
  gets: isKept ? 200 : [400, 'rest_invalid_param'],
  writes: isKept ? [file] : [],
});

describeApi('string settings', { files }, [
  ...['xx', '', 5, ['en']].map((data) => row('source_language', data, false)),
  row('source_language', 'en', true),
  ...[3, -1, 'on', true, {}].map((data) => row('autoregister', data, false)),
  ...[1, '2', 0].map((data) => row('autoregister', data, true)),
  ...['shop', [1]].map((data) => row('json_domains', data, false)),
  row('json_domains', ['shop'], true),
  {
    ...row('source_language', 'xx', true),
    name: 'are ignored in another group',
    body: { group: 'mo', key: 'source_language', data: 'xx' },
    writes: ['lang/strings/settings/mo.yaml'],
  },
]);

describe("strings in a language other than the site's", () => {
  let on: TestSite;
  beforeAll(async () => {
    on = await startSite({ files: { ...files, [file]: 'source_language: en\n' } });
  });
  afterAll(() => on.close());
  const strings = () => [...on.site.translationStrings.all().values()];
  const order = async (names: readonly string[], targets: readonly string[]) => {
    const ids = strings()
      .filter(({ name }) => names.includes(name))
      .map(({ id }) => id);
    return (await on.ask('POST', '/lang/tm/v1/ate/jobs', { as: 'admin', body: { elements: [{ type: 'string', ids, targets }] } }))
      .body;
  };

  it('have the language of their row, else of the setting; the site name has its own', () => {
    const langs = Object.fromEntries(strings().map(({ domain, name, lang }) => [`${domain} ${name}`, lang]));
    expect(langs).toMatchObject({ 'shop buy': 'en', 'shop kauf': 'de', 'site name': 'de', 'labels type post': 'de' });
    on.site.translationStrings.registerString('mail', 'hello', 'Hello');
    expect(strings().find(({ domain }) => domain === 'mail')?.lang).toBe('en');
  });

  it('are one batch, whatever their order and however often they are named', async () => {
    const [one, other] = strings()
      .map(({ id, lang }) => (lang === 'de' ? id : 0))
      .filter((id) => id > 0) as [number, number];
    expect(await makeStringBatch(on.site, [other, one, other])).toBe(await makeStringBatch(on.site, [one, other]));
  });

  it("are ordered from it into every other language, including the site's", async () => {
    const { created, skipped } = await order(['buy'], ['de', 'en', 'fr']);
    expect(created.map(({ target }: { target: string }) => target)).toEqual(['de', 'fr']);
    expect(skipped).toMatchObject([{ target: 'en', reason: 'same_language' }]);
    expect(on.site.translationJobs.status(created[0].rid)?.source).toBe('en');
    expect(on.site.translationJobs.xliff(created[0].job_id)).toContain('source-language="en" target-language="de"');
    expect(await order(['buy', 'kauf'], ['fr'])).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { ids: expect.stringContaining('several') } },
    });
  });

  it('are generated for the language of the site', async () => {
    await on.write('lang/strings/mail.de.yaml', 'strings:\n- {name: hello, original: Hello, translation: Hallo}\n');
    await on.write('lang/strings/mail.en.yaml', 'strings:\n- {name: hello, original: Hello, translation: Hi}\n');
    await until(() => on.site.translationStrings.translations('mail', 'en').size === 1);
    await until(() => on.site.translationStrings.translations('mail', 'de').size === 1);
    await on.ask('POST', `${base}/pre_generate_mo_files`, { as: 'admin', body: {} });
    const made = async (code: string) =>
      (await on.site.store.readBytes(`lang/generated/mail-${on.site.languages.of(code)?.locale}.mo`)) !== null;
    expect([await made('de'), await made('en')]).toEqual([true, false]);
  });

  it('report an invalid setting, which has no effect', async () => {
    await on.write(file, 'source_language: xx\nautoregister: often\n');
    await until(() => on.site.problems().filter(({ rule }) => rule === 'string-setting').length === 2);
    expect(strings().find(({ name }) => name === 'buy')?.lang).toBe('de');
    await on.write('lang/strings/shop.yaml', 'strings:\n- {name: buy, value: Buy now, lang: xx}\n');
    await until(() => on.site.problems().some(({ message }) => message.includes('"xx" is not a language')));
  });
});

describe('unregistered strings', () => {
  let on: TestSite;
  let subscriber = '';
  const list = 'lang/strings/admin_texts_options.yaml';
  beforeAll(async () => {
    on = await startSite({ files });
    ({ as: subscriber } = await signUp(on, 'sue', 'subscriber'));
  });
  afterAll(() => on.close());
  const look = (as?: string) => on.ask('GET', '/fields/v3/options/options', { root: '/en/cms-json', ...(as ? { as } : {}) });
  const set = (data: number) =>
    on.ask('POST', `${base}/settings`, { as: 'admin', body: { group: 'strings', key: 'autoregister', data } });
  const listed = () => on.site.translationStrings.all();
  const values = () =>
    [...listed().values()].filter(({ domain }) => domain === 'admin_texts_options').map(({ name, value }) => [name, value]);

  it('stay unregistered while the setting is off, and for other users than it names', async () => {
    await look();
    await set(1);
    await look();
    await look(subscriber);
    await on.site.write(() => ({ changes: [], result: null }));
    expect(await on.site.store.readBytes(list)).toBeNull();
  });

  it('are registered by responses to administrators, or to all', async () => {
    expect((await look('admin')).body.fields).toEqual({ phone: 'Ruf an' });
    await until(() => values().length === 1);
    expect(await on.read(list)).toBe("strings:\n  - name: '[phone]'\n    value: Ruf an\n");
    expect(
      (
        await on.ask('POST', '/lang/tm/v1/ate/jobs', {
          as: 'admin',
          body: {
            elements: [
              {
                type: 'string',
                ids: [...listed().values()].filter(({ domain }) => domain === 'admin_texts_options').map(({ id }) => id),
                targets: ['en'],
              },
            ],
          },
        })
      ).body.created,
    ).toHaveLength(1);
  });

  it('follow their text, and are translated in responses', async () => {
    await set(2);
    await on.write('options/options.yaml', 'fields: {phone: Ruf jetzt an}\n');
    await until(async () => (await look()).body.fields.phone === 'Ruf jetzt an');
    await until(() => values()[0]?.[1] === 'Ruf jetzt an');
    await on.write(
      'lang/strings/admin_texts_options.en.yaml',
      "strings:\n- {name: '[phone]', original: Ruf jetzt an, translation: Call now}\n",
    );
    await until(async () => (await look()).body.fields.phone === 'Call now');
    expect(values()).toEqual([['[phone]', 'Ruf jetzt an']]);
  });
});
