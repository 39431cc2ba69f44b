/** What the default export of a file in `plugins/` is, for those who write one in TypeScript. */
import type { Module } from './kernel/module.ts';

/** What modules are written with. */
export type Kit = typeof import('./kit.ts');

export type Plugin = Module | ((kit: Kit) => Module | Promise<Module>);
