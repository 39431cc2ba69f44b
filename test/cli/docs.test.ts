/** The pages name every command, option, variable and setting that there is, and none that there is not. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { basicSettings } from '../../src/deployments.ts';
import { workerVariable } from '../../src/workers/primary.ts';
import { run } from './run.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
const docs = texts.join('\n');

/** Commands with their options, as `--help` prints them. */
async function optionsOf(line: readonly string[] = []): Promise<Map<string, readonly string[]>> {
  const { out } = await run([...line, '--help']);
  const [, listed = ''] = out.split('\nCommands:\n');
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : [name as string]));
  const below = await Promise.all(names.map((name) => optionsOf([...line, name])));
  const own = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option as string);
  return new Map([[line.join(' '), own], ...below.flatMap((map) => [...map])]);
}

/** Variables of the environment in the sources, by the name that is read. */
async function variables(): Promise<Set<string>> {
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sources = await Promise.all(files.map((name) => readFile(join(root, 'src', name), 'utf8')));
  return new Set(sources.flatMap((source) => source.match(/\bCMS_[A-Z_]+\b/g) ?? []));
}

const options = await optionsOf();

describe('the documentation', () => {
  it('names every command', () => {
    expect([...options.keys()].filter((name) => name !== '' && !docs.includes(`cms ${name}`))).toEqual([]);
  });

  it('names every option', () => {
    const general = new Set(['--version']);
    const missing = [...options].flatMap(([name, own]) =>
      own
        .filter((option) => !general.has(option) && !new RegExp(`${option}(?![a-z-])`).test(docs))
        .map((one) => `${name} ${one}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no unknown option', () => {
    const real = new Set([...options.values()].flat());
    // Of other programs: the lines on which they are called, and the page of the bench; variables of a style.
    const ours = pages.flatMap((page, at) => (page === 'docs/performance.md' ? [] : (texts[at] as string).split('\n')));
    const named = ours
      .filter(
        (line) =>
          !/\b(?:npm|git|node bench|docker|certbot|useradd|systemctl|systemd-run|journalctl|kubectl)\b.*--|^diff --git |^:root \{/.test(
            line,
          ),
      )
      .flatMap((line) => line.match(/(?<![\w-])--(?!wp--)[a-z][a-z-]+/g) ?? []);
    expect([...new Set(named)].filter((option) => !real.has(option))).toEqual([]);
  });

  it('names every environment variable that is read, and no other', async () => {
    const read = await variables();
    read.delete(workerVariable);
    expect(new Set(docs.match(/\bCMS_[A-Z_]+\b/g))).toEqual(read);
  });

  it('names every setting of site.yaml', () => {
    expect(basicSettings.filter((row) => !row.private && !docs.includes(`\`${row.key}\``)).map(({ key }) => key)).toEqual([]);
  });

  it('names only source files that exist', () => {
    const page = texts[pages.indexOf('docs/architecture.md')] as string;
    const named = [...page.matchAll(/`((?:kernel|render|modules|transfer|validate|cli)\/[\w/-]+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
  });

  it('has no broken links', async () => {
    const broken = pages.flatMap((page, at) =>
      [...(texts[at] as string).replace(/^```.*?^```/gms, '').matchAll(/\]\(((?!https?:|\/)[^)\s]*?)(#[^)]*)?\)/g)].flatMap(
        ([, path = '', hash = '']) => {
          const target = path === '' ? page : join(page, '..', path);
          const isWhole = target === 'LICENSE' || (target.endsWith('.png') && existsSync(join(root, target)));
          const text = isWhole ? '' : texts[pages.indexOf(target)];
          const heads = [...(text ?? '').matchAll(/^#+ (.*)$/gm)].map(([, head = '']) => `#${slugOf(head)}`);
          return text === undefined || (hash !== '' && !heads.includes(hash)) ? [`${page}: ${path}${hash}`] : [];
        },
      ),
    );
    expect(broken).toEqual([]);
  });
});

/** The anchor that code hosts give a heading. */
function slugOf(head: string): string {
  return head
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
