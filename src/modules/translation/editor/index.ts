/**
 * Jobs with the external editor, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import type { OutboxKind } from '../upstream/record.ts';
import { cancelledIn, endedLately, pollEditor } from './background.ts';
import { createEditor } from './editor.ts';
import { editorErrors } from './errors.ts';
import { editorRoutes } from './routes.ts';

export const translationEditor: Module = {
  name: 'translation-editor',
  errors: editorErrors,
  setup(site) {
    let isLoaded = false;
    const tell = (ends: Partial<Record<OutboxKind, readonly number[]>>): void => {
      const { outbox } = site.translationUpstream;
      const calls = Object.entries(ends).filter(([, ids]) => ids.length > 0);
      if (calls.length > 0)
        void site.store.faults.background('external editor', async () => {
          for (const [kind, ids] of calls) await outbox.add(kind as OutboxKind, ids);
          await outbox.flush();
        });
    };
    return {
      site: { translationEditor: createEditor(site) },
      afterLoad() {
        isLoaded = true;
        if (!site.store.readOnly) tell(endedLately(site));
      },
      afterIngest(batch, writes) {
        if (isLoaded && !site.store.readOnly) tell({ cancel: cancelledIn(site, batch) });
        return writes;
      },
    };
  },
  namespaces: () => [{ name: 'lang/tm/v1', routes: editorRoutes() }],
  jobs: [pollEditor],
};
