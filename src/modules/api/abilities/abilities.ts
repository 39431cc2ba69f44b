/**
 * The abilities that every site has: what it is, who asks, and the look after its content.
 *
 * Those named `core/…` are the reference's. Those named `cms/…` do what the command line does, and stand in a category of
 * their own, `server`, that is found by its name and not in the default lists: these are the reference's, entry for entry.
 *
 * Source: behaviour of the reference 6.9; conformance scenario other-namespaces.
 */
import { websiteOf } from '../../../kernel/model/addresses.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { operatorSettings } from '../../../kernel/model/operator.ts';
import type { Schema, Schemas } from '../../../kernel/model/schema.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { readPrivate } from '../../../kernel/site/settings.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { cursor, next, pageOf } from './cursors.ts';
import { type Ability, type AbilityCategory, closed, count, reads, text, typed } from './record.ts';

export const categories: readonly AbilityCategory[] = [
  { slug: 'site', label: 'Site', description: 'Abilities that tell about the site or change its settings.', listed: true },
  { slug: 'user', label: 'User', description: 'Abilities that tell about users or change them.', listed: true },
  { slug: 'server', label: 'Server', description: 'Abilities that look after the content folder.', listed: false },
  { slug: 'content', label: 'Content', description: 'Abilities that read and change items and files.', listed: false },
];

const isManager: Ability['may'] = (site, actor) => site.access.can(actor, 'manage_options');

/** The version of the reference whose interface this is. */
const interfaceVersion = '6.9';

/** @param prefix  of product-prefixed names in the dialect asked in */
export function createAbilities(prefix: string): readonly Ability[] {
  const site = siteFacts(prefix);
  const environment = environmentFacts(prefix);
  return [
    {
      name: 'core/get-site-info',
      label: 'Get Site Information',
      description: 'Tells the fields asked for, or all there are, about the site.',
      category: 'site',
      input: choiceOf(Object.keys(site)),
      output: closed(schemasOf(site)),
      annotations: reads,
      may: isManager,
      run: (call, input) => answer(site, call, fieldsOf(input)),
    },
    {
      name: 'core/get-user-info',
      label: 'Get User Information',
      description: 'Tells the fields asked for, or all there are, about who is signed in.',
      category: 'user',
      input: choiceOf(Object.keys(userFacts)),
      output: closed(schemasOf(userFacts)),
      annotations: reads,
      may: (_site, actor) => actor !== null,
      run: (call, input) => answer(userFacts, call, fieldsOf(input)),
    },
    {
      name: 'core/get-environment-info',
      label: 'Get Environment Info',
      description: 'Tells what the site runs on.',
      category: 'site',
      input: choiceOf(Object.keys(environment)),
      output: closed(schemasOf(environment)),
      annotations: reads,
      may: isManager,
      run: (call, input) => answer(environment, call, fieldsOf(input)),
    },
    {
      name: 'cms/validate',
      label: 'Validate content',
      description: 'Reads every file of the content folder and tells what is wrong with it, by file, line and column.',
      category: 'server',
      input: {
        ...closed({
          severity: { type: 'string', enum: severities, description: 'Only problems of this severity.' },
          limit: typed('integer', 'How many problems at most; all by default.', { minimum: 1, maximum: 500 }),
          cursor,
        }),
        default: {},
      },
      output: {
        type: 'object',
        properties: { files: count, errors: count, warnings: count, problems: { type: 'array', items: problem }, next },
      },
      annotations: reads,
      may: isManager,
      run: ({ site: on }, input) => validateContent(on, (input ?? {}) as ValidateInput),
    },
    {
      name: 'cms/reindex',
      label: 'Read content again',
      description: 'Reads the content folder anew and rebuilds what is kept of it in memory.',
      category: 'server',
      input: null,
      output: { type: 'object', properties: { posts: count, terms: count, users: count, problems: count } },
      annotations: { readonly: false, destructive: false, idempotent: true },
      may: isManager,
      async run({ site: on }) {
        await on.reload();
        return { posts: on.posts.size, terms: on.terms.size, users: on.users.size, problems: on.problems().length };
      },
    },
  ];
}

/** Name → its schema, and how its value is found. */
type Facts = Readonly<Record<string, readonly [Schema, (site: Site, actor: Actor | null) => unknown]>>;

