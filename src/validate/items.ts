/**
 * What single items say of themselves: slugs, dates, keys, custom fields, an empty text, a password.
 */
import { logicalPath } from '../kernel/model/logical-path.ts';
import { isSiteAddress } from '../modules/content/permalinks/record.ts';
import type { FolderAddresses } from './addresses.ts';
import { type Fields, fileKeys } from '../kernel/model/field.ts';
import { isMap, mapOf } from '../kernel/model/maps.ts';
import { topLevelNames, underMeta } from '../modules/types/top-level-fields.ts';
import { isKnownName } from '../modules/content/front-matter/record.ts';
import { hidingKey, isPageless, statusAt } from '../modules/content/posts/stated-status.ts';
import { isNoSlug, type PostRecord } from '../modules/content/posts/record.ts';
import { slugify } from '../kernel/model/slugs.ts';
import type { TermRecord } from '../modules/content/terms/record.ts';
import { typedValue } from '../kernel/model/typed-value.ts';
import { literalMarkersKey } from '../kernel/yaml/codec.ts';
import { nearest } from '../kernel/model/spelling.ts';
import type { Declarations } from './declarations.ts';
import { designKeys } from './design.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean } from '../kernel/model/remark.ts';
import type { ParsedFile } from './parsed-file.ts';
import { faultOf } from '../kernel/model/value-fault.ts';
import { isDraft } from '../modules/types/record.ts';

/** Slugs in their own form, and one item for each within its type, parent or taxonomy. Drafts may share a slug until published. */
export function checkSlugs(parsedFiles: readonly ParsedFile[], { statuses, types, modules }: Declarations): Finding[] {
  const findings: Finding[] = [];
  const holders = new Map<string, string>();
  const names = new Map(types.map(({ name, extensionNames }) => [name, extensionNames]));
  const free = new Set(statuses.filter(({ name, internal }) => internal || isDraft(statuses, name)).map(({ name }) => name));
  for (const { entry, slug, scope, draft, kind, of } of parsedFiles) {
    if (scope === null) continue;
    const { path, data } = entry;
    const isText = typeof data.slug !== 'object';
    const said = isNoSlug(data.slug) || !isText ? null : String(data.slug);
    if (!isText && data.slug !== null) {
      const hint = slug === '' ? undefined : `write ${slug}, or remove the key`;
      findings.push({ path, keys: ['slug'], ...say('slug-form', 'slug must be a text', hint) });
      continue;
    }
    if (said !== null && slugify(said) !== said) {
      const usable = slugify(said) || slug;
      const hint = usable === '' ? undefined : `write ${usable}`;
      findings.push({
        path,
        keys: ['slug'],
        ...say('slug-form', `${JSON.stringify(said)} cannot be a part of an address`, hint),
      });
    }
    const isEmpty = Object.hasOwn(data, 'slug') && slugify(said ?? '') === '' && slug !== '';
    if (isEmpty && (said === null || slugify(said) === said))
      findings.push({
        path,
        keys: ['slug'],
        ...say('slug-empty', 'slug is empty', `write ${slug}, as it is read, or remove the key`),
      });
    if (slug === '' || free.has((draft as Partial<PostRecord>).status ?? '')) continue;
    const extended = kind === 'post' ? (names.get(of) ?? [of]) : kind === 'menu' ? [of, 'term'] : [];
    const peers = extended.length > 0 ? modules.extension(extended).peerGroup(draft) : '';
    const key = `${scope}:${slug}:${peers}`;
    const holder = holders.get(key);
    holders.set(key, holder ?? path);
    if (holder === undefined) continue;
    const hint = said === null ? 'rename this file, or write another slug: into it' : 'write another slug';
    const remark = say('duplicate-slug', `slug ${JSON.stringify(slug)} is already used by ${holder}`, hint);
    findings.push({ path, keys: said === null ? [] : ['slug'], ...remark });
  }
  return findings;
}

/** Items at addresses that the site itself answers. */
export function checkSiteAddresses(parsedFiles: readonly ParsedFile[], addresses: Pick<FolderAddresses, 'at'>): Finding[] {
  return parsedFiles.flatMap(({ kind, entry: { path, data } }): Finding[] => {
    const { address, segment = '' } = (kind === 'post' && addresses.at(logicalPath(path))) || { address: null };
    if (address === null || !isSiteAddress(address.slice(segment.length))) return [];
    const remark = say('site-address', `the site itself answers ${address}, so nobody meets this item`, 'write another slug');
    return [{ path, keys: data.slug === undefined || data.slug === null ? [] : ['slug'], ...remark }];
  });
}

export function checkDates(parsedFiles: readonly ParsedFile[], nowGmt: string): Finding[] {
  const findings: Finding[] = [];
  for (const { entry, kind, draft } of parsedFiles) {
    if (kind !== 'post') continue;
    const { path, data } = entry;
    const { status, date, dateGmt, modified } = draft as Partial<PostRecord>;
    if (status === 'publish' && dateGmt && statusAt(dateGmt, nowGmt) === 'future') {
      const message = 'published, but with a date to come: it is served as scheduled until then';
      findings.push({ path, keys: ['date'], ...say('future-date', message, 'write status: future, if that is intended') });
    }
    if (data.modified !== undefined && date && modified && modified < date && status !== 'future') {
      const remark = say('modified-before-date', `modified before its date (${date})`, 'check which of the two is wrong');
      findings.push({ path, keys: ['modified'], ...remark });
    }
  }
  return findings;
}

