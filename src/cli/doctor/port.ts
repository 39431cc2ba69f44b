/** Whether the server could listen where it is to. */
import { createServer } from 'node:net';
import { neutral } from '../../kernel/rest/dialect.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';
import { ask } from './ask.ts';

const { ok, no } = judgeOf('port');

export async function lookAtPort(host: string, port: number): Promise<DoctorFinding> {
  const where = `port ${port} on ${host}`;
  const refusal = await tryToListen(host, port);
  if (refusal === null) return ok(port === 0 ? `a free port on ${host} can be had` : `${where} is free`);
  if (refusal === 'EADDRINUSE') {
    const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
    const answer = await ask(`http://${local}:${port}${neutral.root}/`);
    const index =
      answer instanceof Error ? null : ((await answer.json().catch(() => null)) as { readonly namespaces?: unknown } | null);
    if (Array.isArray(index?.namespaces)) return ok(`a server of a site listens on ${where}`);
    return no(
      `${where} is in use by another program`,
      `choose another with --port, or find out whose it is: ss -ltnp 'sport = :${port}'`,
    );
  }
  if (refusal === 'EACCES')
    return no(
      `${where} requires elevated privileges`,
      'serve on a port above 1023 behind a proxy, or AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit',
    );
  if (refusal === 'EADDRNOTAVAIL' || refusal === 'ENOTFOUND' || refusal === 'EAI_AGAIN')
    return no(
      `${host} is not an address of this machine`,
      'use --host 127.0.0.1 for this machine only, 0.0.0.0 for all of its networks',
    );
  return no(`${where} cannot be listened on: ${refusal}`);
}

/** The code of the error; null when it can be done. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
