/**
 * A content folder of any size for measuring: the same bytes for the same number of posts, on every machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const categories = 50;
const tags = 500;
const authors = 20;
export const firstPostId = 1000;
export const words = (
  'harbour tide quay ferry morning lantern rope pilot fog gull winter market basket kettle ledger bridge signal anchor channel ' +
  'weather captain letter window garden market street evening copper timber engine whistle shore current the a of and to in with ' +
  'over under after before slowly quietly always never again early late small old bright narrow grey salt cold warm'
).split(' ');

/**
 * Writes the folder: `posts` posts of 2 to 6 KB, 50 categories, 500 tags, 20 authors. Ids of posts count from 1000.
 *
 * @param folder  new or empty
 */
export function writeCorpus(folder, posts) {
  const random = createRandom(20260305);
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('site.yaml', 'name: Bench\ntimezone: Europe/Berlin\ndefault_category: category-1\n');
  for (let id = 1; id <= categories; id++) write(`terms/category/category-${id}.yaml`, `id: ${id}\nname: Category ${id}\n`);
  for (let id = 1; id <= tags; id++) write(`terms/tag/tag-${id}.yaml`, `id: ${categories + id}\nname: Tag ${id}\n`);
  for (let id = 1; id <= authors; id++) write(`users/author-${id}.yaml`, `id: ${id + 1}\nname: Author ${id}\n`);
  for (let at = 0; at < posts; at++) {
    const date = new Date(Date.UTC(2015, 0, 1) + Math.floor((at / posts) * 4000) * 86_400_000 + at * 1000).toISOString();
    write(`posts/${date.slice(0, 4)}/${date.slice(5, 7)}/post-${at + 1}.md`, printPost(at, date.slice(0, 19), random));
  }
}

function printPost(at, date, random) {
  const list = (key, count, prefix, of) => {
    const slugs = new Set(Array.from({ length: count }, () => `${prefix}-${1 + random(of)}`));
    return slugs.size > 0 ? [`${key}:`, ...[...slugs].map((slug) => `  - ${slug}`)] : [];
  };
  const head = [
    `id: ${firstPostId + at}`,
    `title: ${sentence(random, 3 + random(6))}`,
    `date: ${date}`,
    `author: author-${1 + random(authors)}`,
    ...list('categories', 1 + random(3), 'category', categories),
    ...list('tags', random(6), 'tag', tags),
  ];
  // One word in each post that is in no other: what a search for something rare finds.
  return `---\n${head.join('\n')}\n---\n${printBody(2000 + random(4000), random)}\n${rareWord(at)}\n`;
}

/** A text of about `count` words, of what people write: `writeCorpus` makes its posts so. */
export function writeText(count) {
  const random = createRandom(20261128);
  let text = '';
  while (text.split(/\s+/).length < count) text += `${printBody(8000, random)}\n`;
  return text;
}

/** A word that is in the post `at` and in no other, nor inside another's. */
export function rareWord(at) {
  return `zq${at.toString(36)}xz`;
}

/** Markdown of about `size` bytes: paragraphs, now and then a heading, a list, a quotation or emphasis. */
function printBody(size, random) {
  const blocks = [];
  for (let length = 0; length < size; length += blocks.at(-1).length + 2) {
    const kind = random(10);
    const paragraph = Array.from({ length: 2 + random(4) }, () => `${sentence(random, 6 + random(12))}.`).join(' ');
    if (kind === 0) blocks.push(`## ${sentence(random, 4)}`);
    else if (kind === 1) blocks.push(Array.from({ length: 3 }, () => `- ${sentence(random, 5)}`).join('\n'));
    else if (kind === 2) blocks.push(`> ${paragraph}`);
    else if (kind === 3)
      blocks.push(`**${sentence(random, 3)}** ${paragraph} [${sentence(random, 2)}](https://example.com/${random(1000)})`);
    else blocks.push(paragraph);
  }
  return `${blocks.join('\n\n')}\n`;
}

function sentence(random, length) {
  const text = Array.from({ length }, () => words[random(words.length)]).join(' ');
  return text[0].toUpperCase() + text.slice(1);
}

/** Whole numbers from 0 to below `limit`, always the same sequence for a seed (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
