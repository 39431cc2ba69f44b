/**
 * What modules do beside making records of files: when the site opens, when files come and go, when it closes. Whatever several of
 * them do at one moment, they do in the order of the list of modules.
 */
import type { References } from '../model/field.ts';
import type { Batch, DocumentEdit, Entry, FileChange, ModuleMessage, Problem, Write } from '../store/types.ts';
import type { RecordCache } from './record-cache.ts';
import type { Replicated } from './replicated.ts';
import type { Highest } from '../store/taken-ids.ts';
import {
  type Authenticator,
  type AuthenticatorOptions,
  type FormTaker,
  type Page,
  type ServedFiles,
  type Visit,
  visitorsOnly,
} from './serving.ts';
import type { PlanningSite, Audience, Site } from './site.ts';

/** What a module sets up: what others call by `site.…`, how files name its records, and what it does when. */
export interface Service {
  /** Properties of the site, declared where their types are. */
  readonly site?: Partial<Site>;
  readonly refs?: Partial<References>;
  /** Before the first file is read. */
  beforeLoad?(): void;
  /** Memory holds the folder. */
  afterLoad?(loaded: Loaded): void | Promise<void>;
  /** Others have changed these files, and memory does not follow them yet. */
  beforeExternal?(batch: Batch): AfterExternal | Promise<AfterExternal>;
  /** Before any id is given out: those that stand inside of files. */
  announce?(batch: Batch): void;
  /** Files of a batch that say no date and get one from the module, beside those whose kinds say so. */
  undated?(batch: Batch): readonly string[];
  /** The batch as kinds are to read it. */
  beforeIngest?(batch: Batch): Batch;
  /** What is to be written into a file that lacks something, with what the module adds. */
  amend?(write: Write): Write;
  /** Files to be read once more, now that all of the batch is in memory. */
  waiting?(): readonly Entry[];
  /** Memory has followed a batch. @returns what is to be written into files, joined with `writes` */
  afterIngest?(batch: Batch, writes: readonly FileChange[]): readonly FileChange[];
  /** Changes of other files that these make necessary. */
  follow?(changes: readonly FileChange[]): readonly FileChange[];
  /** Items inside of files that state the ids of others. */
  readonly inner?: InnerContests;
  /** What cached records depend on beside files; anything that JSON can print. */
  basis?(): unknown;
  /** A write that somebody asked for is about to reach the disk, and nobody else writes its files. Null: it does not matter. */
  beforeWrite?(changes: readonly FileChange[]): Announced | Promise<Announced> | null;
  problems?(): readonly Problem[];
  /** What answers hold, as this site lets it out. */
  outgoing?(data: unknown, reader: Audience): unknown;
  /** What the server shows at an address outside the interface; null: nothing of this module. */
  page?(url: string, visit: Visit): Promise<Page | null>;
  /** Who takes what is sent by POST to an address outside the interface; null: nobody of this module. */
  form?(url: string): FormTaker | null;
  readonly files?: ServedFiles;
  authenticator?(options: AuthenticatorOptions): Authenticator;
  readonly replicated?: Replicated;
  close?(): Promise<void>;
}

/** What is called when a write that was announced has ended. */
export interface Announced {
  /** Where several nodes serve the content: what is stored in the same commit. */
  readonly documents?: readonly DocumentEdit[];
  /** Where several workers do: what they are told together with the commit. */
  readonly messages?: readonly ModuleMessage[];
  /** Its files are durable and memory follows; the answer waits for it. */
  written(): void | Promise<void>;
  /** It was given up, or a fault of the disk has left it half done. Never throws. */
  refused(error: unknown): void | Promise<void>;
}

/** Once memory follows. @returns files to be written */
export type AfterExternal = () => readonly FileChange[];

interface Loaded {
  readonly batch: Batch;
  /** What the last process has left; null: nothing that can be used. */
  readonly cached: RecordCache | null;
  /** How many records come from there. */
  readonly restored: number;
}

export interface InnerContests {
  /** Files with items whose ids are those of others; these items are not served. */
  contests(): readonly string[];
  /** Gives those items ids of their own. @returns the files they are to be written into */
  part(): { readonly writes: readonly Write[]; readonly renumbered: readonly { path: string; said: number; id: number }[] };
}

