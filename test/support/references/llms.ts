/** The list of all pages of the documentation, for programs that read them (`docs/llms.txt`). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function docsList(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const rows = await Promise.all(names.map(async (name) => rowOf(name, await readFile(join(folder, name), 'utf8'))));
  return `# cms

> A content backend for websites: a folder of Markdown, HTML and YAML files served over the complete WordPress-like REST API.

Every page is plain Markdown.

## Docs

${rows.join('\n')}
`;
}

/** A page by its title, with the first sentence below it. */
function rowOf(name: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const paragraph = text.split(/\n{2,}/).find((part) => /^(?:[A-Z]|`(?!``))/.test(part)) ?? '';
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const sentence = /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain;
  return `- [${title}](${name}): ${sentence.replace(/:$/, '.').trim()}`;
}