/** Keys that look like a known one. Others are their author's own and stay without comment. */
export function checkKeys(parsedFiles: readonly ParsedFile[]): Finding[] {
  const known = new Map<unknown, readonly string[]>();
  return parsedFiles.flatMap((parsedFile): Finding[] => {
    const { kind, of, fields, entry } = parsedFile;
    if (fields === null && kind !== 'design') return [];
    const keys = known.get(fields ?? of) ?? keysOf(parsedFile);
    known.set(fields ?? of, keys);
    return Object.keys(entry.data).flatMap((key): Finding[] => {
      if (keys.includes(key) || (kind === 'post' && (isKnownName(key) || hidingKey(key) !== undefined || isPageless(key))))
        return [];
      const at = { path: entry.path, keys: [key], onKey: true } as const;
      if (kind === 'user' && accountKeys.has(key)) {
        const hint = 'accounts are kept outside the content folder; see cms user --help';
        return [{ ...at, ...say('private-key', `${key} has no effect in a public profile`, hint) }];
      }
      if (kind === 'comment' && commenterKeys.has(key)) {
        const hint = 'the server keeps what is personal in .cms/private';
        return [{ ...at, ...say('private-key', `${key} has no effect in a file that everyone may see`, hint) }];
      }
      if (kind === 'post' && key === 'taxonomies' && isMap(entry.data[key]))
        return [
          {
            ...at,
            ...say('unknown-key', 'terms below taxonomies: are not read', 'write tags: and categories: at the top level'),
          },
        ];
      const meant = nearest(
        key,
        keys.filter((one) => !Object.hasOwn(entry.data, one)),
      );
      return meant === undefined
        ? []
        : [{ ...at, ...say('unknown-key', `unknown key ${JSON.stringify(key)}`, didYouMean(meant)) }];
    });
  });
}

/** Custom fields against what `site.yaml` declares of them. */
export function checkMeta(parsedFiles: readonly ParsedFile[], { meta }: Declarations): Finding[] {
  return parsedFiles.flatMap(({ kind, of, fields, entry: { path, data } }): Finding[] => {
    const schemas = meta[kind === 'user' || kind === 'comment' ? kind : of] ?? {};
    const names = topLevelNames(fields ?? {}, of);
    const beside = Object.keys(data).filter((key) => names.has(key));
    const stored = underMeta(data, names).data.meta;
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return [];
    return Object.entries(stored).flatMap(([key, value]): Finding[] => {
      const keys = beside.includes(key) && !Object.hasOwn(mapOf(data.meta), key) ? [key] : ['meta', key];
      const schema = Object.hasOwn(schemas, key) ? schemas[key] : undefined;
      if (schema !== undefined) {
        const fault = value === null ? null : faultOf(key, schema, typedValue(schema, value) ?? value);
        return fault ? [{ path, keys, ...fault, rule: `field:meta.${key}` }] : [];
      }
      const meant = nearest(
        key,
        Object.keys(schemas).filter((one) => !Object.hasOwn(stored, one)),
      );
      if (meant === undefined) return [];
      return [{ path, keys, ...say('unknown-key', `unknown custom field ${JSON.stringify(key)}`, didYouMean(meant)) }];
    });
  });
}

/** Published items without a text, and passwords that everyone with the repository can read. */
export function checkTexts(parsedFiles: readonly ParsedFile[], { types }: Declarations): Finding[] {
  const read = new Set(types.filter(({ viewable, supports }) => viewable && 'editor' in supports).map(({ name }) => name));
  return parsedFiles.flatMap(({ kind, of, draft, entry: { path, body, data } }): Finding[] => {
    if (kind !== 'post') return [];
    const { password, status } = draft as Partial<PostRecord>;
    return [
      ...(read.has(of) && status === 'publish' && body.length < 1000 && body.trim() === '' && data.template === undefined
        ? [{ path, keys: [], ...say('empty-body', 'is published and has no text') }]
        : []),
      ...(password
        ? [{ path, keys: ['password'], ...say('plain-password', 'everyone with the repository can read this password') }]
        : []),
    ];
  });
}

function keysOf({ kind, of, fields }: ParsedFile): readonly string[] {
  if (fields === null) return designKeys(of);
  return [
    ...fileKeys(fields as Fields<TermRecord, never>),
    ...topLevelNames(fields as Fields<never, never>, of),
    ...(kind === 'post' || kind === 'comment' ? [literalMarkersKey] : []),
  ];
}

const accountKeys = new Set(['login', 'email', 'password', 'role', 'roles', 'capabilities']);
const commenterKeys = new Set(['email', 'ip', 'agent']);
