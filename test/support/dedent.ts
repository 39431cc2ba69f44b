/**
 * A literal as a file has it: without the line break it begins with and the indentation of the code around it, which is that of its
 * first line. Its last line ends with a line break.
 */
export function dedent(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const indent = /^\n( *)/.exec(texts[0] as string)?.[1] ?? '';
  const plain = texts.map((text) => text.replaceAll(`\n${indent}`, '\n').replace(/\n *$/, '\n'));
  return String.raw({ raw: plain }, ...values).replace(/^\n/, '');
}
