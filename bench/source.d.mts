export interface SourceFile {
  /** Below its folder. */
  readonly name: string;
  readonly text: string;
  readonly lines: number;
}
export function sourceFiles(folder?: string): SourceFile[];
export function functions(
  files: readonly SourceFile[],
): { readonly name: string; readonly place: string; readonly lines: number }[];
/** `file name` for each export that no other file imports. */
export function unusedExports(files: readonly SourceFile[]): string[];
/** `Name: file, file` for each type that several files export. */
export function sharedTypeNames(files: readonly SourceFile[]): string[];
export function circles(files: readonly SourceFile[]): string[][];
// biome-ignore lint/suspicious/noExplicitAny: a node of any kind
export function visit(tree: unknown, see: (node: any, parent: any) => void): void;
/** `file:line table` for each place where a word is looked up in an object literal. */
export function lookupsOfObjects(files: readonly SourceFile[]): string[];
