import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileNameOf, isReservedSlug, slugify, slugOfFileName, uniqueSlug } from '../../../src/kernel/model/slugs.ts';
import { cpuMs, long, maxLongMs } from '../../support/long-texts.ts';

const types = {
  post: { name: 'post', hierarchical: false },
  page: { name: 'page', hierarchical: true },
  attachment: { name: 'attachment', hierarchical: false },
};
const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const titles = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...'aÜß日 %c3b.-_&;<>/81é~\u0301\ud83c'), maxLength: 300 }));

describe('slugify', () => {
  test.each([
    ['Blue Door', 'blue-door'],
    ['Ünter den LINDEN 7!', 'unter-den-linden-7'],
    ['Straße über Köln', 'strase-uber-koln'],
    ['Sun 🌞 rise', 'sun-%f0%9f%8c%9e-rise'],
    ['A <em>fine</em> day', 'a-fine-day'],
    ['Au <script>1</script>', 'au-1'],
    ['1 < 2 and 3', '1-2-and-3'],
    ['Salt & Pepper', 'salt-pepper'],
    ['Salt &amp; Pepper', 'salt-pepper'],
    ['2024', '2024'],
    ['a/b', 'a-b'],
    ['v1.2.3', 'v1-2-3'],
    ['dash \u2013 and \u2014 and\u00a0space', 'dash-and-and-space'],
    ['\u201cquoted\u201d \u2018words\u2019\u2026', 'quoted-words'],
    ['3 \u00d7 4', '3-x-4'],
    ['Æther, œuvre, Øre, Łódź, Þór, ð', 'aether-oeuvre-ore-lodz-thor-d'],
    ['Tiếng Việt', 'tieng-viet'],
    ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
    ['Привет й', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%b9'],
    ['ΆΛΦΑ', '%ce%ac%ce%bb%cf%86%ce%b1'],
    ['100% sure %e6%97%a5', '100-sure-%e6%97%a5'],
    ['tab\tand\nline', 'tabandline'],
    ['--- x ---', 'x'],
    ['walker__trashed', 'walker__trashed'],
    ['€5 or £5', 'e5-or-5'],
    ['!?', ''],
    ['', ''],
  ])('%j becomes %j', (title, slug) => expect(slugify(title)).toBe(slug));

  test('is at most 200 bytes and never ends within an escape', () => {
    expect(slugify('a'.repeat(500))).toBe('a'.repeat(200));
    expect(slugify('日'.repeat(100))).toBe('%e6%97%a5'.repeat(22));
    expect(slugify(`${'a'.repeat(199)}%e6%97%a5`)).toBe('a'.repeat(199));
  });

  test('returns only slug characters, and leaves a slug unchanged', () => {
    fc.assert(
      fc.property(titles, (title) => {
        const slug = slugify(title);
        expect(slug).toMatch(/^(?:[a-z0-9_-]|%[\da-f]{2}){0,200}$/);
        expect(slug.length).toBeLessThanOrEqual(200);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });

  test.each(['<', '"', '\n', '&', '%', '-', '%cc%81', '\ud800', 'é'])(
    'stays fast on a quarter of a megabyte of %j',
    async (unit) => {
      const text = long(unit);
      expect(await cpuMs(() => slugify(text))).toBeLessThan(maxLongMs);
    },
  );
});

describe('uniqueSlug', () => {
  const among =
    (...slugs: string[]) =>
    (slug: string) =>
      slugs.includes(slug);

  test.each([
    ['blue-door', [], 'blue-door'],
    ['blue-door', ['blue-door'], 'blue-door-2'],
    ['blue-door', ['blue-door', 'blue-door-2'], 'blue-door-3'],
    ['blue-door-2', ['blue-door-2'], 'blue-door-2-2'],
    ['a'.repeat(200), ['a'.repeat(200)], `${'a'.repeat(198)}-2`],
    [`${'a'.repeat(197)}-xx`, [`${'a'.repeat(197)}-xx`], `${'a'.repeat(197)}-2`],
    ['%e6%97%a5'.repeat(22), ['%e6%97%a5'.repeat(22)], `${'%e6%97%a5'.repeat(22)}-2`],
    [`ab${'%e6%97%a5'.repeat(22)}`, [`ab${'%e6%97%a5'.repeat(22)}`], `ab${'%e6%97%a5'.repeat(21)}-2`],
  ])('%s beside %j', (wanted, taken, slug) => expect(uniqueSlug(wanted, among(...taken))).toBe(slug));

  test('a number is allowed for a page, but not where it could be an archive', () => {
    expect(uniqueSlug('2024', (slug) => isReservedSlug(slug, types.post))).toBe('2024-2');
  });
});

test.each([
  ['2024', 'post', '/{slug}/', true],
  ['2024', 'post', '/{year}/{slug}/', false],
  ['12', 'post', '/{year}/{slug}/', true],
  ['31', 'post', '/{year}/{month}/{slug}/', true],
  ['32', 'post', '/{year}/{month}/{slug}/', false],
  ['0', 'post', '/{slug}/', false],
  ['feed', 'post', '/{slug}/', true],
  ...(['rdf', 'rss', 'rss2', 'atom'] as const).map((slug) => [slug, 'page', '/{slug}/', true] as const),
  ['embed', 'attachment', '/{slug}/', true],
  ['2024', 'attachment', '/{slug}/', false],
  ['page2', 'page', '/{slug}/', true],
  ['7', 'page', '/{slug}/', true],
  ['page', 'page', '/{slug}/', false],
] as const)('isReservedSlug %s of a %s under %s is %s', (slug, type, permalinks, reserved) => {
  expect(isReservedSlug(slug, types[type], permalinks)).toBe(reserved);
});

describe('file names', () => {
  test.each([
    ['hello-world', 'hello-world'],
    ['%e6%97%a5%e6%9c%ac', '日本'],
    ['sun-%f0%9f%8c%9e-rise', 'sun-🌞-rise'],
    ['con', 'con+'],
    ['nul', 'nul+'],
    ['com1', 'com1+'],
    ['console', 'console'],
    ['', '+'],
    ['a%2fb', 'a%2fb'],
    ['%2e%2e', '%2e%2e'],
    ['%e9t%e9', '%e9t%e9'],
    ['%c3%bc', '%c3%bc'],
    ['%00', '%00'],
  ])('slug %j is the file %j', (slug, name) => {
    expect(fileNameOf(slug)).toBe(name);
    expect(slugOfFileName(name)).toBe(slug);
  });

  test.each([
    ['My First Post', 'my-first-post'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['Cafe\u0301', 'cafe'],
    ['2026.03.notes', '2026-03-notes'],
  ])('the hand-written file %j stands for %j', (name, slug) => expect(slugOfFileName(name)).toBe(slug));

  test('every slug has a safe file name that maps back to it', () => {
    fc.assert(
      fc.property(titles, (title) => {
        const slug = slugify(title);
        const name = fileNameOf(slug);
        expect(slugOfFileName(name)).toBe(slug);
        expect(slugOfFileName(slugOfFileName(name))).toBe(slug);
        expect(name).not.toMatch(/[\x00-\x1f<>:"/\\|?*]|^\.|[. ]$|^$/);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(/^[\x00-\x7f]*$/.test(name) ? 200 : 120);
      }),
      { numRuns: 300 },
    );
  });
});

test('a slug with a character that file names cannot contain stays escaped', () => {
  for (const title of ['a \ufffd b', '\ufffd', '\ud800 half']) {
    const slug = slugify(title);
    expect(slugOfFileName(fileNameOf(slug))).toBe(slug);
    expect(fileNameOf(slug)).not.toContain('\ufffd');
  }
});
