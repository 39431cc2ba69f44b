/**
 * Rows in columns, under a heading; the last column is not padded.
 */

/** @returns one line for each row, and the heading before them */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd(),
  );
}
