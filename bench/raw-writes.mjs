/**
 * The yardstick of writes: a bare `node:http` server that parses what it is sent, writes it durably and repeats one recorded
 * answer. Started as a child process, which is sent {directory, answer: {status, headers, body}} as `raw.mjs` is, and gives back
 * its port. Posts that wait together are written together, as ours are: files flushed side by side, their directory once. A request
 * to `…/<id>` replaces one file and adds another, as an update that keeps a revision does.
 */
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

const fsync = promisify(fs.fsync);

process.once('message', ({ directory, answer: { status, headers, body } }) => {
  const answer = Buffer.from(body, 'base64');
  let serial = 0;
  let made = 0;
  let waiting = [];
  let isWriting = false;

  async function writeWaiting() {
    isWriting = true;
    while (waiting.length > 0) {
      // All that has come in by now is in the group.
      await new Promise(setImmediate);
      const group = waiting;
      waiting = [];
      // A single one is waited for in place: the thread pool would cost as much again.
      const flush = group.length === 1 ? fs.fsyncSync : fsync;
      const files = group.flatMap(({ names, text }) => names.map((name) => ({ name, text, made: `.${++made}` })));
      await Promise.all(files.map((file) => withFile(file.made, 'wx', file.text, flush)));
      for (const file of files) fs.renameSync(join(directory, file.made), join(directory, file.name));
      await withFile('', 'r', '', flush);
      for (const { response } of group) response.writeHead(status, headers).end(answer);
    }
    isWriting = false;
  }

  async function withFile(name, flags, text, flush) {
    const file = fs.openSync(join(directory, name), flags);
    if (text !== '') fs.writeSync(file, text);
    await flush(file);
    fs.closeSync(file);
  }

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { title, content } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const [, id] = /\/(\d+)$/.exec(request.url) ?? [];
      const names = [`${++serial}.md`, ...(id === undefined ? [] : [`post-${id}.md`])];
      waiting.push({ names, text: `---\ntitle: ${title}\n---\n${content}`, response });
      if (!isWriting) void writeWaiting();
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit(0));
