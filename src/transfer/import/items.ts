/**
 * What moves between systems, in nobody's format: an importer gives a stream of these, the import makes files of them.
 *
 * Things name one another by keys of the source, never by ids of the site: an id is a preference (`id`), kept where it is free.
 * Names of types, taxonomies and meta are the neutral ones; importers translate (`kernel/rest/dialect.ts`).
 */
import type { CommentStatus } from '../../modules/comments/record.ts';
import type { ItemType } from '../../modules/menus/menu-tree.ts';

/** Where something stands in its source, for reports. */
export interface Place {
  /** File, below the source, or address. */
  readonly source: string;
  /** From 1, where the source is text. */
  readonly line?: number;
  readonly column?: number;
}

/** Something the user should know about one item; the import adds its own. */
export interface ImportRemark {
  /** `lost`: the site does not hold it; `changed`: it holds it otherwise than the source had it; `note`: good to know. */
  readonly severity: 'lost' | 'changed' | 'note';
  /** Stable word for scripts: `unknown-type`, `unreadable-date`, … */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  /** Something of the source could not be read. The import goes on, and fails in the end. */
  readonly unreadable?: true;
}

interface Common {
  readonly place: Place;
  /** What the importer had to leave out or change. */
  readonly remarks?: readonly ImportRemark[];
}

