/** Markdown of pages that are written by a program. */

export const generated = (by: string): string => `<!-- Written by \`npm run docs\` from ${by}. Change that, not this page. -->`;

export const code = (text: string): string => `\`${text}\``;
