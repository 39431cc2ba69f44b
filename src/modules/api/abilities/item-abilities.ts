/**
 * Abilities for items: find them, read their files, create and change them, and put them into the trash. Texts are as in the file,
 * Markdown with front matter; an answer to a change is the difference that it made to the file.
 */
import { findings, findingsOf } from './findings.ts';
import { fail } from '../../../kernel/errors.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import { unifiedDiff } from '../../git/diff/index.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { PostType } from '../../types/record.ts';
import { cursor, fromCursor, next, toCursor } from './cursors.ts';
import { ask, type Shown, signedIn, writes, wrongInput } from './inner.ts';
import { changedKeys, fieldsOfKeys, readText } from './item-text.ts';
import {
  inLanguage,
  language,
  mayHaveFile,
  type Named,
  named,
  type AbilityPlace,
  placeOf,
  routeOf,
  typeNamed,
} from './places.ts';
import { type Ability, closed, reads, text, typed } from './record.ts';

/** Characters of a text in one answer; what is beyond is asked for with `offset`. */
const mostText = 40_000;
/** Characters of a title in a list. */
const mostTitle = 300;
/** Characters of a difference in one answer. */
const mostDiff = 20_000;

const type = text('A type, such as `post` or `page`. cms/describe lists them.');
const etag = text('State of the item, from cms/read or the last change. Refused if the item has changed since.', {
  maxLength: 100,
});
const fields = typed(
  'object',
  'Values by their names in the REST API: title, status, slug, categories, … cms/describe has those of a type.',
  {
    additionalProperties: true,
  },
);
const body = text('The text without front matter, Markdown or HTML as the file has it.');
const file = text(
  'Front matter and text, as in a file. Keys that it leaves out stay as they are. In place of `fields` and `body`.',
);

const summary: Schema = closed({
  id: typed('integer', 'Its number.'),
  type,
  title: text('Its title.'),
  status: text('publish, draft, pending, future, private, inherit (media).'),
  slug: text('Its name in its address.'),
  url: text('Its address.'),
  date: text('When it was or will be published, in site time.'),
  modified: text('When it was last changed, in site time.'),
  path: text('Its file. Only of items that the caller may edit.'),
  language: text('Code of its language, on sites with several.'),
});

const changed = {
  id: typed('integer', 'Its number.'),
  path: text('Its file.'),
  url: text('Its address.'),
  status: text('Its status now.'),
  etag: text('Its state now, for the next change.'),
  diff: text(`What changed in the file, as a unified diff; the first ${mostDiff} characters.`),
};

