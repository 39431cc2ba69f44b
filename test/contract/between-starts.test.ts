/** What git does to the folder while no server runs: a post that the server gave an id has it again at the next start. */
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { asPerson } from '../support/git-site.ts';
import { startSite } from '../support/site.ts';

const plain = (title: string, text = 'x'): string => `---\ntitle: ${title}\ndate: 2026-01-01\n---\n${text}\n`;

it('a file that was stashed or missing between two starts keeps its id', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const git = (...args: string[]) => asPerson(site.dir, ...args);
  /** A server starts and ends. @returns ids by slug */
  const started = async (): Promise<Record<string, number>> => {
    const next = await openSite(site.dir);
    const ids = Object.fromEntries([...next.posts.all()].map(({ slug, id }) => [slug, id]));
    await next.close();
    return ids;
  };
  await site.site.close();
  git('init', '-q', '-b', 'main');
  await site.write('posts/rest.md', plain('Rest'));
  git('add', '.');
  git('commit', '-qm', 'without ids');
  const { rest } = await started();
  expect(await site.read('posts/rest.md')).toContain(`id: ${rest}\n`);
  // Written over by a program that knows nothing of ids.
  await site.write('posts/rest.md', plain('Rest', 'changed'));
  await site.write('posts/loose.md', plain('Loose'));
  const { loose } = await started();
  expect(await started()).toEqual({ rest, loose });

  git('stash', '-u', '-q');
  expect(await started()).toEqual({ rest });
  expect(await site.read('posts/rest.md')).toBe(plain('Rest'));
  git('stash', 'pop', '-q');
  expect(await started()).toEqual({ rest, loose });

  git('checkout', '-q', '--', '.');
  git('checkout', '-qb', 'other');
  git('rm', '-q', 'posts/rest.md');
  git('commit', '-qm', 'without it');
  expect(await started()).toEqual({ loose });
  git('checkout', '-q', 'main');
  expect(await started()).toEqual({ rest, loose });
  expect(git('status', '--porcelain')).toBe('?? posts/loose.md\n');

  // The id went along with a renamed file: what comes to its place is something else.
  await site.write('posts/moved.md', plain('Moved').replace('---\n', `---\nid: ${rest}\n`));
  await site.write('posts/rest.md', plain('Another'));
  const ids = await started();
  expect(ids).toMatchObject({ moved: rest, loose });
  expect(ids.rest).not.toBe(rest);
});
