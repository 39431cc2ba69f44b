/**
 * Fonts of a source, which are posts there with JSON for a body and small files of their own here (`modules/design/fonts/plan.ts`).
 */
import { writeSheet } from '../../modules/design/themes/record.ts';
import type { Write } from '../../kernel/store/types.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import type { PostItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import type { WriteContext } from './write-context.ts';
import { remark } from './source-scan.ts';

/** The file of a family or a face; null when its body says nothing of a font, which is said. */
export function writeFontItem(context: WriteContext, item: PostItem, planned: PlannedItem): Write | null {
  const settings = settingsOf(item.content);
  if (planned.of === 'cms_font_face' && (planned.parent === null || settings.src === undefined)) {
    remark(
      context.report,
      item,
      'lost',
      'font',
      planned.parent === null ? 'its family is not in the source' : 'it names no font file',
    );
    return null;
  }
  const path = `${planned.file}.yaml`;
  if (planned.of === 'cms_font_family') {
    const { name, fontFamily, preview } = settings;
    const family = { id: planned.id, name: String(name || item.title), fontFamily: String(fontFamily || name || item.title) };
    return writeSheet(path, { ...family, ...(preview ? { preview: String(preview) } : {}) });
  }
  const elsewhere = [settings.src].flat().filter((src) => /^https?:/.test(String(src)));
  if (elsewhere.length > 0)
    remark(
      context.report,
      item,
      'note',
      'font-elsewhere',
      `its file is still at ${String(elsewhere[0])}`,
      'add the font again to store its file here',
    );
  return writeSheet(path, { id: planned.id, ...settings });
}

function settingsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return mapOf(JSON.parse(body));
  } catch {
    return {};
  }
}
