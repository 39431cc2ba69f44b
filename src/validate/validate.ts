/**
 * What a person should know about a content folder: files and their names, values, ids, slugs, references, dates, settings,
 * menus, comments, media, blocks and links. Pure: nothing is made or written, and every field is judged by its own declaration,
 * the one that the server reads it with. What may be said is in `validate/rules.ts`.
 */
import { now } from '../kernel/model/dates.ts';
import { mediaFolder, uploadOf } from '../kernel/store/paths.ts';
import { createRedirects } from '../modules/content/permalinks/redirects.ts';
import type { Check } from '../kernel/module.ts';
import type { Entry } from '../kernel/store/types.ts';
import { mimeOf } from '../modules/media/files/types.ts';
import { wikiKey } from '../modules/content/relative-links/record.ts';
import { placeBelow } from '../modules/types/record.ts';
import type { Contest } from '../kernel/site/claims.ts';
import { rankClaimants } from '../kernel/site/identity.ts';
import type { Site } from '../kernel/site/site.ts';
import { addressesOn, createAddresses } from './addresses.ts';
import { checkBodies } from './bodies.ts';
import { checkActive } from './active.ts';
import { checkComments } from './comments.ts';
import { checkDesign } from './design.ts';
import { createSpeller, type Finding } from './finding.ts';
import type { OfferedNames } from './file-schemas.ts';
import { checkIds, contestsOf } from './ids.ts';
import { checkFrontMatter } from './front-matter.ts';
import { checkDates, checkKeys, checkMeta, checkSiteAddresses, checkSlugs, checkTexts } from './items.ts';
import { checkLostAddresses, checkTakenAliases, type FolderState } from './lost-addresses.ts';
import { checkMedia, checkPictures, createLibrary } from './media.ts';
import { checkMenus } from './menus.ts';
import { checkStatuses } from './status.ts';
import { checkTemplates, ownTemplates } from './templates.ts';
import { checkNames } from './names.ts';
import { checkRedirects } from './redirects.ts';
import { checkReferences, createIndex, type NamedPerson } from './references.ts';
import { type RepairPlan, planRepairs } from './repairs.ts';
import { liveFiles, liveIndex, liveLibrary } from './live-site.ts';
import { surroundingsIn, surroundingsOf, wikiNames } from './surroundings.ts';
import { checkCommits, checkSettings, settingsOf, siteFileOf, zoneOf } from './settings.ts';
import { readParsedFiles, type ParsedFile } from './parsed-file.ts';
import type { Content, Declarations } from './declarations.ts';

export interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly clock: number;
  /** People with an account, who may be authors without a file. */
  readonly people?: readonly NamedPerson[];
  /** Highest ids given so far, by number space (`posts`, `terms`, `users`, `comments`). */
  readonly sequences?: Readonly<Record<string, number>>;
  /** Files that have one id, by space and id, the one that keeps it first. Absent: by their names and times. */
  readonly keepers?: readonly Contest[];
  /** The first bytes of a media file, `headBytes` of them (`media-files/types.ts`); null when it has gone. Absent: not looked at. */
  readonly head?: (path: string) => Uint8Array | null;
  /** The text of a template; null when it has gone. Absent: they are not looked at. */
  readonly template?: (path: string) => string | null;
  /** Files of the last commit that have addresses or decide them; null, absent: there is none. */
  readonly committed?: readonly Entry[] | null;
  /** Whether the folder is in a git repository. Absent: it is not looked at. */
  readonly isInRepository?: boolean;
}

/** Everything there is to say about readable files, by path; of one rule and file not more than 50. Cost: linear in their bytes. */
export function validate(content: Content, model: Declarations, circumstances: Circumstances): Finding[] {
  return capped(look(content, model, circumstances).findings);
}

/** Of one file of a site in service, without a look at the others. */
export function validateFile(site: Site, entries: readonly Entry[], model: Declarations): Finding[] {
  const zone = String(site.settings.value('timezone'));
  const nowGmt = now(zone, site.clock()).gmt;
  const { parsedFiles, findings } = readParsedFiles({ entries, blobs: [] }, model, zone);
  const index = liveIndex(site);
  const addresses = addressesOn(liveFiles(site), () => undefined);
  return capped([
    ...findings,
    ...checkNames(entries.map(({ path }) => path)),
    ...checkSiteAddresses(parsedFiles, addresses),
    ...checkReferences(parsedFiles, index),
    ...checkDates(parsedFiles, nowGmt),
    ...checkStatuses(parsedFiles, model, nowGmt, zone),
    ...checkKeys(parsedFiles),
    ...checkMeta(parsedFiles, model),
    ...checkTexts(parsedFiles, model),
    ...checkFrontMatter(parsedFiles),
    ...checkBodies(parsedFiles, { model, index, addresses, media: liveLibrary(site), surroundings: surroundingsIn(site) }),
  ]);
}

/** What can be put right without asking, of what `validate` finds. */
export function repair(content: Content, model: Declarations, circumstances: Circumstances): RepairPlan {
  const { findings, parsedFiles } = look(content, model, circumstances);
  const { people = [], sequences = {} } = circumstances;
  const users = people.reduce((highest, { id }) => Math.max(highest, id), sequences.users ?? 0);
  return planRepairs(findings, parsedFiles, { ...sequences, users });
}

