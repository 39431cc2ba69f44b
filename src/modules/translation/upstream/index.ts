/**
 * Services of translation as a module: the clients that routes and background work use.
 */
import { fail } from '../../../kernel/errors.ts';
import type { Module } from '../../../kernel/module.ts';
import { createServiceClient, jsonOf } from './client.ts';
import { createEditorClient } from './editor.ts';
import { upstreamErrors } from './errors.ts';
import { createIdentity } from './identity.ts';
import { createOutbox } from './outbox.ts';
import { readTranslationSettings } from './settings.ts';

export { jsonOf, maxAnswerBytes, reservedNames } from './client.ts';
export { allowedCall } from './destinations.ts';
export type { AgencySettings } from './settings.ts';

export const translationUpstream: Module = {
  name: 'translation-upstream',
  errors: upstreamErrors,
  setup(site) {
    const settings = readTranslationSettings(site.operator.translation_services);
    const identity = createIdentity(site.store);
    const request = createServiceClient(site, identity);
    const editor = createEditorClient(settings.editor, request);
    const outbox = createOutbox(
      site,
      editor,
      (line) => void site.store.faults.background('translation', () => Promise.reject(new Error(line))),
    );
    return {
      site: {
        translationUpstream: {
          settings,
          identity,
          editor,
          outbox,
          request,
          async manager(method, name, body, values = {}) {
            const { editor: services } = settings;
            if (!services?.managerUrl) fail('lang_editor_not_configured');
            const path = services.paths[name].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
            const sent =
              body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
            return jsonOf(await request(services.managerUrl, services, { method, path, ...sent }));
          },
        },
      },
    };
  },
};
