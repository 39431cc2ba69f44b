/**
 * A module is what a part of the site brings, and the only way to bring it: posts, terms and users as much as languages or what a
 * site itself adds. A deployment is a list of modules; `createSite({ store, modules })` and `compose(namespaces)` read nothing else.
 *
 * Source: architecture, "The house".
 */
import type { ErrorRow } from './errors.ts';
import type { Fields, References } from './model/field.ts';
import type { Schemas } from './model/schema.ts';
import type { Setting } from './model/settings.ts';
import type { Clause, TableSpec } from './records/types.ts';
import type { Arg } from './rest/args.ts';
import type { Call, Namespace, Route } from './rest/types.ts';
import type { Params } from './rest/request.ts';
import type { FileKind } from './site/file-kind.ts';
import type { PathRow } from './site/path-table.ts';
import type { Service, SiteKernel } from './site/hooks.ts';
import type { Settings } from './site/settings.ts';
import type { PlanningSite, Site } from './site/site.ts';
import type { Batch, FileChange } from './store/types.ts';

export interface Module {
  readonly name: string;
  /** Another one voids what was cached of records: of a plugin, the hash of its file. */
  readonly version?: string;
  /** Keys of `site.yaml`. A key that another module has fails at start. */
  readonly settings?: readonly Setting[];
  /** Keys of `site.yaml` that are read at start, of whose changes the module says more than that they wait for the next one. */
  readonly declares?: readonly string[];
  /** Code → status and sentence. A code that another module has fails at start. */
  readonly errors?: Readonly<Record<string, ErrorRow>>;
  /** Role → additional capabilities. */
  readonly capabilities?: Readonly<Record<string, readonly string[]>>;
  /** Services of the site, and what the module does when files come and go. In the order of the list, before any file is read. */
  readonly setup?: (site: Site, kernel: SiteKernel) => Service | Promise<Service>;
  /** What fields may ask while a file is read or checked, by the settings as they then are. */
  readonly refs?: (settings: Pick<Settings, 'value'>) => Partial<References>;
  /** Tables of records in memory; each is the property of its name of the site. */
  // biome-ignore lint/suspicious/noExplicitAny: tables of different records stand side by side
  readonly tables?: (site: Site) => readonly TableSpec<any>[];
  /** Files and the records they hold. */
  readonly kinds?: (site: Site) => readonly FileKind[];
  /** Which files are what, for those who judge a folder without a site: the files of `kinds`. Those of `collections` are known. */
  readonly paths?: (declared: DeclaredModel) => readonly PathRow[];
  /** Files that no site is served without: no good version of them could stay in service. Its `what` and what is wrong `otherwise`. */
  readonly required?: readonly { matches(path: string): boolean; readonly what: string; readonly otherwise: string }[];
  /** What is added to the items of other modules, or what says it of the settings that a site is opened with. */
  readonly extend?: Extensions | ((settings: OpeningSettings) => Extensions);
  /** Additional statuses of posts, or a function that computes them from the settings of the site. */
  readonly statuses?: readonly StatusDeclaration[] | ((settings: OpeningSettings) => readonly StatusDeclaration[]);
  /** Arguments that every route has; one may follow from the site, which is open when it is asked for. */
  readonly args?: Readonly<Record<string, Arg | ((site: Site) => Arg)>>;
  /** A segment of the path before the REST root. */
  readonly address?: AddressPart;
  /** Addresses outside the REST root that are routes: `/mcp`. No page is shown there. */
  readonly routeAddresses?: (site: Site) => Readonly<Record<string, string>>;
  /** Members of the site index: another value than it has, or null for none. */
  readonly index?: Readonly<Record<string, ((call: Call) => unknown) | null>>;
  /** Routes of all modules as they are to be: other marks, fewer arguments. In the order of the list. */
  readonly reshape?: (route: Route) => Route;
  /** Headers of every response to a client, in addition to those of its route; not of inner responses. */
  readonly headers?: (call: Call) => Readonly<Record<string, string>>;
  /** Names of headers that its routes read, which pages of other origins may send; those of the API in the neutral spelling (`X-CMS-…`). */
  readonly requestHeaders?: readonly string[];
  /** Routes of a type or taxonomy in place of those that posts and terms have, by its name. */
  readonly typeRoutes?: Readonly<Record<string, (site: Site) => Namespace['routes']>>;
  /** Routes, once the site is loaded. Several modules may add to one namespace. */
  readonly namespaces?: (site: Site) => readonly Namespace[];
  /** Files that are records of their fields. */
  readonly collections?: readonly Collection[];
  /** Findings of `cms validate`. */
  readonly checks?: readonly Check[];
  /** What runs in the background. */
  readonly jobs?: readonly Job[];
}

