/**
 * Plugins of a content folder for commands that open no site.
 */
import * as kit from '../kit.ts';
import type { Module } from '../kernel/module.ts';
import { findPlugins, loadPlugins } from '../load-plugins.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

/**
 * None where the operator does not allow them. Operator settings are not read where there are no plugins.
 * @param serves  as of `operatorOf`
 */
export async function pluginsOf(dir: string, io: Io, serves = false): Promise<readonly Module[]> {
  return findPlugins(dir).length > 0 && operatorOf(dir, io, { serves }).plugins ? loadPlugins(dir, kit) : [];
}