export const itemAbilities: readonly Ability[] = [
  {
    name: 'cms/find',
    label: 'Find items',
    description: 'Lists posts, pages, media and other items, newest first, or searches their texts.',
    category: 'content',
    input: {
      ...closed({
        search: text('Words to look for in title and text.', { maxLength: 200 }),
        type: text('One type; all types with pages of their own by default. cms/describe lists them.'),
        status: text('publish (default), draft, pending, future, private, trash or any.', {
          enum: ['publish', 'draft', 'pending', 'future', 'private', 'trash', 'any'],
        }),
        language,
        limit: typed('integer', 'How many at most.', { minimum: 1, maximum: 100, default: 20 }),
        cursor,
      }),
      default: {},
    },
    output: closed({ items: { type: 'array', items: summary }, next }),
    annotations: reads,
    asks: true,
    may: signedIn,
    run: (call, input) => find(call, input as FindInput),
  },
  {
    name: 'cms/read',
    label: 'Read an item',
    description: `Gives the file of an item or another content file as it is, up to ${mostText} characters at a time, with the state (etag) that a change needs.`,
    category: 'content',
    input: closed({
      ...named,
      format: text(
        'file (default): Markdown with front matter, for callers who may edit the item. html: the text as readers get it.',
        {
          enum: ['file', 'html'],
        },
      ),
      offset: typed('integer', 'Where to go on in a long text.', { minimum: 0 }),
    }),
    output: closed({
      id: typed('integer', 'Its number.'),
      type,
      path: text('Its file.'),
      url: text('Its address.'),
      redirected_from: text('The address that was asked for, where it redirects to this item.'),
      etag: text('Its state, for cms/change.'),
      text: text('The text from `offset` on.'),
      characters: typed('integer', 'Length of the whole text.'),
      next_offset: typed('integer', 'Where the rest begins. Absent at the end.'),
    }),
    annotations: reads,
    asks: true,
    may: signedIn,
    run: (call, input) => read(call, input as ReadInput),
  },
  {
    name: 'cms/check',
    label: 'Check an item',
    description:
      'Says what is wrong or doubtful in the file of an item, as cms validate does: values, references, links, media. Only for callers who may edit it.',
    category: 'content',
    input: closed(named),
    output: closed({ findings }),
    annotations: reads,
    asks: true,
    may: signedIn,
    run: async (call, input) => ({ findings: await findingsOf(call, input as Named) }),
  },
  {
    name: 'cms/create',
    label: 'Create an item',
    description: 'Writes the file of a new post, page or item of another type. It is a draft unless its status says otherwise.',
    category: 'content',
    input: closed({ type: { ...type, default: 'post' }, file, fields, body }),
    output: closed(changed),
    annotations: { readonly: false, destructive: false, idempotent: false },
    asks: true,
    may: writes,
    run: (call, input) => create(call, input as WriteInput),
  },
  {
    name: 'cms/change',
    label: 'Change an item',
    description:
      'Changes values of an item, replaces its text, or passages of it. What is not mentioned stays as it is in the file.',
    category: 'content',
    input: closed({
      ...named,
      etag: { ...etag, required: true },
      file,
      fields,
      body,
      edits: {
        type: 'array',
        description: 'Passages of the text to replace. Each `old` must be in the text exactly once.',
        maxItems: 100,
        items: closed({
          old: { ...text('As it is in the text.'), required: true },
          new: { ...text('What comes in its place.'), required: true },
        }),
      },
    }),
    output: closed(changed),
    annotations: { readonly: false, destructive: true, idempotent: false },
    asks: true,
    may: writes,
    run: (call, input) => change(call, input as ChangeInput),
  },
  {
    name: 'cms/trash',
    label: 'Move an item to the trash',
    description: 'Moves a post, page or item of another type to the trash, from where people can restore it.',
    category: 'content',
    input: closed({ ...named, etag: { ...etag, required: true } }),
    output: closed(changed),
    annotations: { readonly: false, destructive: true, idempotent: false },
    asks: true,
    may: writes,
    run: (call, input) => trash(call, input as ChangeInput),
  },
  {
    name: 'cms/describe',
    label: 'Describe the content',
    description:
      'Lists the types and taxonomies of the site and where their files are; with a type, the fields that its items accept.',
    category: 'content',
    input: { ...closed({ type: text('One type, for its fields.') }), default: {} },
    output: closed({
      types: { type: 'array', items: typed('object', 'A type.', { additionalProperties: true }) },
      taxonomies: { type: 'array', items: typed('object', 'A taxonomy.', { additionalProperties: true }) },
      languages: { type: 'array', items: text('Code of a language.') },
      fields: typed('object', 'Fields of the type: what each accepts.', { additionalProperties: true }),
    }),
    annotations: reads,
    asks: true,
    may: signedIn,
    run: async (call, input) => describe(call, (input as { type?: string }).type),
  },
];

