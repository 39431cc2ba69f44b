/**
 * Taking over what another tool for search engines has left, a batch a call.
 *
 * Shape    `{objects, next_url}`; the address is relative, and there while a batch was not empty
 * Access   whoever may activate plugins
 * Errors   rest_no_route for what there is no importer of; 500 seo_error_validation
 * Source   specification 4.11; reference of seo/v1, 3.8, 7.6
 */
import { table } from '../../../kernel/model/maps.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { answer, type Answer, CREATE, type Namespace, needs } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Write } from '../../../kernel/store/types.ts';
import { changeOptions } from '../configuration/index.ts';
import { neededColumns, planPost, postOf } from './posts.ts';
import { flatten, optionsOf } from './settings.ts';
import { idOf, postsFile, readGroup, readRows, type SettingGroup, settingGroups } from './source.ts';

const plugin = 'other-seo';
const batch = 25;

/** What a batch did: its objects, and whether there may be more. */
interface Batch {
  readonly objects: unknown;
  readonly hasMore: boolean;
}
const nothing: Batch = { objects: [], hasMore: false };

const importers: Readonly<Record<string, (site: Site) => Promise<Batch | null>>> = table({
  validate_data: validate,
  posts: importPosts,
  ...Object.fromEntries(settingGroups.map((group) => [group, (site: Site) => importSettings(site, group)])),
  cleanup,
});

export const importRoutes: Namespace['routes'] = [
  {
    path: '/seo/v1/import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)',
    endpoints: [
      {
        methods: CREATE,
        args: {},
        allow: needs('activate_plugins'),
        handle: run,
      },
    ],
  },
];

async function run({ site, params, request }: Call): Promise<Answer | object> {
  const { type } = params;
  const importer = params.plugin === plugin && Object.hasOwn(importers, type) ? importers[type] : undefined;
  if (!importer) return fail('rest_no_route');
  const done = await importer(site);
  const { dialect } = request;
  if (!done) {
    const code = dialect.wireName('seo_error_validation');
    return answer({ code, message: 'The data cannot be taken over.', data: { stackTrace: '' } }, { status: 500 });
  }
  const next = dialect.spellRoute(`/seo/v1/import/${plugin}/${type}`).slice(1);
  return { objects: done.objects, next_url: done.hasMore ? next : false };
}

const nameOf = (type: string): string => `${plugin}_${type}`;

function cursorOf(site: Site, type: string): unknown {
  return site.seo.options().importCursors[nameOf(type)];
}

function isCompleted(site: Site, type: string): boolean {
  return site.seo.options().importingCompleted[nameOf(type)] === true;
}

async function complete(site: Site, type: string): Promise<void> {
  await changeOptions(site, ({ importingCompleted }) => ({
    importing_completed: { ...importingCompleted, [nameOf(type)]: true },
  }));
}

/** Null: something is not there, or not as it has to be. */
async function validate(site: Site): Promise<Batch | null> {
  if (isCompleted(site, 'validate_data')) return nothing;
  const rows = await readRows(site);
  if (rows === null || rows.some((row) => neededColumns.some((column) => !Object.hasOwn(row, column)))) return null;
  const groups = await Promise.all(settingGroups.map((group) => readGroup(site, group)));
  if (groups.some((group) => group === null)) return null;
  const hasRobots = groups.some((group) => [...flatten(group ?? {}).keys()].some((path) => path.includes('/robotsMeta/')));
  if (!hasRobots) return null;
  await complete(site, 'validate_data');
  const objects = { validated_source_table: true, validated_source_settings: true, validated_robot_settings: true };
  return { objects, hasMore: true };
}

async function importPosts(site: Site): Promise<Batch> {
  const rows = await readRows(site);
  if (rows === null) return { objects: false, hasMore: false };
  const done = Number(cursorOf(site, 'posts') ?? 0) || 0;
  const some = rows.filter((row) => idOf(row) > done).slice(0, batch);
  const last = some.at(-1);
  if (!last) {
    await complete(site, 'posts');
    return nothing;
  }
  const keys = await site.write(() => {
    const written = new Map<string, Write>();
    for (const row of some) {
      const post = postOf(site, row);
      const change = post && planPost(site, post, row);
      // The first of several rows of a post counts, as it would in separate batches.
      if (change && !written.has(`post:${post.id}`)) written.set(`post:${post.id}`, change);
    }
    const { importCursors } = site.seo.options();
    const cursor = site.seo.planOptions({ import_cursors: { ...importCursors, [nameOf('posts')]: idOf(last) } });
    return { changes: [...written.values(), ...cursor], result: [...written.keys()], once: 'seo-options' };
  });
  await site.seoIndex.refresh();
  for (const key of keys) site.seoIndex.make(key);
  return { objects: await site.seoIndex.show(keys), hasMore: true };
}

async function importSettings(site: Site, group: SettingGroup): Promise<Batch> {
  const settings = await readGroup(site, group);
  if (settings === null) return nothing;
  const all = flatten(settings);
  const cursor = String(cursorOf(site, group) ?? '');
  const some = new Map([...all].filter(([path]) => path > cursor).slice(0, batch));
  const last = [...some.keys()].at(-1);
  if (last === undefined) {
    await complete(site, group);
    return nothing;
  }
  await changeOptions(site, ({ importCursors }) => ({
    ...optionsOf(site, group, some, all),
    import_cursors: { ...importCursors, [nameOf(group)]: last },
  }));
  return { objects: [...some.keys()], hasMore: true };
}

/** The rows go; what was taken over stays. */
async function cleanup(site: Site): Promise<Batch> {
  if (isCompleted(site, 'cleanup')) return nothing;
  const rows = await readRows(site);
  const changes = rows ? [{ path: postsFile, bytes: Buffer.from('[]\n') }] : [];
  await site.write(() => ({ changes, result: null }));
  await complete(site, 'cleanup');
  return { objects: { metadata_cleanup: 0, indexables_cleanup: rows?.length ?? 0 }, hasMore: true };
}
