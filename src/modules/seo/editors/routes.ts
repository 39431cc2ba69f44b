/**
 * What editors of search metadata ask and remember: sizes of files, custom fields, and what a person has seen, dismissed or allowed.
 *
 * Shape    as each route of the reference has it: bare, or below `json`
 * Access   people who write (`edit_posts`); workouts: `edit_others_posts`; sizes of files: `manage_options`; statistics: whoever signs in
 * Errors   400 for what nobody knows, in the shape of the route
 * Source   specification 4.11; reference of seo/v1, 3.1 to 3.6, 3.13, 3.16
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Arg } from '../../../kernel/rest/args.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { isUnsafeKey } from '../../../kernel/rest/params.ts';
import {
  answer,
  type Answer,
  type Call,
  CREATE,
  type Endpoint,
  type Namespace,
  needs,
  READ,
} from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { seoRoute } from '../metadata/index.ts';
import type { SeoOptions } from '../metadata/record.ts';
import { changeOptions } from '../configuration/index.ts';
import { mayEditNamedPost, searchFields } from './custom-fields.ts';
import { fileSize } from './file-size.ts';
import { changePerson, type Person, personOf } from './people.ts';
import { statistics } from './statistics.ts';

const mayWrite = needs('edit_posts');

export function editorRoutes(site: Site): Namespace['routes'] {
  return [
    seoRoute('file_size', [
      READ,
      needs('manage_options'),
      fileSize,
      { url: of('string', 'Address of the file.', { required: true }) },
    ]),
    seoRoute('statistics', [READ, needs('read'), statistics]),
    dismissal('dismiss-post-type', 'postTypeName', 'post_type_name', site.types, ({ newPostTypes }, name) => ({
      new_post_types: newPostTypes.filter((one) => one !== name),
    })),
    dismissal('dismiss-taxonomy', 'taxonomyName', 'taxonomy_name', site.taxonomies, ({ newTaxonomies }, name) => ({
      new_taxonomies: newTaxonomies.filter((one) => one !== name),
    })),
    seoRoute('introductions/(?P<introduction_id>[\\w-]+)/seen', [
      CREATE,
      mayWrite,
      seeIntroduction,
      {
        introduction_id: of('string', 'The introduction.', { required: true }),
        is_seen: { ...of('boolean', 'Whether it was seen.', { default: true }), validate: false, coerce: readSwitch },
      },
    ]),
    seoRoute(
      'video_embed_permission',
      [READ, mayWrite, readPermission],
      [CREATE, mayWrite, setPermission, { value: permission }],
    ),
    seoRoute('alerts/dismiss', [CREATE, mayWrite, dismissAlert, { key: alertKey(site) }]),
    seoRoute('meta/search', [READ, mayEditNamedPost, searchFields]),
    seoRoute('workouts', [READ, needs('edit_others_posts'), readWorkouts], [CREATE, needs('edit_others_posts'), writeWorkouts]),
  ];
}

const permission: Arg = {
  ...of('boolean', 'Whether videos of others may be shown.', { default: true }),
  validate: false,
  coerce: (value, request, name) => readTruth(value, request, name),
};

function alertKey(site: Site): Arg {
  const isKnown = (value: unknown) => typeof value === 'string' && site.seo.options().alerts.includes(value);
  return { required: true, validate: (value) => (isKnown(value) ? null : false), coerce: false };
}

/**
 * A type or taxonomy is new to nobody any more.
 * @param declared  the parameter's name, and that by which clients send it
 */
function dismissal(
  path: string,
  declared: string,
  sent: string,
  things: ReadonlyMap<string, unknown>,
  change: (options: SeoOptions, name: unknown) => Readonly<Record<string, unknown>>,
): Namespace['routes'][number] {
  const isKnown = (name: unknown): boolean => typeof name === 'string' && things.has(name);
  const arg: Arg = {
    description: 'What is known by now.',
    validate: (value, { dialect }) => (isKnown(dialect.readWord(scalarText(value))) ? null : false),
    coerce: (value, { dialect }) => dialect.readWord(scalarText(value)),
  };
  const handle: Endpoint['handle'] = async ({ site, params, request }) => {
    const name =
      params[declared] ?? (params[sent] === undefined ? undefined : request.dialect.readWord(scalarText(params[sent])));
    if (name !== undefined && !isKnown(name)) refuse([sent]);
    await changeOptions(site, (options) => change(options, name));
    return { message: 'This will not be shown again.', success: true, status: 200 };
  };
  return seoRoute(`new-content-type-visibility/${path}`, [CREATE, mayWrite, handle, { [declared]: arg }]);
}