/** Every key of a module, so that one of a plugin that is misspelt is refused. */
export const moduleKeys: Readonly<Record<keyof Module, true>> = {
  name: true,
  version: true,
  settings: true,
  declares: true,
  errors: true,
  capabilities: true,
  setup: true,
  refs: true,
  tables: true,
  kinds: true,
  paths: true,
  required: true,
  extend: true,
  statuses: true,
  args: true,
  address: true,
  routeAddresses: true,
  index: true,
  reshape: true,
  headers: true,
  requestHeaders: true,
  typeRoutes: true,
  namespaces: true,
  collections: true,
  checks: true,
  jobs: true,
};

/** What the files of a folder are read by. */
// biome-ignore lint/suspicious/noEmptyInterface: the module that has types and fields adds to it
export interface DeclaredModel {}

/** By type, taxonomy, or kind of item (`post`, `page`, `term`, `user`, `comment`, …); `*` is all. */
export type Extensions = Readonly<Record<string, Extension>>;

/**
 * `site.yaml` as a site is opened with it. What an extension asks for is in force until the site is opened anew; a change in the
 * meantime is reported as a problem of the file.
 */
export interface OpeningSettings {
  /** Of a declared setting. @throws Error when no module has it */
  value(key: string): unknown;
  /** What the file says under any key, undefined where it says nothing; of a declared setting only what can be used. */
  stored(key: string): unknown;
}

/** A status of posts. Only the service sets one that is neither public, private nor protected. */
export interface StatusDeclaration {
  readonly name: string;
  readonly label: string;
  /** Readable by everyone who may read the type. */
  readonly public?: boolean;
  /** Readable by its author and by those who may read private items. */
  readonly private?: boolean;
  /** Readable by those who may edit the item. */
  readonly protected?: boolean;
  /** Types that have it; absent: all. */
  readonly types?: readonly string[];
  /** Takes the right to publish. */
  readonly publishes?: boolean;
}

/** What a module adds to items of another. */
export interface Extension {
  /** Additional registered meta of a type or taxonomy. */
  readonly meta?: Schemas;
  /**
   * Served, written, in the file, in OPTIONS, the catalogue, schemas, snapshots and exports, like the item's own. A field with a file
   * facet puts its value into the draft whether the file says one or not; one that clients may write has a setter.
   */
  // biome-ignore lint/suspicious/noExplicitAny: fields of different records stand in one map
  readonly fields?: Fields<any, any>;
  /** The fields that the items begin with, as they are to be: some are taken away, others are read or served otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: fields of different records stand in one map
  readonly reshapeFields?: (fields: Fields<any, any>) => Fields<any, any>;
  /** Parameters of the list, and their clauses. */
  readonly params?: Readonly<Record<string, ListParam>>;
  /** Relation → the links that items have, and that their schema names. */
  readonly links?: Readonly<Record<string, ExtensionLink>>;
  /** Clauses that every list of the target gets, so that totals and pages follow them. */
  readonly scope?: (call: Call) => readonly Clause[];
  /** Parameters of a list as the module understands them, before clauses are made of them. */
  readonly listParams?: (params: Params, call: Call) => Params;
  /** Items with different values are not peers: posts among them may share a slug, terms a name. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the record of whatever table is extended
  readonly peerGroup?: (record: any) => string;
  /**
   * Completes what a client says of an item, or refuses it; asked again each time the write is planned. A new item has no `before`.
   * @throws RestError
   */
  readonly prepareWrite?: (write: PreparedWrite, call: Call, before: unknown, site: PlanningSite) => PreparedWrite;
  /** Names that the file of an item may get, the best first. @param path  that it would have */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the record of whatever table is extended
  readonly fileNames?: (path: string, record: any, site: Site) => readonly string[];
}

