/**
 * Changes of an original that its translations need not follow: `minor_edit: true` in the body of the write. What they are of is then
 * the original as it is afterwards; one that was behind it before still is. Of a translation, it says that nothing more is needed: it is
 * up to date.
 *
 * Source: reference on languages, 13.5.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { PreparedWrite } from '../../../kernel/module.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { renewHash, writeDirect } from '../jobs/index.ts';
import { elementOf, originalOf, recordOf, statusName, unknownOf } from './direct.ts';
import { type ItemToTranslate, originalHash } from './texts.ts';

export function minorEdit(write: PreparedWrite, { params }: Call, before: unknown, site: PlanningSite): PreparedWrite {
  const item = before as ItemToTranslate | undefined;
  if (!item || params.minor_edit !== true) return write;
  const source = originalOf(site, item);
  if (source !== item) {
    const record = recordOf(site, item, item.lang);
    const changes = record?.needsUpdate ? renewHash(site, record, originalHash(site, source)) : [];
    return { ...write, changes: [...(write.changes ?? []), ...changes] };
  }
  const hash = originalHash(site, withInput(item, write.input));
  const original = { element: elementOf(item), item: item.id, named: statusName(site, item), source: item.lang, hash };
  const unknown = unknownOf(site, item);
  const changes = site.languages.codes.flatMap((code) => {
    const record = recordOf(site, item, code);
    if (unknown.some(({ lang }) => lang === code)) return writeDirect(site, original, code, record);
    return record && !record.needsUpdate ? renewHash(site, record, hash) : [];
  });
  return { ...write, changes: [...(write.changes ?? []), ...changes] };
}

/** An item as it will be: members of maps are changed one by one. */
function withInput(item: ItemToTranslate, input: PreparedWrite['input']): ItemToTranslate {
  const after = Object.entries(input).map(([key, value]) => {
    const present = item[key as keyof ItemToTranslate] as unknown;
    return [key, isMap(value) && isMap(present) ? { ...present, ...value } : value];
  });
  return { ...item, ...Object.fromEntries(after) };
}
