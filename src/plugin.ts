/** What the default export of a file in `plugins/` is, for those who write one in TypeScript. */
import type { Module } from './kernel/module.ts';

/** What modules are written with. */
export type Kit = typeof import('./kit.ts');

export type Plugin = (Module & NoFunction) | ((kit: Kit) => Module | Promise<Module>);

/** Any function has a name, as a module has: it would be taken for one, whatever it returns. */
interface NoFunction {
  readonly call?: never;
}
