/** Texts and templates that are made to take long take no longer than others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuMs, long, maxLongMs } from '../../../support/long-texts.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const settings =
  'name: Site\ntimezone: UTC\ndeployment: extended\nlang: { default: en, languages: { en: {} }, url: { mode: directory, default_in_directory: false } }\nseo: { separator: " " }\n';
const post = (body: string, seo = ''): string => `---\ntitle: Long\ndate: 2026-03-01T08:00:00\n${seo}---\n${body}\n`;
const template = (text: string): string => `seo: { title: ${JSON.stringify(`%%sep%%${text}`)} }\n`;

const texts: Readonly<Record<string, string>> = {
  'open elements': post(long('<pre>')),
  'open pictures': post(long('<img ')),
  'pictures without an address': post(long('<img src =  >')),
  'open galleries': post(long('[gallery ')),
  'galleries without numbers': post(long('[gallery ids="x"')),
  'signs of variables': post('x', template(long('%%', 20_000))),
  'names of variables': post('x', template(long('%%ct_a%%single', 20_000))),
  'separators and blanks': post('x', template(long('-   ', 20_000))),
  blanks: post('x', template(long(' ', 20_000))),
};

describe('head tags of hostile texts', () => {
  let site: TestSite;
  beforeAll(async () => {
    const files = Object.entries(texts).map(([, text], at) => [`posts/p${at}.html`, text]);
    site = await startSite({ files: { 'site.yaml': settings, ...Object.fromEntries(files) } });
  });
  afterAll(() => site.close());

  it.each(Object.keys(texts).map((name, at) => [name, at] as const))('%s', async (_, at) => {
    const target = site.site.heads.targetAt(`${site.url}/p${at}/`);
    if (!target) throw new Error('nothing is there');
    // What the text itself takes to render is not the head's.
    await site.ask('GET', `/cms/v2/posts?slug=p${at}&_fields=content,excerpt`);
    expect(await cpuMs(() => site.site.heads.of(target))).toBeLessThan(maxLongMs);
  });
});
