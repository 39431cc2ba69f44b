/**
 * Abilities: things the server can do for a machine, each with schemas for what goes in and comes out.
 *
 * Those named `core/…` are the reference's. Those named `cms/…` do what the command line does, and stand in a category of
 * their own, `server`, that is found by its name and not in the default lists: these are the reference's, entry for entry.
 *
 * Source: behaviour of the reference 6.9; conformance scenario other-namespaces.
 */
import type { Schema } from '../../kernel/model/schema.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { homeOf } from '../permalinks/post-by-url.ts';
import type { Actor } from '../accounts/capabilities.ts';
import { readPrivate } from '../../kernel/site/settings.ts';
import type { Site } from '../../kernel/site/site.ts';
import { declare, locate, validate } from '../../validate/validate.ts';
import { operatorSettings } from '../../kernel/model/operator.ts';

export interface AbilityCategory {
  readonly slug: string;
  readonly label: string;
  readonly description: string;
  /** Whether the default list has it. */
  readonly listed: boolean;
}

/** What an ability does to the site; decides the method it is run by. */
export interface Annotations {
  readonly readonly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

export interface Ability {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  /** Null: takes none. Its `default` stands in for input that is not given. */
  readonly input: Schema | null;
  readonly output: Schema;
  readonly annotations: Annotations;
  /** Served to clients at all; otherwise the server's own. */
  readonly shown: boolean;
  may(site: Site, actor: Actor | null): boolean;
  /** @param input  valid against the schema */
  run(site: Site, actor: Actor | null, input: unknown): Promise<unknown>;
}

export interface Abilities {
  readonly categories: readonly AbilityCategory[];
  readonly abilities: readonly Ability[];
}

const safe: Annotations = { readonly: true, destructive: false, idempotent: true };
const text = (description: string): Schema => ({ type: 'string', description });
const isManager = (site: Site, actor: Actor | null): boolean => site.access.can(actor, 'manage_options');

/** @param prefix  of product-prefixed names in the dialect asked in */
export function createAbilities(prefix: string): Abilities {
  return { categories, abilities: [siteInfo(prefix), userInfo, environmentInfo(prefix), validateContent, reindex] };
}

const categories: readonly AbilityCategory[] = [
  { slug: 'site', label: 'Site', description: 'Abilities that tell about the site or change its settings.', listed: true },
  { slug: 'user', label: 'User', description: 'Abilities that tell about users or change them.', listed: true },
  { slug: 'server', label: 'Server', description: 'Abilities that look after the content folder.', listed: false },
];

/** Field → its description, and how it is found. */
function siteFields(prefix: string): Readonly<Record<string, readonly [string, (site: Site) => unknown]>> {
  return {
    name: ['The title of the site.', (site) => site.settings.value('name')],
    description: ['The tagline of the site.', (site) => site.settings.value('description')],
    url: ['The address of the front page.', homeOf],
    [`${prefix}url`]: ['The address of the server.', (site) => site.url],
    admin_email: [
      'The e-mail address of the administrator.',
      async (site) => (await readPrivate(site.store.private)).email ?? '',
    ],
    charset: ['The character set of the site.', () => 'UTF-8'],
    language: [
      'The language of the site, as a language tag.',
      (site) => String(site.settings.value('language')).replaceAll('_', '-'),
    ],
    version: ['The version of the interface that is served.', () => interfaceVersion],
  };
}

/** The version of the reference whose interface this is. */
const interfaceVersion = '6.9';

function siteInfo(prefix: string): Ability {
  const fields = siteFields(prefix);
  const names = Object.keys(fields);
  return {
    name: 'core/get-site-info',
    label: 'Get Site Information',
    description: 'Tells the fields asked for, or all there are, about the site.',
    category: 'site',
    input: {
      type: 'object',
      properties: {
        fields: {
          type: 'array',
          items: { type: 'string', enum: names },
          description: 'The fields wanted; without it, all of them.',
        },
      },
      additionalProperties: false,
      default: [],
    },
    output: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, text(fields[name]?.[0] ?? '')])),
      additionalProperties: false,
    },
    annotations: safe,
    shown: true,
    may: isManager,
    async run(site, _actor, input) {
      const asked = listOf((input as { fields?: unknown } | null)?.fields);
      const wanted = asked.length > 0 ? asked : names;
      return Object.fromEntries(await Promise.all(wanted.map(async (name) => [name, await fields[name]?.[1](site)] as const)));
    },
  };
}

