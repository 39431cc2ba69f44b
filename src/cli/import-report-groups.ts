/**
 * The remarks of an import for people: what they have to do, what they should look at, and what they may want to know; each rule in
 * the words of somebody who moves a site. A rule without a row here is told by its severity and its name.
 */
import { table } from '../kernel/model/maps.ts';
import type { ImportReport, Noted } from '../transfer/import/report.ts';

const groups = ['To do', 'Check', 'For the record'] as const;
type Group = (typeof groups)[number];

/** Rule → words; `of`: the group where it is not that of its severity. */
const rules: Readonly<Record<string, { readonly words: string; readonly of?: Group }>> = table({
  'as-visitor': { words: 'Some content is only visible with a password of the old site', of: 'To do' },
  'missing-bytes': { words: 'Files that are not here yet', of: 'To do' },
  'duplicate-item': { words: 'Items that the source has twice' },
  login: { words: 'Accounts with another login' },
  slug: { words: 'Items with another slug' },
  languages: { words: 'Languages that the site does not have' },
  'unknown-language': { words: 'Languages that the site does not have' },
  'other-zone': { words: 'Dates in another time zone than the site' },
  'media-without-file': { words: 'Media without a file' },
  'no-file': { words: 'Media whose file the source does not name' },
  'protected-content': { words: 'Posts behind a password, without their text' },
  'no-content': { words: 'Items without a text' },
  'not-written': { words: 'Files that could not be written' },
  'not-brought': { words: 'Items of a kind that the site does not have' },
  'not-read': { words: 'Files that were skipped' },
  'unknown-reference': { words: 'Links to items that are not in the source', of: 'Check' },
  'menu-target': { words: 'Menu links whose target is not in the source', of: 'Check' },
  'unknown-shortcode': { words: 'Shortcodes that stay in texts as they are', of: 'Check' },
  'unknown-role': { words: 'Roles that the site does not have', of: 'To do' },
  'unknown-setting': { words: 'Settings that have no counterpart' },
  'unknown-status': { words: 'Statuses that the site does not know' },
  'unknown-author': { words: 'Items whose author the source does not have' },
  'guessed-zone': { words: 'The time zone, which the source does not state' },
  'unknown-format': { words: 'Post formats that the site does not know' },
  'operator-setting': { words: 'Settings for whoever runs the server', of: 'To do' },
  redirects: { words: 'Redirects that could not be added' },
  declaration: { words: 'Declarations of site.yaml that make no sense' },
  source: { words: 'The source broke off' },
  refused: { words: 'Content that the old site did not hand over' },
  broken: { words: 'Parts of the source that cannot be read' },
  'wrong-type': { words: 'Responses of the old site that make no sense' },
  'yaml-syntax': { words: 'Front matter that cannot be read' },
  'front-matter': { words: 'Front matter that cannot be read' },
  'broken-link': { words: 'Links that lead nowhere', of: 'Check' },
  template: { words: 'Template code in texts, kept as text', of: 'Check' },
  module: { words: 'Code that was removed from texts' },
  theme: { words: 'Files of the theme, which stay behind' },
  revisions: { words: 'Earlier versions of items, which stay behind' },
  permalink: { words: 'URLs that change' },
  address: { words: 'URLs that change' },
  'unknown-address': { words: 'Items whose old URL is not known', of: 'To do' },
  'no-address': { words: 'Items without a URL of their own, now drafts' },
  'no-field': { words: 'Custom fields that are not declared' },
  'no-menu': { words: 'Menu links without a menu' },
  'menu-address': { words: 'Menu links without a URL' },
  'menu-depth': { words: 'Menus that are nested too deep' },
  'parent-elsewhere': { words: 'Items whose parent is not in the source' },
  'parent-loop': { words: 'Items that are their own parents' },
  'unusable-id': { words: 'Items with a new id' },
  renumbered: { words: 'Items with a new id' },
  'unreadable-date': { words: 'Dates that cannot be read' },
  undated: { words: 'Items without a date' },
  expired: { words: 'Expired items, now drafts' },
  draft: { words: 'Items that are drafts now' },
  unlisted: { words: 'Unlisted items, now private' },
  'inherited-status': { words: 'Items that their folder or the configuration holds back' },
  'held-back': { words: 'Files that the generator passes over, now drafts' },
  'kept-as-markup': { words: 'Texts that stay HTML' },
  'edited-here': { words: 'Files that were edited here and stay as they are' },
  'deleted-here': { words: 'Files that were deleted here and stay away' },
  'found-here': { words: 'Items that the site had already' },
  'made-page': { words: 'Pages that were made for folders' },
  'added-field': { words: 'Fields of plugins, as custom fields' },
  'meta-as-text': { words: 'Custom fields that are text now' },
  'meta-list': { words: 'Custom fields that became lists' },
  'meta-object': { words: 'Custom fields of programs, kept as text' },
  'meta-damaged': { words: 'Damaged custom fields, kept as text' },
  'meta-name': { words: 'Custom fields that cannot have their name' },
  version: { words: 'An export of another version' },
});

