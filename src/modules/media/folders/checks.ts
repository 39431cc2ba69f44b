/** Checks of folder files for `cms validate`, with lines; the server repairs them in memory. */
import { isId } from '../../../kernel/model/ids.ts';
import type { Check, CheckFinding } from '../../../kernel/module.ts';
import type { Batch, Entry } from '../../../kernel/store/types.ts';
import { nameKey, type Scope, scopeOfPath, settingsFile, shared } from './record.ts';
import { readSwitch, siteKeys } from './site-settings.ts';
import { listOf, readTree, type Tree, type TreeFault } from './tree.ts';

interface Trees {
  readonly trees: readonly Tree[];
  readonly faults: readonly (TreeFault & { readonly path: string })[];
}

const rules: Readonly<Record<string, Check['severity']>> = {
  'folder-list': 'error',
  'folder-row': 'error',
  'folder-id': 'error',
  'folder-parent': 'error',
  'folder-name': 'warning',
  'folder-color': 'warning',
};

export const folderChecks: readonly Check[] = [
  ...Object.entries(rules).map(
    ([rule, severity]): Check => ({
      rule,
      severity,
      *run(content) {
        for (const fault of treesOf(content).faults) if (fault.rule === rule) yield fault;
      },
    }),
  ),
  { rule: 'folder-twice', severity: 'warning', run: alike },
  { rule: 'folder-unknown', severity: 'warning', run: strays },
  { rule: 'folder-setting', severity: 'warning', run: settings },
];

const read = new WeakMap<readonly Entry[], Trees>();

/** The trees of all files; parsed once for all rules. */
function treesOf({ entries }: Pick<Batch, 'entries'>): Trees {
  const known = read.get(entries);
  if (known) return known;
  const files = entries
    .flatMap((entry) => {
      const scope = scopeOfPath(entry.path);
      return scope === null ? [] : [{ scope, entry }];
    })
    .sort((a, b) => a.scope - b.scope);
  const faults: (TreeFault & { path: string })[] = [];
  const holders = new Map<number, string>();
  // Rows without an id get any unused one here.
  let unsaid = 0;
  const trees = files.map(({ scope, entry }) => {
    const { path } = entry;
    const fault = (one: TreeFault): void => void faults.push({ path, ...one });
    if (listOf(entry.data) === null) fault({ rule: 'folder-list', keys: ['folders'], message: 'folders must be a list' });
    return readTree(
      scope,
      entry,
      (said, at) => {
        const holder = isId(said) ? holders.get(said) : undefined;
        if (isId(said) && holder === undefined) {
          holders.set(said, path);
          return said;
        }
        if (holder !== undefined)
          fault({
            ...{
              rule: 'folder-id',
              keys: ['folders', at, 'id'],
              message: `${String(said)} is the id of a folder in ${holder} already`,
            },
            hint: 'the server gives it another; take the line out',
          });
        return --unsaid;
      },
      fault,
    );
  });
  const found = { trees, faults };
  read.set(entries, found);
  return found;
}

function* alike(content: Pick<Batch, 'entries'>): Generator<CheckFinding> {
  for (const { path, rows } of treesOf(content).trees) {
    const seen = new Set<string>();
    for (const [at, { folder }] of rows.entries()) {
      if (!folder) continue;
      const key = `${folder.parent} ${nameKey(folder.name)}`;
      if (seen.has(key))
        yield { path, keys: ['folders', at, 'name'], message: `another folder beside it is called ${folder.name}` };
      seen.add(key);
    }
  }
}

/** Sidecars with unknown folders. */
function* strays(content: Pick<Batch, 'entries'>): Generator<CheckFinding> {
  const folders = new Map<Scope, ReadonlyMap<number, unknown>>(treesOf(content).trees.map(({ scope, byId }) => [scope, byId]));
  const isThere = (scope: Scope, id: unknown): boolean => !isId(id) || (folders.get(scope)?.has(id) ?? false);
  for (const { path, data } of content.entries) {
    if (!path.startsWith('media/')) continue;
    if (!isThere(shared, data.folder))
      yield { path, keys: ['folder'], message: `there is no shared folder ${JSON.stringify(data.folder)}` };
    const own = data.user_folders;
    if (typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    for (const [user, id] of Object.entries(own))
      if (!isThere(Number(user), id))
        yield { path, keys: ['user_folders', user], message: `person ${user} has no folder ${JSON.stringify(id)}` };
  }
}

function* settings({ entries }: Pick<Batch, 'entries'>): Generator<CheckFinding> {
  const entry = entries.find(({ path }) => path === settingsFile);
  for (const key of siteKeys)
    if (entry && Object.hasOwn(entry.data, key) && readSwitch(entry.data[key]) === null)
      yield { path: settingsFile, keys: [key], message: `${key} is on or off`, hint: `${key}: true` };
}
