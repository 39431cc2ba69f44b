/**
 * The yardstick: a bare `node:http` server that repeats recorded answers. Started by `run.mjs` as a child process, which sends
 * it {path: {status, headers, body}} (headers as a flat list of names and values, body in base64) and gets back its port.
 */
import { createServer } from 'node:http';

process.once('message', (answers) => {
  const table = new Map(
    Object.entries(answers).map(([path, { status, headers, body }]) => [
      path,
      { status, headers, body: Buffer.from(body, 'base64') },
    ]),
  );
  const server = createServer((request, response) => {
    const answer = table.get(request.url);
    response.writeHead(answer?.status ?? 404, answer?.headers ?? []);
    response.end(answer?.body);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit(0));
