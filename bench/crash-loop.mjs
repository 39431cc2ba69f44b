/**
 * A server that is killed again and again under twenty writers: what it has acknowledged must be there at the next start, each text
 * whole, no id twice. Run by `bench/crash.mjs` for long and by a test for a few rounds.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const writers = 20;
const line = 'the quick brown fox jumps over the lazy dog. ';

/**
 * @param start      starts a server on the folder: `{url, pid, stop()}`; `pid` leads a process group
 * @param dir        the content folder
 * @param headers    of an administrator
 * @param cycles     how often it is killed
 * @param random     0 ≤ n < 1
 * @param withinMs   after its first writes it is killed within so long
 * @param report     called after each cycle
 * @returns  how many writes were acknowledged and checked
 * @throws   what was lost
 */
export async function crashLoop({ start, dir, headers, cycles, random = Math.random, withinMs = 400, report = () => undefined }) {
  /** By writer: its post, the last text that was acknowledged, and one that may or may not have been written. */
  const posts = Array.from({ length: writers }, () => ({ id: 0, text: '', asked: '' }));
  let acknowledged = 0;
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const server = await start();
    const ask = asking(server.url, headers);
    await check(ask, posts, cycle);
    let isOver = false;
    const writing = posts.map(async (post, at) => {
      for (let count = 0; !isOver; count++) {
        post.asked = `${cycle}.${count} ${line.repeat(1 + ((at * 7 + count) % 40))}`.trim();
        const body = { content: post.asked, ...(post.id ? {} : { title: `Writer ${at}`, status: 'publish' }) };
        const answer = await ask('POST', post.id ? `posts/${post.id}` : 'posts', body).catch(() => null);
        if (answer === null || answer.status >= 300) continue;
        post.id = answer.body.id;
        post.text = post.asked;
        acknowledged++;
      }
    });
    // Each round has something to lose, however slow the machine is.
    const wanted = acknowledged + 5;
    while (acknowledged < wanted) await pause(5);
    await pause(random() * withinMs);
    process.kill(-server.pid, 'SIGKILL');
    isOver = true;
    await Promise.all([...writing, server.ended]);
    report({ cycle, acknowledged });
  }
  const server = await start();
  await check(asking(server.url, headers), posts, cycles + 1);
  await server.stop();
  const left = readdirSync(dir, { recursive: true }).filter((name) => /(^|\/)\.cms-tmp-/.test(name));
  if (left.length > 0) throw new Error(`temporary files were left: ${left.join(', ')}`);
  return acknowledged;
}

async function check(ask, posts, cycle) {
  const { status, body } = await ask('GET', 'posts?per_page=100&context=edit&_fields=id,title.raw,content.raw&status=any');
  if (status !== 200) throw new Error(`cycle ${cycle}: the list was answered with ${status}`);
  const found = new Map(body.map(({ id, content }) => [id, content.raw]));
  if (found.size !== body.length) throw new Error(`cycle ${cycle}: an id is there twice`);
  for (const [at, post] of posts.entries()) {
    if (post.id === 0) {
      // A post whose answer was lost is the writer's all the same.
      const own = body.find(({ title }) => title.raw === `Writer ${at}`);
      if (own) Object.assign(post, { id: own.id, text: own.content.raw });
      continue;
    }
    const text = found.get(post.id);
    if (text !== post.text && text !== post.asked)
      throw new Error(
        `cycle ${cycle}: post ${post.id} has ${JSON.stringify(text)}, acknowledged was ${JSON.stringify(post.text)}`,
      );
    post.text = text;
  }
}

function asking(url, headers) {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/cms-json/cms/v2/${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };
}
