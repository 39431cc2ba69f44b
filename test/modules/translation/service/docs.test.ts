/** Samples of docs/translation-services.md are what they say they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseYaml } from '../../../../src/kernel/yaml/parse.ts';
import { validate } from '../../../../src/modules/languages/config/validate.ts';
import { readDomainFile } from '../../../../src/modules/translation/strings/domain-files.ts';
import { readTranslationSettings } from '../../../../src/modules/translation/upstream/settings.ts';
import { startSite } from '../../../support/site.ts';
import { siteFiles } from '../jobs/site.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/translation-services.md'), 'utf8');
const samples = [...page.matchAll(/^```(yaml|json)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language,
  text: text as string,
}));
const yaml = samples.filter(({ language }) => language === 'yaml').map(({ text }) => parseYaml(text) as Record<string, any>);
const [config, own, translated, operator] = yaml as [any, any, any, any];

it('the sample document is valid', () => expect(validate(config.translation_config)).toEqual([]));

it('the sample strings and translations are read', () => {
  const read = (path: string, data: object) => readDomainFile({ path, etag: '', data: data as never }, ['de']);
  expect(read('lang/strings/shop.yaml', own)).toMatchObject({
    faults: [],
    own: [{ name: 'buy' }, { name: 'Basket', context: 'noun' }, { name: 'Warenkorb', lang: 'de' }],
  });
  const { faults, translations } = read('lang/strings/site.de.yaml', translated);
  expect([faults, [...translations.values()].map(({ isFuzzy }) => isFuzzy)]).toEqual([[], [false, true]]);
});

it('the sample operator settings are accepted', () => {
  expect(readTranslationSettings(operator.translation_services)).toMatchObject({
    editor: { editorUrl: 'https://editor.example', pollMs: 60_000 },
    agency: { id: '7' },
    engines: [{ engine: 'deep' }],
  });
});

it('the sample order is valid', async () => {
  const on = await startSite({ files: siteFiles });
  const order = JSON.parse(samples.find(({ language }) => language === 'json')?.text ?? '');
  const { status, body } = await on.ask('POST', '/lang/tm/v1/ate/jobs', { as: 'admin', body: { ...order, translators: {} } });
  expect([status, body.created]).toMatchObject([200, [{ original_element_id: 12, target: 'de' }]]);
  await on.close();
});
