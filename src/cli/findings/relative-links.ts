/**
 * What a server says of relative links and pictures: for every post whose file comes or changes, and once for those that are there
 * at the start.
 */
import type { Site } from '../../kernel/site/site.ts';
import { locate, type Located } from '../../kernel/store/locate.ts';
import { relativeLinks } from '../../validate/relative-links.ts';
import { surroundingsIn } from '../../validate/surroundings.ts';
import { prettyLink } from '../../modules/content/permalinks/record.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { paced } from '../../kernel/scheduler.ts';
import type { Batch } from '../../kernel/store/types.ts';

/** Larger sites are not looked through at the start: the texts of most posts would have to be read for it. */
const mostAtStart = 5000;
const mostTries = 5;
/** Longer texts are left to `cms validate`. */
const longest = 256 * 1024;

interface RelativeLinkLog {
  /** New findings in the files of a batch. */
  look(batch: Pick<Batch, 'entries' | 'removed'>): Promise<Located[]>;
  /** Findings in files that were not served yet when they came: copies get an id of their own first. */
  lookAgain(): Promise<Located[]>;
  /** Whether there are such files. */
  isWaiting(): boolean;
  /** Findings in everything that is there, of small sites. */
  lookAtAll(): Promise<Located[]>;
}

export function createRelativeLinkLog(site: Site): RelativeLinkLog {
  /** Path → what has been said of it. */
  const said = new Map<string, string>();
  /** Path → how often it is looked for; what cannot be read is not served for long. */
  const waiting = new Map<string, number>();
  const around = surroundingsIn(site);

  return {
    async look({ entries, removed }) {
      for (const path of removed) for (const known of [said, waiting]) known.delete(path);
      for (const { path, kind } of entries) if (kind !== 'yaml' && postAt(path) === undefined) waiting.set(path, mostTries);
      return lookAt(entries.flatMap(({ path }) => postAt(path) ?? []));
    },
    async lookAgain() {
      const here = [...waiting.keys()].flatMap((path) => postAt(path) ?? []);
      for (const { path } of here) waiting.delete(path);
      for (const [path, left] of waiting)
        if (left > 1) waiting.set(path, left - 1);
        else waiting.delete(path);
      return lookAt(here);
    },
    isWaiting: () => waiting.size > 0,
    lookAtAll: async () => (site.posts.size > mostAtStart ? [] : lookAt(site.posts.all())),
  };

  async function lookAt(posts: Iterable<PostRecord>): Promise<Located[]> {
    const found: Located[] = [];
    for await (const post of paced(posts)) {
      if (post.type === 'attachment' || post.type === 'nav_menu_item' || post.content.length > longest) continue;
      const kind = post.kind === 'md' ? 'md' : 'html';
      const links = relativeLinks({ path: post.path, body: post.content, kind, own: prettyLink(site, post) }, around);
      const words = links.map(({ message }) => message).join('\n');
      const isNew = words !== '' && said.get(post.path) !== words;
      if (words === '') said.delete(post.path);
      else said.set(post.path, words);
      if (isNew) found.push(...(await locate(links, (path) => site.store.readBytes(path))));
    }
    return found;
  }

  function postAt(path: string): PostRecord | undefined {
    return [...site.posts.with('place', logicalPath(path))].map((id) => site.posts.get(id)).find((post) => post?.path === path);
  }
}
