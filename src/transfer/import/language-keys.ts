/**
 * How files say the language of an item, and what it translates. On a site without languages they say it, too, in keys that are read as
 * soon as the site has some.
 */
import { impliedReference, printReference, referenceTo } from '../../modules/languages/file-names.ts';
import { isLanguageCode } from '../../modules/languages/settings.ts';
import { languageMeta, slugInLanguage } from './item-language.ts';
import type { PostItem, TermItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import { nameOfGroup } from './planned-languages.ts';
import { remark } from './source-scan.ts';
import type { WriteContext } from './write-context.ts';

/** Keys of the file of an item. What its path says already is left out. */
export function languageKeys(
  context: WriteContext,
  item: PostItem | TermItem,
  planned: PlannedItem,
  path: string,
): Readonly<Record<string, unknown>> {
  const { languages: own, report, plan, unmet } = context;
  const { said, original } = planned;
  const group = nameOfGroup(planned);
  if (group !== '' && !plan.languages.whole.has(group)) unmet.push(`translation ${group}`);
  if (!own) return isKept(context, planned) ? { lang: said?.lang, ...(original ? { translation_of: original.id } : {}) } : {};
  if (planned.lang === '') return {};
  const { languages, marks } = own;
  if (!languages.of(planned.lang))
    remark(
      report,
      item,
      'changed',
      'unknown-language',
      `the site does not have the language ${JSON.stringify(said?.lang ?? planned.lang)}`,
      'add it to lang: in site.yaml',
    );
  const key = said?.translationOf ?? '';
  if (key !== '' && !original)
    remark(report, item, 'lost', 'unknown-reference', `what it translates (${key}) is not in the source`);
  const reference = original ? referenceTo(pathOf(original), original.slug) : '';
  const implied = impliedReference(path, marks);
  return {
    ...(planned.lang === (marks.of(path) || languages.default) ? {} : { lang: planned.lang }),
    ...(reference === implied ? {} : { translation_of: printReference(reference, path) }),
  };
}

/** Whether the file of an item on a site without languages keeps what its source says: not where the site has other uses for the words. */
function isKept({ naming }: WriteContext, { said, of }: PlannedItem): boolean {
  const declared = naming.model.meta[of] ?? {};
  return said !== undefined && isLanguageCode(said.lang) && languageMeta.every((name) => declared[name] === undefined);
}

function pathOf({ existing, file, kind, of }: PlannedItem): string {
  return existing?.path ?? `${file}${kind === 'term' || of === 'attachment' ? '.yaml' : '.html'}`;
}

/** An item without the meta that became its language. */
export function withoutLanguage<T extends PostItem | TermItem>(context: WriteContext, item: T, planned: PlannedItem): T {
  const { languages } = context;
  const isSaid = item.meta !== undefined && languageMeta.some((name) => item.meta?.[name] !== undefined);
  if (!isSaid || (!languages && !isKept(context, planned))) return item;
  const { lang: _, translation_of: __, ...meta } = item.meta ?? {};
  const slug = 'taxonomy' in item && languages ? slugInLanguage(item) : '';
  if (slug === '') return { ...item, meta };
  const { language_slug: ___, ...others } = meta;
  return { ...item, slug, meta: others };
}