interface Keyed extends Common {
  /** Identity within the source and the kind; the same in every run. */
  readonly key: string;
  /** The id it had; kept where it is free. */
  readonly id?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Front matter that no field of ours takes; fields of modules take theirs of it, the rest is kept as it is. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The language of an item, where its source has several. */
export interface ItemLanguage {
  /** `de`, in small letters. */
  readonly code: string;
  /** What is one item in several languages has this in common, within a type or taxonomy; '' for one that is alone. */
  readonly group: string;
  /** Key of what it translates, where its source says that; then it has no group. */
  readonly original?: string;
}

/** Languages of a source that tells them apart from its items. */
export interface SourceLanguages {
  readonly known: readonly { readonly code: string; readonly locale: string; readonly name: string }[];
  /** Of terms, by their keys. */
  readonly terms: ReadonlyMap<string, ItemLanguage>;
}

/** Of the whole site; at most one, anywhere in the stream. */
export interface SiteItem extends Common {
  readonly kind: 'site';
  /** Keys of `site.yaml`; used where the site is new. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Other keys of a `site.yaml`; taken where a module of the site declares them. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Addresses the site had, without trailing slash: `https://example.com`. Links to them are made local. */
  readonly addresses: readonly string[];
  /** Addresses under which its files were, without trailing slash: `https://example.com/files`. */
  readonly uploads: readonly string[];
  readonly languages?: SourceLanguages;
  /** The source does not say its time zone: that of the settings, if there is one, fits the dates of its items. */
  readonly isZoneGuessed?: true;
}

/** A type or taxonomy of the source that the site may not know; declared in `site.yaml` when something uses it. */
export interface DeclarationItem extends Common {
  readonly kind: 'type' | 'taxonomy';
  readonly name: string;
  /** As under `types:` or `taxonomies:` of `site.yaml`. */
  readonly declaration: Readonly<Record<string, unknown>>;
}

export interface UserItem extends Keyed {
  readonly kind: 'user';
  /** '' when the source knows none: a public profile without an account. */
  readonly login: string;
  readonly slug: string;
  readonly email?: string;
  readonly name: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly nickname?: string;
  readonly description?: string;
  readonly url?: string;
  readonly roles?: readonly string[];
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly registered?: string;
  /** Address of what they wrote. */
  readonly link?: string;
  /** Nothing but a name in other items: where somebody has it, they stay as they are. */
  readonly standsIn?: true;
}

export interface TermItem extends Keyed {
  readonly kind: 'term';
  readonly taxonomy: string;
  readonly slug: string;
  /** Plain text. */
  readonly name: string;
  readonly description?: string;
  /** Key of a term of the same taxonomy. */
  readonly parent?: string;
  /** Address it had. */
  readonly link?: string;
  /** Menus (`nav_menu`) alone. */
  readonly locations?: readonly string[];
  readonly autoAdd?: boolean;
  readonly language?: ItemLanguage;
  /** As of users. */
  readonly standsIn?: true;
}

/** Bytes of an attachment: where they are, and where they want to be. */
export interface MediaFile {
  /** Path below the uploads, `2026/03/cat.jpg`. */
  readonly path: string;
  /** Where it can be fetched. */
  readonly url?: string;
  /** Absolute path where the source is a folder. */
  readonly file?: string;
  readonly alt?: string;
  /** Key of the picture it was edited from. */
  readonly edited?: string;
}

export interface PostItem extends Keyed {
  readonly kind: 'post';
  readonly type: string;
  readonly slug: string;
  readonly title: string;
  /** In the source scan pass it may be ''. */
  readonly content: string;
  readonly markup: 'html' | 'md';
  /** The title is the first heading of the text, and said nowhere else. */
  readonly isTitledByText?: true;
  readonly excerpt?: string;
  readonly status: string;
  /** Site time and GMT, `YYYY-MM-DDTHH:MM:SS`; one of them is enough, '' or neither: undated. */
  readonly date?: string;
  readonly dateGmt?: string;
  readonly modified?: string;
  readonly modifiedGmt?: string;
  /** Key of a user. */
  readonly author?: string;
  /** Its source has nobody under that key: unless another part of the site does, it is whoever imports it. */
  readonly isUnattributed?: true;
  /** Key of a post (of an attachment: what it belongs to). */
  readonly parent?: string;
  readonly order?: number;
  readonly sticky?: boolean;
  readonly password?: string;
  readonly format?: string;
  readonly template?: string;
  readonly comments?: 'open' | 'closed';
  readonly pings?: 'open' | 'closed';
  readonly guid?: string;
  /** Address it had; links to it are made local. */
  readonly link?: string;
  /** Keys of terms, by taxonomy. */
  readonly terms?: Readonly<Record<string, readonly string[]>>;
  /** Key of an attachment. */
  readonly featuredMedia?: string;
  readonly aliases?: readonly string[];
  /** What a trashed post was. */
  readonly trashed?: { readonly status: string; readonly slug: string };
  /** Attachments alone. */
  readonly media?: MediaFile;
  readonly language?: ItemLanguage;
  /** In place of an item that could not be read, for what is below it: what the folder has already stays. */
  readonly standsIn?: true;
  /** Where its file wants to be, below the content folder and without extension; else by type, date, parent and slug. */
  readonly preferredPath?: string;
}

export interface MenuLinkItem extends Keyed {
  readonly kind: 'menu-link';
  /** Key of a term of `nav_menu`. */
  readonly menu: string;
  /** Key of a menu link. */
  readonly parent?: string;
  readonly order: number;
  readonly itemType: ItemType;
  /** Type or taxonomy; `custom` for a plain address. */
  readonly object: string;
  /** Key of the post or term. */
  readonly target?: string;
  /** Number of a term whose key the source does not know. */
  readonly targetId?: number;
  readonly url?: string;
  /** '' when it shows the title of its target. */
  readonly title: string;
  readonly attrTitle?: string;
  readonly description?: string;
  readonly window?: '_blank' | '';
  readonly classes?: readonly string[];
  readonly xfn?: readonly string[];
  readonly status?: string;
}

export interface CommentItem extends Keyed {
  readonly kind: 'comment';
  /** Key of the post. */
  readonly post: string;
  /** Key of the comment it answers. */
  readonly parent?: string;
  /** Key of the user who wrote it. */
  readonly author?: string;
  readonly name: string;
  readonly url?: string;
  readonly email?: string;
  readonly ip?: string;
  readonly agent?: string;
  readonly date?: string;
  readonly dateGmt?: string;
  readonly content: string;
  readonly status: CommentStatus;
  /** What one in the trash or spam was. */
  readonly was?: CommentStatus;
  /** `comment` when left out. */
  readonly type?: string;
}

/** Something the importer found and could not bring at all. */
export interface LostItem extends Common {
  readonly kind: 'lost';
  /** What it is, for the report: `post type shop_order`. */
  readonly what: string;
  /** How many; without it one. */
  readonly count?: number;
}

export type SourceItem = SiteItem | DeclarationItem | UserItem | TermItem | PostItem | MenuLinkItem | CommentItem | LostItem;

/** Kinds of items that get an id on the site. */
export type ContentKind = (UserItem | TermItem | PostItem | CommentItem | MenuLinkItem)['kind'];

/** What may be left out may be undefined as well. */
type Loose<T> = { readonly [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** An item, or a part of one, without the members that are undefined. */
export function given<T extends object>(values: Loose<T>): T {
  const kept: Partial<Loose<T>> = {};
  for (const key in values) if (values[key] !== undefined) kept[key] = values[key];
  return kept as T;
}

/**
 * A site elsewhere. The import goes through it twice: first to learn what there is (`scan`: bodies may be left out), then to
 * write, and once more where too much came before what it refers to. All passes give the same items with the same keys; their
 * order is free, references may lead forward. In `settings` of the site, what names a page, category or file is its key or id.
 */
export interface Source {
  /** `wxr`, `rest`, `markdown`. */
  readonly format: string;
  /** Identity across runs: an absolute path or an address. */
  readonly name: string;
  /** Dates of its items are what the clock of the site showed, and its addresses are made of them: they stay where the zone is another. */
  readonly hasSiteTime?: boolean;
  /**
   * @param progress  done and all, in whatever the source counts (bytes, items)
   * @throws SourceError where the source cannot be read on
   */
  items(pass: 'scan' | 'write', progress?: (done: number, total: number) => void): AsyncIterable<SourceItem>;
  /** Fetches the bytes of an attachment into a new file of its own. Sources without bytes leave it out. */
  fetch?(media: MediaFile, into: string): Promise<void>;
  close(): Promise<void>;
}

/** The source cannot be read here, or at all. */
export class SourceError extends Error {
  readonly place: Place;
  readonly hint: string | undefined;
  /** All of the source is out of reach, as when the network is gone: no part of it is imported as if it were all. */
  readonly stops: boolean;
  constructor(
    message: string,
    place: Place,
    options: { readonly hint?: string; readonly cause?: unknown; readonly stops?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.place = place;
    this.hint = options.hint;
    this.stops = options.stops ?? false;
  }
}

/**
 * A copy of a text that stays in memory. Parsers hand out parts of their buffers and of whole files, and one small part would keep
 * all of it.
 */
export function detachString(text: string): string {
  if (text.length < 13) return text;
  const coding = /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, coding).toString(coding);
}