function refuse(names: readonly string[]): never {
  const params = Object.fromEntries(names.map((name) => [name, 'Invalid parameter.']));
  fail('rest_invalid_param', { params, details: [] }, `Invalid parameter(s): ${names.join(', ')}`);
}

async function seeIntroduction(call: Call): Promise<Answer | object> {
  const { introduction_id: id, is_seen: isSeen } = call.params;
  if (!call.site.seo.options().introductions.includes(id)) return answer([], { status: 400 });
  return (
    (await change(call, 'seo_introductions_seen_error', ({ introductions }) => ({
      introductions: { ...introductions, [id]: isSeen },
    }))) ?? { json: { success: true } }
  );
}

async function readPermission(call: Call): Promise<Answer | object> {
  const error = missing(call, 'seo_video_embed_permission_error');
  if (error) return error;
  const { video_embed_permission: value } = await personOf(call.site, call.user?.id ?? 0);
  // The document is not a record, so the cache would not notice that it changes.
  return answer({ json: { value } }, { headers: { 'Cache-Control': 'no-store' } });
}

async function setPermission(call: Call): Promise<Answer | object> {
  const { value } = call.params;
  const error = await change(call, 'seo_video_embed_permission_error', () => ({ video_embed_permission: value }));
  return error ?? { json: { success: true } };
}

async function dismissAlert(call: Call): Promise<object> {
  const { key } = call.params;
  await changePerson(call.site, call.user?.id ?? 0, ({ alerts_dismissed: before }) => ({
    alerts_dismissed: before.includes(key) ? before : [...before, key],
  }));
  return { success: true, status: 200 };
}

/** @returns the answer when there is nobody whose state it could be */
async function change(call: Call, code: string, how: (before: Person) => Partial<Person>): Promise<Answer | null> {
  const error = missing(call, code);
  if (!error) await changePerson(call.site, call.user?.id ?? 0, how);
  return error;
}

/** The user may have gone since they signed in. The reference gives these errors no data. */
function missing({ site, user, request }: Call, name: string): Answer | null {
  if (user && site.users.get(user.id)) return null;
  const code = request.dialect.wireName(name);
  return answer({ code, message: 'The user is not valid.', data: {} }, { status: 500 });
}

function readWorkouts({ site }: Pick<Call, 'site'>): object {
  return { json: site.seo.options().workouts };
}

/** What is sent is laid over what there is, workout by workout. */
async function writeWorkouts({ site, request }: Call): Promise<object> {
  const { json, form, raw } = request;
  const sent = Object.entries(json ?? form ?? {});
  const isNoObject = json === undefined && form === undefined && raw !== undefined && raw.length > 0;
  const wrong = isNoObject ? ['body'] : sent.flatMap(([name, one]) => (isWorkout(name, one) ? [] : [name]));
  if (wrong.length > 0) refuse(wrong);
  await changeOptions(site, ({ workouts: before }) => ({
    workouts_data: {
      ...before,
      ...Object.fromEntries(sent.map(([name, one]) => [name, { ...mapOf(before[name]), ...(one as object) }])),
    },
  }));
  return readWorkouts({ site });
}

/** Maps and lists in one another, as deep as clients send them and files of settings should be. */
const maxDepth = 8;

function isWorkout(name: string, value: unknown): boolean {
  return /^[\w-]{1,64}$/.test(name) && !isUnsafeKey(name) && isMap(value) && isFlat(value, maxDepth);
}

function isFlat(value: unknown, depth: number): boolean {
  return (
    typeof value !== 'object' || value === null || (depth > 0 && Object.values(value).every((one) => isFlat(one, depth - 1)))
  );
}

/** Whether a value counts as true: in JSON whatever is not empty, in a form or an address also not the word. */
function readTruth(value: unknown, { json }: Pick<RestRequest, 'json'>, name: string): boolean {
  return json && Object.hasOwn(json, name) ? isTruthy(value) : readSwitch(value);
}

/** The same, where the word counts in JSON too. */
function readSwitch(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'false' ? false : isTruthy(value);
}

/** Empty texts, lists and maps, 0 and `"0"` are not (observed). */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== '0' && Boolean(value);
}