/** Known to the server, as to the reference, without being served to clients. */
const userInfo: Ability = {
  name: 'core/get-user-info',
  label: 'Get User Information',
  description: 'Tells who is signed in.',
  category: 'user',
  input: null,
  output: {
    type: 'object',
    required: ['id', 'display_name', 'user_nicename', 'user_login', 'roles', 'locale'],
    properties: {
      id: { type: 'integer', description: 'The user ID.' },
      display_name: text('The display name of the user.'),
      user_nicename: text('The slug of the user.'),
      user_login: text('The login name of the user.'),
      roles: { type: 'array', description: 'The roles of the user.', items: { type: 'string' } },
      locale: text('The language of the user.'),
    },
    additionalProperties: false,
  },
  annotations: { ...safe, idempotent: false },
  shown: false,
  may: (_site, actor) => actor !== null,
  async run(site, actor) {
    const user = site.users.get(actor?.id ?? 0);
    return {
      id: user?.id ?? 0,
      display_name: user?.name ?? '',
      user_nicename: user?.slug ?? '',
      user_login: user?.account?.login ?? '',
      roles: actor?.roles ?? [],
      locale: user?.account?.locale || site.settings.value('language'),
    };
  },
};

function environmentInfo(prefix: string): Ability {
  return {
    name: 'core/get-environment-info',
    label: 'Get Environment Info',
    description: 'Tells what the site runs on.',
    category: 'site',
    input: null,
    output: {
      type: 'object',
      required: ['environment', 'php_version', 'db_server_info', `${prefix}_version`],
      properties: {
        environment: { ...text('The kind of environment.'), enum: operatorSettings.environment.choices ?? [] },
        php_version: text('The runtime of the server.'),
        db_server_info: text('Where the content is kept.'),
        [`${prefix}_version`]: text('The version of the interface that is served.'),
      },
      additionalProperties: false,
    },
    annotations: safe,
    shown: true,
    may: isManager,
    async run(site) {
      return {
        environment: site.operator.environment,
        php_version: `Node.js ${process.versions.node}`,
        db_server_info: `files, ${site.posts.size} posts`,
        [`${prefix}_version`]: interfaceVersion,
      };
    },
  };
}

const counted: Schema = { type: 'integer', description: 'How many there are.', minimum: 0 };

const validateContent: Ability = {
  name: 'cms/validate',
  label: 'Validate content',
  description: 'Reads every file of the content folder and tells what is wrong with it, by file, line and column.',
  category: 'server',
  input: {
    type: 'object',
    properties: { severity: { type: 'string', enum: ['error', 'warning'], description: 'Only problems of this severity.' } },
    additionalProperties: false,
    default: {},
  },
  output: {
    type: 'object',
    properties: {
      files: counted,
      errors: counted,
      warnings: counted,
      problems: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: text('File, relative to the content folder.'),
            line: counted,
            column: counted,
            severity: { type: 'string', enum: ['error', 'warning'] },
            rule: text('A word for the kind of problem.'),
            message: text('What is wrong.'),
            hint: text('What can be done about it.'),
          },
        },
      },
    },
  },
  annotations: safe,
  shown: true,
  may: isManager,
  async run(site, _actor, input) {
    const batch = await site.store.load();
    await site.ingest(batch);
    const model = declare({
      types: [...site.types.values()],
      taxonomies: [...site.taxonomies.values()],
      statuses: site.statuses,
      settings: site.settings.rows,
      meta: site.meta,
    });
    const people = site.accounts.all().map(({ id, slug, login }) => ({ id, slug: slug || slugify(login) }));
    const found = await locate(validate(batch, model, { clock: site.clock(), people }), site.store.readBytes);
    const all = [...site.store.problems(), ...found].map(({ source: _, ...problem }) => problem);
    const of = (severity: string) => all.filter((problem) => problem.severity === severity);
    const { severity } = (input ?? {}) as { severity?: string };
    return {
      files: batch.entries.length + batch.blobs.length + site.store.problems().length,
      errors: of('error').length,
      warnings: of('warning').length,
      problems: severity ? of(severity) : all,
    };
  },
};

const reindex: Ability = {
  name: 'cms/reindex',
  label: 'Read content again',
  description: 'Reads the content folder anew and rebuilds what is kept of it in memory.',
  category: 'server',
  input: null,
  output: { type: 'object', properties: { posts: counted, terms: counted, users: counted, problems: counted } },
  annotations: { readonly: false, destructive: false, idempotent: true },
  shown: true,
  may: isManager,
  async run(site) {
    await site.reload();
    return { posts: site.posts.size, terms: site.terms.size, users: site.users.size, problems: site.problems().length };
  },
};

/** A list, or one written with commas. */
function listOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((part) => part !== '');
  return Array.isArray(value) ? value.map(String) : value && typeof value === 'object' ? Object.values(value).map(String) : [];
}
