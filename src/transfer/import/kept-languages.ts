/**
 * What is said of the languages of a source on a site that has none: their items are there, and what their files keep of it.
 */
import { languageName } from '../../modules/languages/names.ts';
import { isLanguageCode } from '../../modules/languages/settings.ts';
import type { ImportPlan } from './plan.ts';
import type { ImportLog } from './report.ts';
import { remark, type SourceScan } from './source-scan.ts';

/** Says it once, where there is more than one language, with what `site.yaml` would have to say. */
export function reportKeptLanguages(
  { site, posts }: SourceScan,
  { languages: { standard } }: ImportPlan,
  report: ImportLog,
): void {
  const items = posts.filter(({ said }) => isLanguage(said.lang));
  const codes = [...new Set([standard, ...items.map(({ said }) => said.lang)])].filter(isLanguage);
  if (!site || items.length === 0 || codes.length < 2) return;
  const known = new Map(site.languages?.known.map((one) => [one.code, one]));
  const rows = codes.map((code) => {
    const { locale = localeOf(code), name = languageName(code, code) } = known.get(code) ?? {};
    return `${code}: { locale: ${locale}, name: ${JSON.stringify(languageName(code, 'en'))}, native_name: ${JSON.stringify(name)} }`;
  });
  const isPlain = !items.some(({ said, link }) => said.lang === standard && link.includes(`/${standard}/`));
  const url = isPlain ? ', url: { default_in_directory: false }' : '';
  remark(
    report,
    site,
    'changed',
    'languages',
    `its items are in ${codes.length} languages (${codes.join(', ')}) and this site has none, so lists show them all; their files keep lang: and translation_of:`,
    `to use them, write into site.yaml: deployment: extended, and lang: { default: ${codes[0]}, languages: { ${rows.join(', ')} }${url} }`,
  );
}

/** Whether it is a code of a language that people would write. */
function isLanguage(code: string): boolean {
  if (!isLanguageCode(code)) return false;
  try {
    return new Intl.Locale(code).language !== '';
  } catch {
    return false;
  }
}

/** The usual locale of a language: `fr_FR` for `fr`. */
function localeOf(code: string): string {
  const { language, region } = new Intl.Locale(code).maximize();
  return region === undefined ? language : `${language}_${region}`;
}
