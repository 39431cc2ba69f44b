/** A mail server on loopback that keeps what it accepts. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** As sent, decoded from quoted-printable and base64. */
  readonly text: string;
  readonly headers: string;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly received: Received[];
  /** The operator's `mail:` for it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Refuses with this code from now on; 0: accepts. */
  refuse(code: number): void;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = [];
  let code = 0;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo(_address, _session, done) {
      done(code === 0 ? null : Object.assign(new Error('not now'), { responseCode: code }));
    },
    onData(stream, { envelope, user }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const whole = Buffer.concat(parts).toString('utf8');
        const at = whole.indexOf('\r\n\r\n');
        const headers = whole.slice(0, at);
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          headers,
          text: decoded(whole.slice(at + 4), headers),
          user: user as string | undefined,
        });
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    settings: { host: '127.0.0.1', port, security: 'none', from: 'Harbour Notes <cms@example.com>' },
    refuse: (given) => {
      code = given;
    },
    close: () => new Promise((done) => server.close(done)),
  };
}

function decoded(body: string, headers: string): string {
  if (/^content-transfer-encoding: base64/im.test(headers))
    return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return (/quoted-printable/i.test(headers) ? Buffer.from(bytes, 'latin1').toString('utf8') : body).replaceAll('\r\n', '\n');
}