/** What a client says of an item, as the plan of the write takes it. */
export interface PreparedWrite {
  readonly input: Readonly<Record<string, unknown>>;
  /** Of several writes that name the same here one is planned after the other. */
  readonly once?: string;
  /** Other files that change with it. */
  readonly changes?: readonly FileChange[];
}

export interface ListParam extends Arg {
  /** Clauses for a value that was sent. */
  readonly where: (value: unknown, call: Call) => readonly Clause[];
}

export interface ExtensionLink {
  /** Its target, according to the item's schema. */
  readonly title: string;
  /** Neutral route with one placeholder: `/moods/v1/moods/{slug}`. */
  readonly route: string;
  /** Value for the placeholder, or several for as many links; without one the item has no such link. */
  // biome-ignore lint/suspicious/noExplicitAny: links of different records stand in one map
  of(record: any, call: Call): LinkTarget | readonly LinkTarget[] | null | undefined;
  /** `_embed` follows it. */
  readonly embeddable?: true;
}

/** Value for the placeholder; also with attributes of the link, and with its own route. */
type LinkTarget =
  | string
  | number
  | { readonly value: string | number; readonly route?: string; readonly [attribute: string]: string | number | undefined };

/** A segment before the REST root: `/de/cms-json/…`. URLs with one that no module reads are not routes. */
export interface AddressPart {
  /** The parameters that a segment means; null if it is not one of the module's. */
  read(segment: string, site: Site): Params | null;
  /**
   * The segment that links of an answer have, by the parameters of its call: then query and body win over the segment that was asked
   * for. Without it, links keep that segment, and neither query nor body overrides it.
   */
  write?(params: Params, site: Site): string;
  /** The parameters that an item is shown for: its own address has their segment, whatever was asked for. */
  of?(record: unknown, site: Site): Params;
}

export interface Check {
  /** Rule of its findings, as scripts name it. */
  readonly rule: string;
  /** `error`: the site serves it otherwise than its author meant; `warning`: a likely slip; `note`: good to know. */
  readonly severity: 'error' | 'warning' | 'note';
  /** What is wrong in the files as they are; a site need not be open. */
  run(content: Pick<Batch, 'entries' | 'blobs'>): Iterable<CheckFinding>;
}

export interface CheckFinding {
  readonly path: string;
  /** Leads to the value that is meant; absent: the file as a whole. */
  readonly keys?: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
  /** What `--fix` writes there, where that needs nobody's judgement; undefined takes the key out. */
  readonly fix?: { readonly keys: readonly (string | number)[]; readonly value: string | number | false | undefined };
}

/**
 * A folder of YAML files, each one record: its id, its slug (the name of the file, if not said) and its fields. Table, indexes, codec,
 * JSON Schema and checks follow from it.
 */
export interface Collection {
  /** Of the folder and the table: `moods`. */
  readonly name: string;
  /** What one of them is called. */
  readonly title: string;
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly fields: Fields<any, any>;
}

/** What every record of a collection has. */
export interface CollectionRecord {
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
}

export interface Job {
  readonly name: string;
  /** Begins the work. @returns what ends it: resolves when what was begun is done */
  start(site: Site): () => void | Promise<void>;
}
