/** The round trip of docs/translation.md, as it is written there. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn, run, temporary } from './run.ts';

const page = await readFile(resolve(import.meta.dirname, '../../docs/translation.md'), 'utf8');

/** A fenced text behind a line that names a file. */
function sample(path: string): string {
  return new RegExp(`^\`${path}\`\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'm').exec(page)?.[1] ?? '';
}

it('docs/translation.md works as described', async () => {
  const dir = await temporary();
  for (const path of ['site.yaml', 'pages/about.md']) {
    expect(sample(path)).not.toBe('');
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), sample(path));
  }
  const calls = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
    text
      .trimEnd()
      .split(/^\$ /m)
      .filter((call) => call !== ''),
  );
  expect(calls.length).toBe(4);
  for (const call of calls) {
    const [line = '', ...said] = call.trimEnd().split('\n');
    if (line.startsWith('cms translate import')) {
      const file = join(dir, 'xliff/de/job-1.xliff');
      const text = await readFile(file, 'utf8');
      const [unit = ''] = /^ {3}<trans-unit[\s\S]*?<\/trans-unit>/m.exec(page) ?? [];
      const target = /<target[\s\S]*<\/target>/.exec(unit)?.[0] ?? '';
      const given: Record<string, string> = { 'About us': 'Über uns', 'Who we are': 'Wer wir sind' };
      const translated = text.replace(/<source>([\s\S]*?)<\/source>/g, (source, inner: string) =>
        given[inner] ? `${source}\n    <target>${given[inner]}</target>` : `${source}\n    ${target}`,
      );
      expect(translated).toContain(unit);
      await writeFile(file, translated);
    }
    const { status, out, err } = await run(line.split(' ').slice(1), { cwd: dir });
    expect([line, status, [out, err].filter((one) => one !== '').join('\n')]).toEqual([line, 0, said.join('\n')]);
  }
  const [, shown = ''] = /is there now[\s\S]*?```markdown\n([\s\S]*?)```/.exec(page) ?? [];
  expect((await filesIn(dir))['pages/about.de.md']).toContain(`---\n${shown}`);
});