export interface GroupedRemarks {
  /** `Shortcodes that stay in texts as they are`. */
  readonly words: string;
  readonly rule: string;
  readonly severity: Noted['severity'];
  /** How often; not all of them need be listed. */
  readonly times: number;
  readonly remarks: readonly Noted[];
}

/** Remarks by group and rule, the groups in their order; empty ones are left out. */
export function groupRemarks({
  remarks,
  rules: times,
}: Pick<ImportReport, 'remarks' | 'rules'>): readonly (readonly [Group, readonly GroupedRemarks[]])[] {
  const byRule = new Map<string, Noted[]>();
  for (const remark of remarks) byRule.set(remark.rule, [...(byRule.get(remark.rule) ?? []), remark]);
  const all = [...byRule].map(([rule, some]): GroupedRemarks & { readonly of: Group } => {
    const { severity } = some[0] as Noted;
    const { words = inWords(rule), of = groupOf(severity) } = rules[rule] ?? {};
    return { words, of, rule, severity, times: times[rule] ?? some.length, remarks: some };
  });
  return groups.flatMap((group) => {
    const own = all.filter(({ of }) => of === group);
    return own.length === 0 ? [] : [[group, own] as const];
  });
}

function groupOf(severity: Noted['severity']): Group {
  if (severity === 'error' || severity === 'lost') return 'To do';
  return severity === 'changed' ? 'Check' : 'For the record';
}

/** `field:depth` as `Field depth`. */
function inWords(rule: string): string {
  const words = rule.replace(/[:-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What went well and nobody would see otherwise. */
export function achievements({ addresses, format, rows, links }: ImportReport): readonly string[] {
  const count = (outcome: string): number => (addresses ?? []).filter((row) => row.outcome === outcome).length;
  const posts = rows.some(({ kind, of }) => kind === 'post' && of === 'post');
  return [
    ...(addresses && addresses.length > 0
      ? [
          `old URLs: ${count('same')} unchanged, ${count('redirected')} redirected${count('lost') > 0 ? `, ${count('lost')} lead nowhere` : ''}`,
        ]
      : []),
    ...(posts && (format === 'wxr' || format === 'rest')
      ? ['posts keep their ids in feeds, so feed readers do not show them again']
      : []),
    ...(links.files + links.pages > 0
      ? [`links in texts: ${links.files} now lead to files here, ${links.pages} to pages here`]
      : []),
  ];
}

/** What to do after reading it. @param shown  the content folder as the user wrote it */
export function nextStep({ complete, dryRun, remarks }: ImportReport, shown: string): string {
  if (dryRun) return 'Next: run the same command without --dry-run.';
  if (!complete) return 'Next: run the same command again; it continues where this one stopped.';
  const first = groupRemarks({ remarks, rules: {} }).some(([group]) => group === 'To do')
    ? 'do what is listed under "To do", then '
    : '';
  return `Next: ${first}check the files with cms validate ${shown} and look at the site with cms serve ${shown} --open.`;
}