function look(
  content: Content,
  model: Declarations,
  { clock, people = [], head, template, keepers, committed = null, isInRepository = true }: Circumstances,
): { readonly findings: Finding[]; readonly parsedFiles: readonly ParsedFile[] } {
  const zone = zoneOf(content);
  const settings = settingsOf(content);
  const nowGmt = now(zone, clock).gmt;
  const spell = createSpeller();
  const { parsedFiles, findings } = readParsedFiles(content, model, zone);
  const index = createIndex(content, parsedFiles, model, people, spell);
  const redirects = createRedirects();
  redirects.take({ ...content, removed: [], problems: [] });
  const entry = siteFileOf(content);
  const addresses = createAddresses({ parsedFiles, model, entry, zone, nowGmt, spell, redirects, people });
  const isServed = (path: string): boolean => path.startsWith(mediaFolder) || model.paths.find(`${path}.yaml`) !== undefined;
  const shown = { ...content, blobs: content.blobs.filter(({ path }) => isServed(path)) };
  const wiki = settings[wikiKey] === true ? wikiNames(parsedFiles, shown.blobs) : null;
  const media = createLibrary(shown, parsedFiles, spell);
  const paths = [...content.entries, ...content.blobs].map(({ path }) => path);
  const found = [
    findings,
    checkNames([...paths, ...(content.others ?? [])]),
    checkSettings(content, model, index),
    isInRepository ? [] : checkCommits(content),
    checkRedirects(content, addresses),
    checkTakenAliases({ parsedFiles, addresses }, new Map(redirects.all().map(({ key, to }) => [key, to]))),
    committed ? checkLostAddresses({ parsedFiles, addresses }, stateOf(committed, model, nowGmt)) : [],
    checkIds(parsedFiles, ranked(parsedFiles, keepers)),
    checkSlugs(parsedFiles, model),
    checkSiteAddresses(parsedFiles, addresses),
    checkReferences(parsedFiles, index),
    checkDates(parsedFiles, nowGmt),
    checkStatuses(parsedFiles, model, nowGmt, zone),
    checkKeys(parsedFiles),
    checkMeta(parsedFiles, model),
    checkTexts(parsedFiles, model),
    checkFrontMatter(parsedFiles),
    checkActive(content),
    checkMenus(parsedFiles, { model, index, settings, addresses, media, templates: ownTemplates(content, settings, template) }),
    checkComments(parsedFiles, index),
    checkDesign(parsedFiles),
    checkTemplates(content, template),
    checkMedia(shown, parsedFiles, head),
    checkPictures(parsedFiles),
    checkBodies(parsedFiles, {
      model,
      index,
      addresses,
      media,
      surroundings: surroundingsOf(content, addresses, isServed, wiki),
    }),
    media.unused(),
    ...model.modules.checks.map((check) => checked(check, content)),
  ].flat();
  return { findings: found.sort((a, b) => compare(a.path, b.path)), parsedFiles };
}

/** What a module finds. */
function checked({ rule, severity, run }: Check, content: Content): Finding[] {
  return Array.from(run(content), ({ path, keys = [], message, hint, fix }) => ({
    ...{ path, keys, severity, rule, message },
    ...(hint === undefined ? {} : { hint }),
    ...(fix === undefined ? {} : { fix: { kind: 'value' as const, ...fix } }),
  }));
}

/** Ids that several files have, in no order. */
export function contested(content: Content, model: Declarations): readonly Contest[] {
  return contestsOf(readParsedFiles(content, model, zoneOf(content)).parsedFiles);
}

/** With the file that keeps the id first. */
function ranked(parsedFiles: readonly ParsedFile[], known: readonly Contest[] = []): readonly Contest[] {
  const byId = new Map(known.map((contest) => [`${contest.space}:${contest.id}`, contest]));
  const times = new Map(parsedFiles.map(({ entry: { path, mtimeMs } }) => [path, mtimeMs]));
  return contestsOf(parsedFiles).map((contest): Contest => {
    const { space, id } = contest;
    const order = byId.get(`${space}:${id}`)?.paths ?? [];
    const paths = rankClaimants(contest.paths.map((path) => ({ path, mtimeMs: times.get(path) ?? 0 }))).map(({ path }) => path);
    return { space, id, paths: order.every((path) => paths.includes(path)) ? [...new Set([...order, ...paths])] : paths };
  });
}

/** Items and addresses of another state of the folder. */
function stateOf(entries: readonly Entry[], model: Declarations, nowGmt: string): FolderState {
  const content: Content = { entries, blobs: [] };
  const zone = zoneOf(content);
  const { parsedFiles } = readParsedFiles(content, model, zone);
  const entry = siteFileOf(content);
  return {
    parsedFiles,
    addresses: createAddresses({ parsedFiles, model, entry, zone, nowGmt, spell: () => undefined, redirects: createRedirects() }),
  };
}

/** The names by which files of the folder may refer to what is there. */
export function namesIn(content: Content, model: Declarations): OfferedNames {
  const { parsedFiles } = readParsedFiles(content, model, zoneOf(content));
  const types = new Map(model.types.map((type) => [type.name, type]));
  const originals = content.blobs.map(({ path }) => uploadOf(path));
  return (target) => {
    if (target.kind === 'post' && target.type === 'attachment') return originals.filter((path) => mimeOf(path) !== null).sort();
    const found = parsedFiles.flatMap(({ kind, of, slug, entry: { path } }): string[] => {
      if (target.kind === 'post')
        return kind === 'post' && of === target.type ? [placeBelow(types.get(of), path) ?? []].flat() : [];
      if (target.kind === 'user') return kind === 'user' ? [slug] : [];
      return kind === 'term' && of === target.taxonomy ? [slug] : [];
    });
    return [...new Set(found)].sort();
  };
}

const most = 50;

/** A file can be all mistakes: of each rule the first ones are enough. */
function capped(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return findings.flatMap((finding): Finding[] => {
    const key = `${finding.rule} ${finding.path}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) return [];
    return [
      count < most
        ? finding
        : { ...finding, hint: `there may be more: of one kind, only the first ${most} are shown for each file` },
    ];
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