/** What modules may ask of the kernel while they set up, and keep for later. */
export interface SiteKernel {
  /** Takes lines for whoever runs the site. */
  readonly log: (line: string) => void;
  /** `site.yaml` as it was when the site was opened. */
  readonly entry: Entry | undefined;
  /** The site, for hooks whose changes are planned: those of reading files, and those that follow from a write. */
  readonly planning: PlanningSite;
  /** Site time of a file that says none: what its path says, or git, else the present. */
  dateOf(path: string, mtimeMs: number): string;
  /** An id is in use. */
  seeId(space: string, id: number): void;
  /** Nothing up to these is given out. */
  raiseIds(highest: Highest): void;
  /** Takes the file of something that is named and has none. */
  make(change: FileChange): void;
  /** Reading a file did more than give a record: it has to be read to have that again. */
  noteEffect(): void;
}

/** The hooks of all modules as one. */
export type Hooks = ReturnType<typeof composeHooks>;

export function composeHooks(services: readonly Service[]) {
  const having = <K extends keyof Service>(name: K) =>
    services.filter((service): service is Service & Required<Pick<Service, K>> => service[name] !== undefined);
  const [announcing, preparing, amending, finishing] = [
    having('announce'),
    having('beforeIngest'),
    having('amend'),
    having('afterIngest'),
  ];
  const [watching, following, showing] = [having('beforeExternal'), having('follow'), having('outgoing')];
  const [told, dating, rereading] = [having('beforeWrite'), having('undated'), having('waiting')];
  return {
    inner: having('inner').map(({ inner }) => inner),
    files: having('files').map(({ files }) => files),
    replicated: having('replicated').map(({ replicated }) => replicated),
    beforeLoad(): void {
      for (const service of having('beforeLoad')) service.beforeLoad();
    },
    async afterLoad(loaded: Loaded): Promise<void> {
      for (const service of having('afterLoad')) await service.afterLoad(loaded);
    },
    /** Resolves at once (not a promise) unless a module has to look for long. */
    beforeExternal(batch: Batch): readonly AfterExternal[] | Promise<readonly AfterExternal[]> {
      const found = watching.map((service) => service.beforeExternal(batch));
      return found.some((one) => one instanceof Promise) ? Promise.all(found) : (found as AfterExternal[]);
    },
    beforeWrite(changes: readonly FileChange[]): Promise<readonly Announced[]> | null {
      const found = told.flatMap((service) => service.beforeWrite(changes) ?? []);
      return found.length === 0 ? null : Promise.all(found);
    },
    announce(batch: Batch): void {
      for (const service of announcing) service.announce(batch);
    },
    undated: (batch: Batch) => dating.flatMap((service) => service.undated(batch)),
    beforeIngest: (batch: Batch) => preparing.reduce((given, service) => service.beforeIngest(given), batch),
    amend: (write: Write) => amending.reduce((given, service) => service.amend(given), write),
    waiting: () => rereading.flatMap((service) => service.waiting()),
    afterIngest: (batch: Batch, writes: readonly FileChange[]) =>
      finishing.reduce((given, service) => service.afterIngest(batch, given), writes),
    follow: (changes: readonly FileChange[]) => following.flatMap((service) => service.follow(changes)),
    basis: () => having('basis').map((service) => service.basis()),
    outgoing:
      showing.length === 0
        ? null
        : (data: unknown, reader: Audience) => showing.reduce((given, service) => service.outgoing(given, reader), data),
    problems: () => having('problems').flatMap((service) => service.problems()),
    async page(url: string, visit: Visit): Promise<Page | null> {
      for (const service of having('page')) {
        const page = await service.page(url, visit);
        if (page) return page;
      }
      return null;
    },
    form: (url: string): FormTaker | null => having('form').flatMap((service) => service.form(url) ?? [])[0] ?? null,
    authenticator: (options: AuthenticatorOptions): Authenticator =>
      having('authenticator')[0]?.authenticator(options) ?? visitorsOnly,
    async close(): Promise<void> {
      for (const service of having('close')) await service.close();
    },
  };
}