function siteFacts(prefix: string): Facts {
  return {
    name: [text('The title of the site.'), (site) => site.settings.value('name')],
    description: [text('The tagline of the site.'), (site) => site.settings.value('description')],
    url: [text('The address of the front page.'), homeOf],
    [`${prefix}url`]: [text('The address of the server.'), (site) => site.url],
    admin_email: [
      text('The email address of the administrator.'),
      async (site) => (await readPrivate(site.store.private)).email ?? '',
    ],
    charset: [text('The character set of the site.'), () => 'UTF-8'],
    language: [text('The language of the site, as a language tag.'), (site) => localeOf(site).replaceAll('_', '-')],
    version: [text('The version of the interface that is served.'), () => interfaceVersion],
  };
}

const userFacts: Facts = {
  id: [typed('integer', 'The user ID.'), (_site, actor) => actor?.id ?? 0],
  display_name: [text('The display name of the user.'), (site, actor) => userOf(site, actor)?.name ?? ''],
  user_nicename: [text('The slug of the user.'), (site, actor) => userOf(site, actor)?.slug ?? ''],
  user_login: [text('The login name of the user.'), (site, actor) => userOf(site, actor)?.account?.login ?? ''],
  roles: [typed('array', 'The roles of the user.', { items: { type: 'string' } }), (_site, actor) => actor?.roles ?? []],
  locale: [text('The language of the user.'), (site, actor) => userOf(site, actor)?.account?.locale || localeOf(site)],
  first_name: [text('The first name of the user.'), (site, actor) => userOf(site, actor)?.firstName ?? ''],
  last_name: [text('The last name of the user.'), (site, actor) => userOf(site, actor)?.lastName ?? ''],
  nickname: [text('The nickname of the user.'), (site, actor) => userOf(site, actor)?.nickname ?? ''],
  description: [text('What the user says about themselves.'), (site, actor) => userOf(site, actor)?.description ?? ''],
  user_url: [text('The website of the user.'), websiteOfActor],
};

function environmentFacts(prefix: string): Facts {
  const { choices: environments = [] } = operatorSettings.environment;
  return {
    environment: [typed('string', 'The kind of environment.', { enum: environments }), (site) => site.operator.environment],
    php_version: [text('The runtime of the server.'), () => `Node.js ${process.versions.node}`],
    db_server_info: [text('Where the content is kept.'), (site) => `files, ${site.posts.size} posts`],
    [`${prefix}_version`]: [text('The version of the interface that is served.'), () => interfaceVersion],
  };
}

/** @param names  of the facts wanted; none: all */
async function answer(facts: Facts, { site, user }: Call, names: readonly string[] = []): Promise<unknown> {
  const wanted = names.length > 0 ? names : Object.keys(facts);
  return Object.fromEntries(await Promise.all(wanted.map(async (name) => [name, await facts[name]?.[1](site, user)] as const)));
}

const severities = ['error', 'warning', 'note'];

const problem: Schema = {
  type: 'object',
  properties: {
    path: text('File, relative to the content folder.'),
    line: count,
    column: count,
    severity: { type: 'string', enum: severities },
    rule: text('A word for the kind of problem.'),
    message: text('What is wrong.'),
    hint: text('What can be done about it.'),
  },
};

interface ValidateInput {
  readonly severity?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

async function validateContent(site: Site, { severity, limit, cursor: from }: ValidateInput): Promise<unknown> {
  const { files, problems } = await site.checkContent(site);
  const of = (wanted: string) => problems.filter((one) => one.severity === wanted);
  const [shown, next] = pageOf(severity ? of(severity) : problems, from, limit);
  return { files, errors: of('error').length, warnings: of('warning').length, problems: shown, ...next };
}

function schemasOf(facts: Facts): Schemas {
  return Object.fromEntries(Object.entries(facts).map(([name, [schema]]) => [name, schema]));
}

function choiceOf(names: readonly string[]): Schema {
  const items: Schema = { type: 'string', enum: names };
  return {
    ...closed({
      fields: {
        type: 'array',
        items,
        description: 'Members of the answer to leave in; all of them when there are none.',
      },
    }),
    default: {},
  };
}

/** A list, or one written with commas. */
function listOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((part) => part !== '');
  return Array.isArray(value) ? value.map(String) : value && typeof value === 'object' ? Object.values(value).map(String) : [];
}

function fieldsOf(input: unknown): readonly string[] {
  return listOf((input as { fields?: unknown } | null)?.fields);
}

function userOf(site: Site, actor: Actor | null): UserRecord | undefined {
  return site.users.get(actor?.id ?? 0);
}

function websiteOfActor(site: Site, actor: Actor | null): string {
  const user = userOf(site, actor);
  return user ? websiteOf(site, user.url) : '';
}

function localeOf(site: Site): string {
  return String(site.settings.value('language'));
}
