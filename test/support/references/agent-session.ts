/**
 * A session of an agent on the sample site, as a page: it mends the links that `cms-validate` finds broken. The agent is a script here, so
 * that the page is the same each time; what it calls and what it is answered are those of MCP.
 */
import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addApplicationPassword } from '../../../src/modules/people/accounts/application-passwords.ts';
import { makeAdministrator } from '../../../src/cli/new-site.ts';
import { asPerson } from '../git-site.ts';
import { overHttp } from '../mcp.ts';
import { sample } from '../sample-site.ts';
import { startSite } from '../site.ts';

/** What somebody has broken in the sample before. */
const broken = [
  ['posts/2026/03/hello-harbour.md', '/the-old-lighthouse/', '/the-lighthouse/'],
  ['pages/about/index.md', '/contact/', '/contact-us/'],
] as const;

const warnings = { severity: 'warning' };

interface Problem {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** The page, and what the session has left of the folder. */
export async function agentSession(): Promise<{ readonly page: string; readonly problems: number; readonly numstat: string }> {
  const site = await startSite({ from: sample, operator: { mcp: true }, clock: () => Date.UTC(2026, 11, 1, 9) });
  try {
    for (const [path, link, wrong] of broken) {
      const text = await readFile(join(site.dir, path), 'utf8');
      if (!text.includes(link)) throw new Error(`${path} of the sample has no link to ${link}`);
      await writeFile(join(site.dir, path), text.replace(link, wrong));
    }
    for (const line of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'Harbour Notes'],
    ])
      asPerson(site.dir, ...line);
    await site.site.ingest(await site.site.store.sweep());
    await makeAdministrator(site.site.accounts, { id: 1, login: 'ada', email: 'ada@example.com', passwordName: 'Tests' });
    const { password } = await addApplicationPassword(site.site, 1, 'agent');
    const client = await overHttp(site.url, `Bearer ada:${password.replaceAll(' ', '')}`);
    const lines: string[] = [];
    const call = async (name: string, args: Readonly<Record<string, unknown>>, shown?: (data: any) => unknown): Promise<any> => {
      const { error, message, data } = await client.call(name, args);
      if (error) throw new Error(`${name}: ${message}`);
      lines.push(`→ ${name} ${JSON.stringify(args)}`);
      const told = shown ? shown(data) : data;
      lines.push(
        ...(typeof told === 'string' ? told : JSON.stringify(told, null, 1)).split('\n').map((line) => `← ${line}`.trimEnd()),
        '',
      );
      return data;
    };
    const found = await call('cms-validate', warnings, ({ problems, ...counts }) => ({
      ...counts,
      problems: problems.map(({ path, line, rule, message }: Problem & { line: number }) => ({ path, line, rule, message })),
    }));
    let shown = 0;
    for (const { path, rule, message } of found.problems as readonly Problem[]) {
      const wrong = rule === 'broken-link' ? /\/[\w-]+\//.exec(message)?.[0] : undefined;
      if (wrong === undefined) continue;
      const { etag, text } = await call('cms-read', { path }, (data) => ({ ...data, text: `${data.text.slice(0, 60)}…` }));
      const words = wrong
        .replaceAll('/', '')
        .split('-')
        .filter((word) => !['the', 'us'].includes(word));
      const { items } = await call('cms-find', { search: words.join(' '), limit: 5 }, (data) => ({
        items: data.items.map(({ title, url }: { title: string; url: string }) => ({ title, url })),
      }));
      const target = items.find(({ slug }: { slug: string }) => words.every((word) => slug.includes(word)));
      const link = new RegExp(`\\]\\(${wrong}\\)`).exec(text)?.[0] as string;
      const right = `](${new URL(target.url).pathname})`;
      await call('cms-change', { path, etag, edits: [{ old: link, new: right }] }, ({ diff }) => diff.replace(/^diff .*\n/, ''));
      // The first is enough to see how it goes.
      if (shown === 0) shown = lines.length;
      else lines.splice(shown, lines.length, `(the same for ${path})`, '');
    }
    const left = await call('cms-validate', warnings);
    await call('cms-changes', {}, ({ uncommitted }) => ({ uncommitted }));
    await client.close();
    const numstat = asPerson(site.dir, 'diff', '--numstat');
    const transcript = lines.join('\n').replaceAll(site.url, 'https://harbour.example').trim();
    return { page: pageOf(transcript, numstat), problems: left.errors + left.warnings, numstat };
  } finally {
    await site.close();
  }
}

function pageOf(transcript: string, numstat: string): string {
  return `# A session of an agent

An agent mends two broken links of the sample site over [MCP](agents.md). \`→\` is a call of a tool, \`←\` its response; texts are shortened here.

\`\`\`text
${transcript}
\`\`\`

The working tree then has these changes, and no others:

\`\`\`console
$ git diff --numstat
${numstat.trim()}
\`\`\`

The page is written by a script that calls the tools (\`npm run docs\`).
`;
}
