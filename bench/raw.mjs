/**
 * The yardstick: a bare `node:http` server that repeats recorded answers. Started as a child process, which is sent
 * {path: {status, headers, body}} (headers as a flat list of names and values, body in base64) and gives back its port. What
 * makes an address new (`_=…`) is not looked at; `if-none-match` gets a 304 without a body.
 */
import { createServer } from 'node:http';

process.once('message', (answers) => {
  const table = new Map(
    Object.entries(answers).map(([path, { status, headers, body }]) => [
      path,
      {
        status,
        headers,
        known: headers.filter((_, at) => !/^content-(type|length)$/i.test(headers[at - (at % 2)])),
        body: Buffer.from(body, 'base64'),
      },
    ]),
  );
  const server = createServer((request, response) => {
    const mark = request.url.indexOf('_=');
    const answer = table.get(mark < 0 ? request.url : request.url.slice(0, mark - 1));
    if (request.headers['if-none-match'] !== undefined) response.writeHead(304, answer?.known ?? []).end();
    else response.writeHead(answer?.status ?? 404, answer?.headers ?? []).end(answer?.body);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit(0));
