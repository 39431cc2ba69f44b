/**
 * Page extras: a status for disabled pages, and two flags for front ends.
 *
 * Source: specification 2.4; reference media-tools-menus-fields C.4.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { of, type Schemas } from '../../../kernel/model/schema.ts';
import type { Module, OpeningSettings, StatusDeclaration } from '../../../kernel/module.ts';

const mark = { title: '', type: 'boolean', default: false } as const;

/** `_acf_changed` forces a revision if no text has changed; the other is read by front ends. */
const pageMarks: Schemas = { _acf_changed: mark, inline_featured_image: mark };

const off = 'acf-disabled';

export const pageExtras: Module = {
  name: 'page-extras',
  settings: [
    {
      key: 'statuses',
      group: 'content',
      schema: of('object', 'More statuses of pages', {
        properties: {
          'acf-disabled': of('object', 'Of pages that are switched off.', {
            properties: { public: of('boolean', 'Whether everybody may read them by id.') },
          }),
        },
      }),
      default: {},
    },
  ],
  statuses: offStatus,
  extend: { page: { meta: pageMarks } },
};

/** Listed only for editors who ask for it; `statuses: { acf-disabled: { public: true } }` lets everyone read it by id. */
function offStatus(settings: OpeningSettings): readonly StatusDeclaration[] {
  const isPublic = mapOf(mapOf(settings.value('statuses'))[off]).public === true;
  const access = isPublic ? { public: true } : { protected: true };
  return [{ name: off, label: 'Inactive', ...access, types: ['page'], publishes: true }];
}
