/** Keys of a file that say whether readers see its item: read carefully, reported where they are odd, kept in step by writes. */
import { describe, expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { findings, said, sound } from '../validate/findings.ts';
import { startSite } from '../support/site.ts';

const file = (id: number, lines: readonly string[]): string =>
  `---\n${[`id: ${id}`, 'title: Quay', 'date: 2026-03-05', ...lines].join('\n')}\n---\nText\n`;

/** What a file says, the status it has, and what is found in it (line in the file, which begins with four others). */
const rows: readonly (readonly [lines: readonly string[], status: string, found: readonly string[]])[] = [
  [[], 'publish', []],
  [['draft: true'], 'draft', []],
  [['draft: True'], 'draft', []],
  [['draft: yes'], 'draft', []],
  [['draft: "true"'], 'draft', []],
  [['draft: 1'], 'draft', []],
  [['draft: false'], 'publish', []],
  [['draft: "no"'], 'publish', []],
  [['draft:'], 'publish', []],
  [['draft: perhaps'], 'draft', ['5:8 error field:draft']],
  [['draft: [true]'], 'draft', ['5:8 error field:draft']],
  [['Draft: true'], 'draft', []],
  [['isDraft: true'], 'draft', []],
  [['is_draft: yes'], 'draft', []],
  [['is-draft: false'], 'publish', []],
  [['isdraft: true'], 'draft', []],
  [['publish: false'], 'draft', []],
  [['isPublished: false'], 'draft', []],
  [['is_published: true'], 'publish', []],
  [['unpublished: true'], 'draft', []],
  [['is_public: no'], 'draft', []],
  [['isPrivate: true'], 'private', []],
  [['isHidden: true'], 'private', ['5:11 warning unlisted']],
  [['Publish: no'], 'draft', []],
  [['publish: true'], 'publish', []],
  [['draft: false', 'is_draft: true'], 'draft', []],
  [['isDraft: false', 'IS_DRAFT: true'], 'draft', []],
  [['post_status: pending'], 'pending', []],
  [['published: false'], 'draft', []],
  [['published: no'], 'draft', []],
  [['published: true'], 'publish', []],
  [['published: 2026-03-05'], 'publish', []],
  [['published: perhaps'], 'draft', ['5:12 error field:published']],
  [['status: publish', 'draft: true'], 'draft', ['6:8 error field:draft']],
  [['draft: true', 'status: publish'], 'draft', ['5:8 error field:draft']],
  [['status: future'], 'publish', []],
  [['status: future', 'draft: true'], 'draft', ['6:8 error field:draft']],
  [['status: private', 'draft: true'], 'draft', ['6:8 error field:draft']],
  [['status: pending', 'draft: true'], 'pending', []],
  [['status: draft', 'draft: true'], 'draft', []],
  [['status: draft', 'draft: false'], 'draft', ['6:8 error field:draft']],
  [['status: draft', 'published: true'], 'draft', ['6:12 error field:published']],
  [['status: trash', 'draft: true'], 'trash', []],
  [['draft: true', 'published: true'], 'draft', ['6:12 error field:published']],
  [['status: Draft'], 'draft', ['5:9 error field:status']],
  [['status: " draft "'], 'draft', ['5:9 error field:status']],
  [['status: published'], 'publish', ['5:9 error field:status']],
  [['state: draft'], 'draft', []],
  [['state: " Draft "'], 'draft', []],
  [['state: Texas'], 'publish', []],
  [['status: publish', 'state: draft'], 'draft', ['6:8 error field:draft']],
  [['state: private'], 'private', []],
  [['permalink: false'], 'draft', ['5:1 warning no-page']],
  [['permalink: /quay/'], 'publish', []],
  [['headless: true'], 'draft', ['5:1 warning no-page']],
  [['headless: false'], 'publish', []],
  [['build: { render: never }'], 'draft', ['5:1 warning no-page']],
  [['_build: { render: false, list: true }'], 'draft', ['5:1 warning no-page']],
  [['build: { render: link }'], 'draft', ['5:1 warning no-page']],
  [['build: { list: never }'], 'private', ['5:1 warning no-page']],
  [['build: { list: local }'], 'publish', []],
  [['draft: false', 'permalink: false'], 'draft', ['6:1 warning no-page']],
  [['status: 1'], 'draft', ['5:9 error field:status']],
  [['status: true'], 'draft', ['5:9 error field:status']],
  [['status:'], 'draft', ['5:1 error field:status']],
  [['status: [publish]'], 'draft', ['5:9 error field:status']],
  [['status: inherit'], 'draft', ['5:9 error field:status']],
  [['status: Publish'], 'publish', ['5:9 error field:status']],
  [['status: Private'], 'private', ['5:9 error field:status']],
  [['Status: draft'], 'draft', []],
  [['private: true'], 'private', []],
  [['private: false'], 'publish', []],
  [['private: perhaps'], 'private', ['5:10 error field:private']],
  [['status: publish', 'private: true'], 'private', ['6:10 error field:private']],
  [['hidden: true'], 'private', ['5:9 warning unlisted']],
  [['unlisted: yes'], 'private', ['5:11 warning unlisted']],
  [['unlisted: false'], 'publish', []],
  [['visibility: private'], 'private', []],
  [['visibility: members'], 'private', []],
  [['visibility: Public'], 'publish', []],
  [['visibility: private', 'draft: true'], 'draft', []],
  [['publishDate: 2999-01-01'], 'publish', ['5:1 error other-date']],
  [['publishDate: 2020-01-01'], 'publish', []],
  [['expiryDate: 2020-01-01'], 'publish', ['5:1 error other-date']],
];

describe('the status keys of a file', () => {
  it('are never read as more public than they say', async () => {
    const files = Object.fromEntries(
      rows.flatMap(([lines], n) =>
        ['posts', 'pages', 'books'].map((folder, of) => [`${folder}/n${n}.md`, file(1000 * (of + 1) + n, lines)]),
      ),
    );
    const site = await startSite({
      files: { ...files, 'site.yaml': 'name: Quay\ntypes:\n  book: { plural: Books, rest_base: books }\n' },
    });
    try {
      for (const [n, [lines, status]] of rows.entries()) {
        for (const [of, base] of ['posts', 'pages', 'books'].entries()) {
          const route = `/cms/v2/${base}/${1000 * (of + 1) + n}`;
          const edited = await site.ask('GET', `${route}?context=edit`, { as: 'admin' });
          const open = await site.ask('GET', route);
          expect([base, lines, edited.body.status, open.status]).toEqual([base, lines, status, status === 'publish' ? 200 : 401]);
        }
      }
    } finally {
      await site.close();
    }
  });

  it.each(rows)('%j, read as %s, are reported as %j', async (lines, _, found) => {
    const named = found.map((one) => `posts/2026/03/quay.md ${one}`);
    expect(said(await findings({ ...sound, 'posts/2026/03/quay.md': file(90, lines) }))).toEqual(named);
  });

  it('are reported by a running server', async () => {
    const site = await startSite({
      files: { 'posts/a.md': file(90, ['status: published']), 'posts/b.md': file(91, ['draft: true']) },
    });
    try {
      expect(site.site.problems().map(({ path, rule }) => `${path} ${rule}`)).toEqual(['posts/a.md field:status']);
    } finally {
      await site.close();
    }
  });

  it('hide a published item at once, whatever they are changed to', async () => {
    const paths = rows.map((_, n) => `posts/n${n}.md`);
    const site = await startSite({ files: Object.fromEntries(paths.map((path, n) => [path, file(1000 + n, [])])) });
    try {
      expect(rows.map((_, n) => site.site.posts.get(1000 + n)?.status)).toEqual(rows.map(() => 'publish'));
      for (const [n, [lines]] of rows.entries()) await site.write(paths[n] as string, file(1000 + n, lines));
      await site.site.reload();
      expect(rows.map((_, n) => site.site.posts.get(1000 + n)?.status)).toEqual(rows.map(([, status]) => status));
    } finally {
      await site.close();
    }
  });

  it('follow a write that publishes or hides the item', async () => {
    const site = await startSite({
      files: Object.fromEntries(rows.map(([lines], n) => [`posts/n${n}.md`, file(1000 + n, [...lines, 'own: kept'])])),
    });
    try {
      for (const [n, [lines, status]] of rows.entries()) {
        if (status === 'trash') continue;
        const route = `/cms/v2/posts/${1000 + n}`;
        const linesOf = async (): Promise<string[]> =>
          (await site.read(site.site.posts.get(1000 + n)?.path as string)).split('\n');
        const change = async (to: string): Promise<void> => {
          const { body } = await site.ask('PUT', route, { as: 'admin', body: { status: to } });
          const open = await site.ask('GET', route);
          expect([lines, to, body.status, open.status]).toEqual([lines, to, to, to === 'publish' ? 200 : 401]);
          expect(await linesOf()).toContain('own: kept');
        };
        const before = await linesOf();
        await site.ask('PUT', route, { as: 'admin', body: { excerpt: 'New' } });
        expect(await linesOf()).toEqual(expect.arrayContaining(before));
        await change('publish');
        await change('draft');
        await change('publish');
      }
      const cold = await openSite(site.dir, { readOnly: true });
      for (const [n, [lines, status]] of rows.entries())
        if (status !== 'trash') expect([lines, cold.posts.get(1000 + n)?.status]).toEqual([lines, 'publish']);
      await cold.close();
    } finally {
      await site.close();
    }
  });

  it('stay when they agree with the new status', async () => {
    const site = await startSite({
      files: { 'posts/a.md': file(90, ['draft: false']), 'posts/b.md': file(91, ['draft: true']) },
    });
    try {
      const write = async (id: number, status: string): Promise<string[]> => {
        await site.ask('PUT', `/cms/v2/posts/${id}`, { as: 'admin', body: { status } });
        const text = await site.read((site.site.posts.get(id) as { path: string }).path);
        return text.split('\n').filter((line) => /^(?:draft|status):/.test(line));
      };
      expect(await write(90, 'private')).toEqual(['status: private']);
      expect(await write(91, 'draft')).toEqual(['draft: true']);
      expect(await write(91, 'pending')).toEqual(['status: pending']);
      expect(await write(91, 'publish')).toEqual([]);
    } finally {
      await site.close();
    }
  });
});
