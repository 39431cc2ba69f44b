/**
 * How files say the language of an item, and what it translates.
 */
import { impliedReference, printReference, referenceTo } from '../../modules/languages/file-names.ts';
import { languageMeta, saidLanguage, slugInLanguage } from './item-language.ts';
import type { PostItem, TermItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import { remark } from './source-scan.ts';
import type { WriteContext } from './write-context.ts';

/** Keys of the file of an item. What its path says already is left out. */
export function languageKeys(
  { languages: own, report }: Pick<WriteContext, 'languages' | 'report'>,
  item: PostItem | TermItem,
  planned: PlannedItem,
  path: string,
): Readonly<Record<string, unknown>> {
  if (!own || planned.lang === '') return {};
  const { languages, marks } = own;
  const { lang, translationOf } = saidLanguage(item);
  if (!languages.of(planned.lang))
    remark(
      report,
      item,
      'changed',
      'unknown-language',
      `the site does not have the language ${JSON.stringify(lang)}`,
      'add it to lang: in site.yaml',
    );
  if (translationOf !== '' && !planned.original)
    remark(report, item, 'lost', 'unknown-reference', `what it translates (${translationOf}) is not in the source`);
  const reference = planned.original ? referenceTo(pathOf(planned.original), planned.original.slug) : '';
  const implied = impliedReference(path, marks);
  return {
    ...(planned.lang === (marks.of(path) || languages.default) ? {} : { lang: planned.lang }),
    ...(reference === implied ? {} : { translation_of: printReference(reference, path) }),
  };
}

function pathOf({ existing, file, kind, of }: PlannedItem): string {
  return existing?.path ?? `${file}${kind === 'term' || of === 'attachment' ? '.yaml' : '.html'}`;
}

/** An item without the meta that became its language. */
export function withoutLanguage<T extends PostItem | TermItem>({ languages }: Pick<WriteContext, 'languages'>, item: T): T {
  if (!languages || !item.meta || languageMeta.every((name) => item.meta?.[name] === undefined)) return item;
  const { lang: _, translation_of: __, ...meta } = item.meta;
  const slug = 'taxonomy' in item ? slugInLanguage(item) : '';
  if (slug === '') return { ...item, meta };
  const { language_slug: ___, ...others } = meta;
  return { ...item, slug, meta: others };
}
