/**
 * One look at every body: its blocks, where its links lead, which media it uses.
 */
import { uploadsRoot } from '../kernel/store/paths.ts';
import type { PostRecord } from '../modules/content/posts/record.ts';
import { logicalPath } from '../kernel/model/logical-path.ts';
import type { Declarations } from './declarations.ts';
import type { FolderAddresses } from './addresses.ts';
import { checkBlocks, mayHaveBlocks, type BodyRemark } from './blocks.ts';
import { type Finding, type Fix, say } from './finding.ts';
import { didYouMean } from '../kernel/model/remark.ts';
import { type BodyLink, linksIn } from '../render/body-links.ts';
import type { Library } from './media.ts';
import { markdownForms } from './markdown-forms.ts';
import { codeIn } from '../render/body-ranges.ts';
import type { Index } from './references.ts';
import { checkRelative, type Surroundings, wikiLinks } from './relative-links.ts';
import type { ParsedFile } from './parsed-file.ts';

interface Around {
  readonly model: Declarations;
  readonly index: Index;
  readonly addresses: FolderAddresses;
  readonly media: Library;
  readonly surroundings: Surroundings;
}

export function checkBodies(
  parsedFiles: readonly ParsedFile[],
  { model, index, addresses, media, surroundings }: Around,
): Finding[] {
  const parts = new Set(
    parsedFiles.flatMap(({ kind, of, slug }) => (kind === 'post' && of === 'cms_template_part' ? [slug] : [])),
  );
  const isPublic = new Set(model.statuses.filter((status) => status.public).map(({ name }) => name));
  return parsedFiles.flatMap((parsedFile): Finding[] => {
    const { kind, entry } = parsedFile;
    if (entry.body === '' || (kind !== 'post' && kind !== 'comment' && kind !== 'design')) return [];
    const form = entry.kind === 'md' ? 'md' : 'html';
    const spots: (BodyRemark & { readonly fix?: Fix })[] = [];
    const code = form === 'md' && mayHaveBlocks(entry.body) ? codeIn(entry.body) : undefined;
    if (kind !== 'comment') {
      spots.push(
        ...checkBlocks(entry.body, code ?? [], ({ delimiter, attributes }) => {
          const missing = missingOf(delimiter.name, attributes);
          if (missing) spots.push({ at: delimiter.start, length: delimiter.end - delimiter.start, ...missing });
        }),
      );
    }
    const seen = isSeen(parsedFile);
    const own = addresses.at(logicalPath(entry.path))?.address ?? null;
    for (const link of linksIn(entry.body, form, addresses.hosts, code)) {
      spots.push(...checkLink(link, seen));
      const relative = kind === 'comment' ? null : checkRelative(link, entry.path, own, surroundings);
      if (relative) spots.push({ at: link.at, length: link.length, ...relative });
    }
    if (form === 'md' && kind !== 'comment') spots.push(...wikiLinks(entry.body, surroundings), ...markdownForms(entry.body));
    return spots.map((spot) => ({ path: entry.path, keys: [], ...spot }));
  });

  /** What a block names by id or slug and is not there; ids of media are noted as used. */
  function missingOf(name: string, attributes: Readonly<Record<string, unknown>>) {
    const { ref, slug, theme } = attributes;
    for (const key of ['id', 'mediaId', 'ids']) {
      const ids = attributes[key];
      if (typeof ids === 'number') media.use(ids);
      else if (Array.isArray(ids)) for (const id of ids) if (typeof id === 'number') media.use(id);
    }
    const type = name === 'core/block' ? 'cms_block' : name === 'core/navigation' ? 'cms_navigation' : undefined;
    if (type !== undefined && typeof ref === 'number' && !index.hasItem(ref, type)) {
      return say('unknown-reference', `block ${name} shows item ${ref}, which does not exist`);
    }
    if (name !== 'core/template-part' || typeof slug !== 'string' || theme !== undefined || parts.has(slug)) return null;
    return say(
      'unknown-reference',
      `there is no template part ${JSON.stringify(slug)}`,
      `template-parts/${slug}.html would be it`,
    );
  }

  function checkLink(link: BodyLink, seen: boolean): (BodyRemark & { readonly fix?: Fix })[] {
    const { at, length, address, raw } = link;
    const own = addresses.own(address);
    if (own === null || address.includes('{{')) return [];
    const { path, query } = own;
    if (path.startsWith(`${uploadsRoot}/`)) {
      const fault = media.missing(path.slice(uploadsRoot.length + 1));
      return fault ? [{ at, length, ...fault }] : [];
    }
    const found = addresses.find(path, query);
    if (found.kind === 'unknown') {
      return [
        {
          at,
          length,
          ...say('broken-link', `nothing is at ${query === '' ? path : `${path}?${query}`}`, didYouMean(found.near)),
        },
      ];
    }
    if (found.kind === 'hidden') {
      return seen ? [{ at, length, ...say('unpublished-link', `${found.path} ${found.why}: readers cannot see it`) }] : [];
    }
    if (found.kind === 'there') return [];
    const { to } = found;
    const offset = raw.indexOf(path, raw.startsWith('/') ? 0 : raw.indexOf('//') + 2);
    const remark = say(
      'former-address',
      `${path} is a former address of ${found.path}`,
      to === null ? undefined : `it is at ${to} now`,
    );
    const canFix = to !== null && offset !== -1 && /^[\w/.%-]*$/.test(to);
    return [
      { at, length, ...remark, ...(canFix ? { fix: { kind: 'text', at: at + offset, length: path.length, text: to } } : {}) },
    ];
  }

  /** Whether readers see the text. */
  function isSeen({ kind, draft }: ParsedFile): boolean {
    return kind === 'post' && isPublic.has((draft as Partial<PostRecord>).status ?? '');
  }
}
