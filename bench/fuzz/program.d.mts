import type { FuzzedProgram } from './lockstep.d.mts';

export function isLeftOut(path: string): boolean;
export const exceptions: Readonly<Record<string, string>>;
/** @param modules  of the program, by what they are about */
export function programOf(modules: Readonly<Record<string, object>>): FuzzedProgram;
