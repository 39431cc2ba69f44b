/**
 * Imports of other products' folders, in three steps: the tree, then its attachments, then the import. The steps are GET requests with side effects,
 * as the client sends them: they require upload_files, and are never cached.
 *
 * Shape    `{result: true}`; `{mess}`
 * Access   upload_files
 * Errors   rest_forbidden, rest_no_import_source, rest_import_not_prepared, validation_failed
 * Source   specification 4.15; reference of media folders, 7
 */
import { fail } from '../../../kernel/errors.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import { mayUse, scopeOf, sentWith, unkept } from '../folders/index.ts';
import { changeMarks, readMarks, type FolderSnapshot } from './marks.ts';
import { mergeInto } from './merge.ts';
import { fromTop } from './record.ts';
import { readSource } from './sources.ts';

export const importRoutes: Namespace['routes'] = [
  step('get-folders', async (call, prefix) => {
    await keep(call, prefix, {
      isWhole: false,
      folders: (await sourceOf(call, prefix)).map((row) => ({ ...row, attachments: [] })),
    });
    return { result: true };
  }),
  step('get-attachments', async (call, prefix) => {
    const folders = await sourceOf(call, prefix);
    const { snapshots } = await readMarks(call.site.store.private);
    if (!Object.hasOwn(snapshots, prefix)) fail('rest_import_not_prepared');
    await keep(call, prefix, { isWhole: true, folders });
    return { result: true };
  }),
  step('run', run),
  { path: '/folders/v1/fld-no-thanks', endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle: decline }] },
];

function step(name: string, take: (call: Call, prefix: string) => Promise<object>): Namespace['routes'][number] {
  return {
    path: `/folders/v1/import/${name}/(?P<prefix>[a-zA-Z]+)`,
    endpoints: [
      {
        methods: READ,
        args: {},
        acts: true,
        allow: mayUse,
        handle: async (call) => unkept(await take(call, String(call.params.prefix))),
      },
    ],
  };
}

async function sourceOf({ site }: Call, prefix: string) {
  return (await readSource(site, prefix)) ?? fail('rest_no_import_source');
}

function keep({ site }: Call, prefix: string, snapshot: FolderSnapshot): Promise<void> {
  return changeMarks(site.store.private, ({ snapshots }) => ({ snapshots: { ...snapshots, [prefix]: snapshot } }));
}

async function run(call: Call, prefix: string) {
  const { site } = call;
  const { snapshots } = await readMarks(site.store.private);
  const snapshot = Object.hasOwn(snapshots, prefix) ? snapshots[prefix] : undefined;
  if (!snapshot) {
    await sourceOf(call, prefix);
    return fail('rest_import_not_prepared');
  }
  if (!snapshot.isWhole) fail('rest_import_not_prepared');
  const rows = fromTop(snapshot.folders);
  await mergeInto(site, scopeOf(call), rows);
  await changeMarks(site.store.private, ({ snapshots: { [prefix]: _, ...others }, completed }) => ({
    snapshots: others,
    completed: [...new Set([...completed, prefix])],
  }));
  return { mess: `Imported ${rows.length} ${rows.length === 1 ? 'folder' : 'folders'}.` };
}

async function decline(call: Call) {
  const { site: prefix } = sentWith(call);
  if (typeof prefix !== 'string' || !/^[A-Za-z]{1,40}$/.test(prefix)) fail('validation_failed');
  await changeMarks(call.site.store.private, ({ declined }) => ({ declined: [...new Set([...declined, prefix])] }));
  return { mess: 'Success' };
}
