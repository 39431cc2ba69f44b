/** Tables of Markdown, for pages that are written by a program. */

export const generated = (by: string): string => `<!-- Written by \`npm run docs\` from ${by}. Change that, not this page. -->`;

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(heading), `|${' :--- |'.repeat(heading.length)}`, ...rows.map(line)];
}

export const code = (text: string): string => `\`${text}\``;
