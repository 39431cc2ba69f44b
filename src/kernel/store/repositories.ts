/**
 * What git could bring into a content folder and must not: files of the server's own folder.
 */
import { createGitReader } from './git.ts';
import { isOwnName } from './paths.ts';

/**
 * Paths in the index of the repository around a content folder that are the server's own, on this system or another one.
 * @throws GitError when there is a repository that cannot be read
 */
export async function trackedOwn(dir: string): Promise<readonly string[]> {
  const reader = await createGitReader(dir);
  const paths = (await reader?.tracked()) ?? [];
  return paths.filter((path) => isOwnName(path.split('/', 1)[0] as string));
}
