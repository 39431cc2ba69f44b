/** A new site: what is in it, and what never happens to a folder that is not empty. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scaffoldSite, siteFile } from '../../src/cli/new-site.ts';
import { openSite } from '../../src/open-site.ts';
import { startSite } from '../support/site.ts';
import { asPerson } from '../support/git-site.ts';
import { main } from '../../src/cli/main.ts';
import { writeFiles } from '../support/markdown-sites.ts';
import { filesIn, newSite, pretend, run, temporary } from './run.ts';

const sixGroups = /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/;

describe('init', () => {
  it('creates the smallest site and prints only the password', async () => {
    const dir = join(await temporary(), 'a', 'b');
    const { status, out, err } = await run([
      'init',
      dir,
      '--title',
      'Example Site',
      '--timezone',
      'Europe/Berlin',
      '--email',
      'admin@example.com',
      '--writing',
      'markup',
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(sixGroups);
    expect(err).not.toContain(out);
    const { 'site.yaml': site, ...files } = await filesIn(dir);
    expect(files).toEqual({
      'AGENTS.md': expect.stringContaining('cms validate . --json'),
      '.gitignore': '.cms/\n.cms-tmp-*\nrevisions/\n',
      'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
      'users/admin.yaml': 'id: 1\nname: Example Site\nurl: /\n',
    });
    expect(site?.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      'name: Example Site',
      'timezone: Europe/Berlin',
      'writing: markup',
    ]);
  });

  it('keeps account and password out of the content, readable only by the owner', async () => {
    const { dir, password } = await newSite('--admin', 'Ada L', '--email', 'ada@example.com');
    expect(Object.keys(await filesIn(dir))).toContain('users/ada-l.yaml');
    const file = join(dir, '.cms/private/accounts/1.json');
    const account = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    expect(account).toMatchObject({
      id: 1,
      login: 'Ada L',
      email: 'ada@example.com',
      roles: ['administrator'],
      applicationPasswords: [{ name: 'cms init' }],
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const text of Object.values(await filesIn(dir, { own: true }))) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(password.replaceAll(' ', ''));
    }
    expect(await readFile(join(dir, '.cms/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('writes AGENTS.md unless there is one, and does not read it as content', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'AGENTS.md'), '# Mine\n');
    expect((await run(['init', dir])).status).toBe(0);
    expect(await readFile(join(dir, 'AGENTS.md'), 'utf8')).toBe('# Mine\n');
    const { dir: other } = await newSite();
    expect(await run(['validate', other, '--max-warnings', '0'])).toMatchObject({ status: 0 });
    const text = await readFile(join(other, 'AGENTS.md'), 'utf8');
    // Every command and option that it names is there.
    for (const [, line = ''] of text.matchAll(/`cms ([a-z ]*(?:--[a-z-]+)*)/g)) {
      const { out } = await run([
        ...line
          .split(' ')
          .filter((word) => /^[a-z]/.test(word))
          .slice(0, 2),
        '--help',
      ]);
      expect([line, out]).toEqual([line, expect.stringContaining('Usage: cms')]);
    }
    const site = await startSite({ from: other });
    try {
      for (const path of ['/AGENTS.md', '/agents/', '/AGENTS/', '/uploads/AGENTS.md'])
        expect([path, (await site.ask('GET', path, { raw: true })).status]).toEqual([path, 404]);
      expect((await site.ask('GET', '/cms/v2/search?search=folder')).body).toEqual([]);
    } finally {
      await site.close();
    }
  });

  it('accepts a folder that contains only a repository, and keeps its ignore file', async () => {
    const dir = await temporary();
    await mkdir(join(dir, '.git'));
    await writeFile(join(dir, '.gitignore'), 'node_modules/\n');
    const { status, err } = await run(['init', '.'], { cwd: dir });
    expect(status).toBe(0);
    expect(err).toContain('.gitignore was not changed');
    expect(await readFile(join(dir, '.gitignore'), 'utf8')).toBe('node_modules/\n');
    expect(await readFile(join(dir, 'site.yaml'), 'utf8')).toContain(`name: ${dir.split('/').at(-1)}`);
  });

  const full: readonly { name: string; file: string; says: RegExp }[] = [
    { name: 'a site', file: 'site.yaml', says: /is already a site/ },
    { name: 'anything else', file: 'notes.txt', says: /is not empty/ },
  ];
  it.each(full)('rejects a folder with $name and changes nothing', async ({ file, says }) => {
    const dir = await temporary();
    await writeFile(join(dir, file), 'mine\n');
    expect(await run(['init', dir])).toMatchObject({ status: 2, out: '', err: expect.stringMatching(says) });
    expect(await filesIn(dir, { own: true })).toEqual({ [file]: 'mine\n' });
  });

  it('rejects a file', async () => {
    const file = join(await temporary(), 'file');
    await writeFile(file, '');
    expect(await run(['init', file])).toMatchObject({ status: 2, err: expect.stringContaining('is a file, not a folder') });
  });

  it('leaves nothing half-made', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'users'), 'in the way\n');
    await expect(scaffoldSite({ dir, title: 'x', admin: 'admin' })).rejects.toThrow();
    expect(await readdir(dir)).toEqual(['users']);
  });
});

describe('init --adopt', () => {
  const files = {
    '_config.yml': 'title: Harbour notes\nurl: https://harbour.example\n',
    '_posts/2026-03-05-hello.md': '---\ntitle: Hello\n---\nText\n',
  };

  it('shows the site.yaml it would write', async () => {
    const dir = await temporary();
    await writeFiles(dir, {
      ...files,
      '_drafts/idea.mdx': 'x',
      '_config.yml': `${files['_config.yml']}defaults:\n  - values: { published: false }\n`,
    });
    const before = await filesIn(dir, { own: true });
    const { status, out, err } = await run([
      'init',
      dir,
      '--adopt',
      '--dry-run',
      '--timezone',
      'Europe/Berlin',
      '--title',
      'Mine',
    ]);
    expect([status, err]).toEqual([0, expect.stringContaining('a jekyll site:')]);
    expect(err).toMatch(/^ {2}post {2,}1 {2,}_posts$/m);
    expect(err).toContain('_drafts/idea.mdx: only .md and .html files are served');
    expect(err).toContain(
      '_posts/2026-03-05-hello.md: its folder or the configuration holds it back: it is a draft, as drafts of site.yaml says',
    );
    expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      'name: Mine',
      'url: https://harbour.example',
      'timezone: Europe/Berlin',
      'permalink: /{year}/{month}/{day}/{slug}/',
      'types:',
      '  post:',
      '    folder: _posts',
      '    drafts:',
      '      - _posts/2026-03-05-hello.md',
    ]);
    expect(await filesIn(dir, { own: true })).toEqual(before);
  });

  it('is refused if there is nothing to serve, or already a site', async () => {
    const dir = await temporary();
    const says = async (...args: string[]) => (await run(['init', ...args])).err;
    expect(await says(dir, '--adopt')).toMatch(/contains no Markdown to serve/);
    expect(await says(join(dir, 'nowhere'), '--adopt')).toMatch(/does not exist/);
    expect(await says(dir, '--dry-run')).toMatch(/--dry-run requires --adopt/);
    expect(await readdir(dir)).toEqual([]);
    await writeFiles(dir, files);
    expect(await says(dir, '--adopt', '--repository')).toMatch(/cannot be combined/);
    expect((await run(['init', dir, '--adopt'])).status).toBe(0);
    expect(await says(dir, '--adopt')).toMatch(/is already a site/);
  });
});

describe('init at a terminal', () => {
  const asked = async (answer: string | Readonly<Record<string, string>>, ...flags: string[]) => {
    const dir = join(await temporary(), 'site');
    const questions: string[] = [];
    const ask = async (question: string): Promise<string> => {
      questions.push(question);
      const [, reply = ''] =
        typeof answer === 'string' ? ['', answer] : (Object.entries(answer).find(([words]) => question.startsWith(words)) ?? []);
      return reply;
    };
    const { io } = pretend({ ask });
    expect(await main(['init', dir, ...flags], io)).toBe(0);
    const named = /^name: (.*)$/m.exec(await readFile(join(dir, 'users/admin.yaml'), 'utf8').catch(() => ''))?.[1];
    return { questions: questions.length, repository: existsSync(join(dir, '.git')), named };
  };

  it('asks for a name, and whether to make a repository', async () => {
    expect(await asked('')).toEqual({ questions: 2, repository: true, named: 'site' });
    expect(await asked({ Keep: 'yes', Your: ' Ida Holm ' })).toEqual({ questions: 2, repository: true, named: 'Ida Holm' });
    expect(await asked({ Keep: ' No' })).toEqual({ questions: 2, repository: false, named: 'site' });
  });

  it('does not ask for what was given', async () => {
    expect(await asked('', '--no-repository', '--name', 'Ida')).toEqual({ questions: 0, repository: false, named: 'Ida' });
    expect(await asked('n', '--repository', '--admin', 'admin')).toEqual({ questions: 0, repository: true, named: 'admin' });
  });

  it('does not prompt without a terminal', async () => {
    const { dir } = await newSite();
    expect(existsSync(join(dir, '.git'))).toBe(false);
  });
});

describe('site.yaml', () => {
  it('contains only values that differ from the defaults', () => {
    const text = siteFile({
      title: 'No',
      description: '',
      timezone: 'UTC',
      language: 'de_DE',
      deployment: 'extended',
      writing: 'auto',
      url: 'https://example.com',
    });
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).toEqual(["name: 'No'", 'url: https://example.com', 'language: de_DE', 'deployment: extended']);
  });
});

describe('a folder that cannot be created', () => {
  // In /proc nothing can be made, and Node's own way of making folders never returns.
  it.runIf(existsSync('/proc/self')).each(['/proc/nope', '/proc/nope/a/b'])(
    'is an error with its reason: %s',
    { timeout: 20_000 },
    async (dir) => {
      const { status, err } = await run(['init', dir]);
      expect(status).toBe(1);
      expect(err).toContain('cms: /proc/nope: cannot be created here');
    },
  );

  it('keeps existing files when one of the folders is a file', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'file'), 'x');
    expect((await run(['init', join(dir, 'file', 'site')])).status).toBe(1);
    expect(await readFile(join(dir, 'file'), 'utf8')).toBe('x');
  });
});

describe('init --repository', () => {
  it('commits a valid sample site, which a server does not change', async () => {
    const dir = join(await temporary(), 'site');
    const { status, out, err } = await run([
      'init',
      dir,
      '--repository',
      '--merge-driver',
      '--admin',
      'Ada L',
      '--email',
      'ada@example.com',
    ]);
    expect([status, err]).toEqual([0, expect.stringContaining('committed the site to a git repository')]);
    expect(out).toMatch(sixGroups);
    expect(asPerson(dir, 'log', '--format=%an <%ae> %s')).toBe('Ada L <ada@example.com> Begin the site\n');
    const names = asPerson(dir, 'ls-files').trim().split('\n');
    for (const name of [
      '.gitignore',
      '.gitattributes',
      '.github/workflows/validate.yml',
      '.vscode/settings.json',
      'pages/about.md',
      'site.yaml',
    ])
      expect(names).toContain(name);
    expect(names.filter((name) => name.startsWith('.cms/'))).toEqual([]);
    expect(names.find((name) => /^posts\/\d{4}\/\d\d\/hello\.md$/.test(name))).toBeDefined();
    const { 'yaml.schemas': schemas } = JSON.parse(await readFile(join(dir, '.vscode/settings.json'), 'utf8'));
    for (const schema of Object.keys(schemas)) expect(existsSync(join(dir, schema))).toBe(true);
    expect(await run(['validate', dir, '--max-warnings', '0'])).toMatchObject({ status: 0 });
    const site = await openSite(dir);
    expect(await readFile(join(dir, 'site.yaml'), 'utf8')).toContain('menu_locations:\n  header: Header\n  footer: Footer\n');
    expect([...site.posts.all()].map(({ title, status: state }) => [title, state])).toEqual([
      ['Hello', 'publish'],
      ['About', 'publish'],
    ]);
    await site.close();
    expect(asPerson(dir, 'status', '--porcelain')).toBe('');
    expect(await readFile(join(dir, '.gitattributes'), 'utf8')).toContain('*.md merge=cms\n');
    expect(asPerson(dir, 'config', 'merge.cms.driver')).toContain('merge-driver %O %A %B %P');
  });

  it('extends an existing ignore file, and refuses a merge driver without a repository', async () => {
    const dir = await temporary();
    await writeFile(join(dir, '.gitignore'), 'node_modules/');
    expect((await run(['init', dir, '--repository'])).status).toBe(0);
    expect(await readFile(join(dir, '.gitignore'), 'utf8')).toBe('node_modules/\n.cms/\n.cms-tmp-*\nrevisions/\n');
    expect(await run(['init', join(dir, 'x'), '--merge-driver'])).toMatchObject({ status: 2 });
    expect(existsSync(join(dir, 'x'))).toBe(false);
  });
});