interface FindInput {
  readonly search?: string;
  readonly type?: string;
  readonly status?: string;
  readonly language?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

interface ReadInput extends Named {
  readonly format?: 'file' | 'html';
  readonly offset?: number;
}

interface WriteInput {
  readonly type?: string;
  readonly file?: string;
  readonly fields?: Params;
  readonly body?: string;
}

interface ChangeInput extends Named, Omit<WriteInput, 'type'> {
  readonly etag: string;
  readonly edits?: readonly { readonly old: string; readonly new: string }[];
}

/** One type after the other: a page of answers may begin in one and end in the next. */
async function find(
  call: Call,
  { search, type: name, status, language: code, limit = 20, cursor: sent }: FindInput,
): Promise<unknown> {
  const types = name === undefined ? ownPages(call) : [typeNamed(call.site, name)];
  let [at = 0, offset = 0] = fromCursor(sent, 2);
  const items: unknown[] = [];
  while (at < types.length && items.length < limit) {
    const one = types[at] as PostType;
    const query = {
      ...{ per_page: limit - items.length, offset, _fields: 'id,link,date,modified,status,slug,lang' },
      ...inLanguage(call.site, code),
      ...(search === undefined ? {} : { search }),
      ...(status === undefined || one.name === 'attachment' ? {} : { status }),
    };
    const { data, headers } = await ask(call, 'GET', routeOf(one), { query });
    const found = data as readonly Shown[];
    items.push(...found.map((shown) => summaryOf(call, shown)));
    offset += found.length;
    if (found.length > 0 && offset < Number(headers['X-CMS-Total'])) continue;
    at += 1;
    offset = 0;
  }
  return { items, ...(at < types.length ? { next: toCursor([at, offset]) } : {}) };
}

function ownPages({ site }: Call): readonly PostType[] {
  return [...site.types.values()].filter((one) => one.showInRest && one.viewable && one.name !== 'attachment');
}

function summaryOf(call: Call, { id, link, date, modified, status, slug, lang }: Shown): unknown {
  const post = call.site.posts.get(id);
  return {
    id,
    ...{ type: post?.type, title: post?.title.slice(0, mostTitle), status, slug, url: link, date, modified },
    ...(call.can('edit_post', id) ? { path: post?.path } : {}),
    ...(typeof lang === 'string' ? { language: lang } : {}),
  };
}

async function read(call: Call, { format = 'file', offset = 0, ...names }: ReadInput): Promise<unknown> {
  const place = placeOf(call, names);
  const found = format === 'html' ? await asPage(call, place) : await asFile(call, place);
  const { whole, ...about } = found;
  const end = offset + mostText;
  return {
    ...about,
    ...(place.from === undefined ? {} : { redirected_from: place.from }),
    text: whole.slice(offset, end),
    characters: whole.length,
    ...(end < whole.length ? { next_offset: end } : {}),
  };
}

async function asFile(call: Call, place: AbilityPlace) {
  const state = await mayHaveFile(call, place);
  const bytes = await call.site.store.readBytes(place.path);
  if (bytes === null) return fail('rest_post_invalid_id');
  const { item, path } = place;
  return {
    ...(item ? { id: item.id, type: item.type } : {}),
    path,
    ...(state === undefined ? {} : { etag: state }),
    whole: Buffer.from(bytes).toString('utf8'),
  };
}

async function asPage(call: Call, { item }: AbilityPlace) {
  if (!item?.isPost) return wrongInput('Only posts, pages and the like are shown as HTML.');
  const { data } = await ask(call, 'GET', item.route, { query: { _fields: 'id,link,content' } });
  const { link, content } = data as Shown;
  return { id: item.id, type: item.type, url: String(link), whole: String(mapOf(content).rendered ?? '') };
}

async function create(call: Call, { type: name = 'post', ...input }: WriteInput): Promise<unknown> {
  const one = typeNamed(call.site, name);
  const json = await valuesOf(call, one, input, null);
  const { data } = await ask(call, 'POST', routeOf(one), { json });
  return outcome(call, (data as Shown).id, null);
}

async function change(call: Call, input: ChangeInput): Promise<unknown> {
  const { etag: wanted, edits, ...rest } = input;
  const { path, item } = placeOf(call, input);
  if (!item) return wrongInput(`${path} is not an item. Change it over its own route of the REST API.`);
  const before = await stateOf(call, { path, item }, wanted);
  const one = item.isPost ? typeNamed(call.site, item.type) : null;
  const written = edits ? { ...rest, body: edited(readText(path, before).body, edits) } : rest;
  if (edits && (rest.body !== undefined || rest.file !== undefined)) wrongInput('Send `edits`, `body` or `file`, not several.');
  const json = await valuesOf(call, one, written, { path, text: before });
  await ask(call, 'POST', item.route, { json, etag: wanted });
  return item.isPost ? outcome(call, item.id, { path, text: before }) : termOutcome(call, item.id, { path, text: before });
}

async function trash(call: Call, input: ChangeInput): Promise<unknown> {
  const { path, item } = placeOf(call, input);
  if (!item?.isPost) return wrongInput('Only posts, pages and the like have a trash.');
  const before = await stateOf(call, { path, item }, input.etag);
  await ask(call, 'DELETE', item.route, { etag: input.etag });
  return outcome(call, item.id, { path, text: before });
}

/** The file as the caller has seen it. @throws RestError rest_conflict */
async function stateOf(call: Call, place: AbilityPlace, wanted: string): Promise<string> {
  const state = await mayHaveFile(call, place);
  if (state !== wanted) fail('rest_conflict');
  return Buffer.from((await call.site.store.readBytes(place.path)) ?? []).toString('utf8');
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

/** What is sent to the API, of whichever way it was written. @param before  the file as it is; null: a new one */
async function valuesOf(
  call: Call,
  type: PostType | null,
  input: Omit<WriteInput, 'type'>,
  before: FileText | null,
): Promise<Params> {
  const { file: whole, fields: given = {}, body: own } = input;
  if (whole !== undefined && (own !== undefined || input.fields)) wrongInput('Send `file`, or `fields` and `body`.');
  if (whole === undefined) return { ...given, ...(own === undefined ? {} : { content: own }) };
  if (!type) return wrongInput('Terms are changed with `fields`.');
  const sent = readText(before?.path ?? 'new.md', whole);
  const known = before ? readText(before.path, before.text) : { data: {}, body: '' };
  const values = fieldsOfKeys(call.site, type, changedKeys(known.data, sent.data));
  return { ...values, ...(sent.body === known.body ? {} : { content: sent.body }) };
}

function edited(body: string, edits: NonNullable<ChangeInput['edits']>): string {
  return edits.reduce((now, { old, new: next }) => {
    const at = old === '' ? -1 : now.indexOf(old);
    if (at < 0) wrongInput(`The text does not have this passage: ${JSON.stringify(old.slice(0, 200))}`);
    if (now.indexOf(old, at + 1) >= 0)
      wrongInput(`The text has this passage more than once: ${JSON.stringify(old.slice(0, 200))}`);
    return now.slice(0, at) + next + now.slice(at + old.length);
  }, body);
}

async function outcome(call: Call, id: number, before: FileText | null): Promise<unknown> {
  const post = call.site.posts.get(id);
  if (!post) return fail('rest_post_invalid_id');
  const { data, state } = await ask(call, 'GET', `${routeOf(typeNamed(call.site, post.type))}/${id}`, {
    query: { context: 'edit', _fields: 'id,link' },
  });
  return { id, url: (data as Shown).link, status: post.status, etag: state, ...(await difference(call, before, post.path)) };
}

async function termOutcome(call: Call, id: number, before: FileText): Promise<unknown> {
  const path = call.site.terms.get(id)?.path ?? before.path;
  return { id, etag: call.site.terms.get(id)?.etag, ...(await difference(call, before, path)) };
}

async function difference({ site }: Call, before: FileText | null, path: string): Promise<{ path: string; diff: string }> {
  const now = Buffer.from((await site.store.readBytes(path)) ?? []).toString('utf8');
  return { path, diff: unifiedDiff(before?.path ?? path, path, before?.text ?? '', now).slice(0, mostDiff) };
}

function describe(call: Call, name: string | undefined): unknown {
  const { site } = call;
  const types = [...site.types.values()].filter((one) => one.showInRest);
  const taxonomies = [...site.taxonomies.values()].filter((one) => one.showInRest);
  return {
    types: types.map((one) => ({
      name: one.name,
      label: one.label,
      folder: one.folder,
      file_name: one.fileName,
      hierarchical: one.hierarchical,
    })),
    taxonomies: taxonomies.map((one) => ({ name: one.name, label: one.label, field: one.restBase, folder: one.folder })),
    ...(site.languages ? { languages: site.languages.codes } : {}),
    ...(name === undefined ? {} : { fields: argumentsOf(call, typeNamed(site, name)) }),
  };
}

function argumentsOf({ registry }: Call, type: PostType): Params {
  const args = registry.match('POST', routeOf(type))?.endpoint.args ?? {};
  return Object.fromEntries(
    Object.entries(args).map(([name, { description, type: kind, enum: choices }]) => [
      name,
      { description, type: kind, ...(choices ? { enum: Object.values(choices) } : {}) },
    ]),
  );
}
