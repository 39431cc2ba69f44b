/**
 * What is judged: the files of a folder, and the declarations that they are read by.
 */
import { collectionPath } from '../kernel/collections.ts';
import type { Module } from '../kernel/module.ts';
import { composeModules, ModuleError, type Modules } from '../kernel/compose-modules.ts';
import type { Batch, Entry } from '../kernel/store/types.ts';
import { createPathTable, type PathTable } from '../kernel/site/path-table.ts';
import { type Declared, declareTypes, type TypeDeclarations } from '../modules/content/types/declare.ts';
import { rules } from './rules.ts';

/** What the files may say; the same declarations that a site is made from. */
export interface Declarations extends TypeDeclarations {
  /** Which files are what. */
  readonly paths: PathTable;
  readonly modules: Modules;
  /** The operator allows the plugins of the folder. */
  readonly hasPlugins: boolean;
}

export interface Content extends Pick<Batch, 'entries' | 'blobs'> {
  /** Files that no part of the site reads. */
  readonly others?: readonly string[];
}

interface Around {
  readonly modules: readonly Module[];
  readonly hasPlugins?: boolean;
  /** `site.yaml`, which modules may make their fields of. */
  readonly entry?: Entry | undefined;
}

/** Declarations with the files that are content because of them. */
export function declare({ modules: list, hasPlugins = false, entry, ...declared }: Declared & Around): Declarations {
  const modules = composeModules(list, entry);
  const known = modules.checks.find(({ rule }) => Object.hasOwn(rules, rule));
  if (known) throw new ModuleError(`a rule "${known.rule}" is there already`);
  const model = declareTypes(declared, modules);
  const paths = createPathTable([
    ...modules.list.flatMap((module) => module.paths?.({ ...model, modules }) ?? []),
    ...modules.collections.map(collectionPath),
  ]);
  return { ...model, modules, hasPlugins, paths };
}
