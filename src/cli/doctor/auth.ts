/**
 * `cms doctor auth`: why credentials do not work. Asks the service as a program does, and says of each thing on the way whether it is
 * as it must be: the address, proxies, the clock, the header that carries the credentials, the name and the password.
 */
import { table } from '../../kernel/model/maps.ts';
import type { Command } from 'commander';
import { neutral } from '../../kernel/rest/dialect.ts';
import { failed } from '../failure.ts';
import { defaultHost, defaultPort, examples, login, url } from '../flags.ts';
import type { Io } from '../io.ts';
import { lookAtAddress, rootOf } from './address.ts';
import { ask } from './ask.ts';
import { type DoctorFinding, judgeOf, say } from './finding.ts';

interface Options {
  readonly url: string;
  readonly user?: string;
  readonly passwordStdin?: true;
}

const { ok, no } = judgeOf('sign-in');

/** What the service says in its header of wrong credentials. */
const faults: Readonly<Record<string, readonly [text: string, hint: string]>> = table({
  'unknown-scheme': ['the credentials do not arrive as HTTP Basic', 'a proxy or a plugin of the client rewrites the header'],
  malformed: ['the credentials arrive, and cannot be read', 'they are base64 of LOGIN:PASSWORD in UTF-8'],
  'not-an-application-password': [
    'this is not as long as an application password',
    'programs do not sign in with a login password; to create one: cms password create LOGIN',
  ],
  'wrong-name-or-password': [
    'the name or the password is wrong, or the password was revoked',
    'cms user list shows the names, cms password list LOGIN the passwords',
  ],
  'insecure-connection': [
    'the service takes credentials over HTTPS alone, and this request came without',
    'ask it at https://, or list the proxy that ends HTTPS in CMS_TRUSTED_PROXIES and let it set X-Forwarded-Proto',
  ],
});

export function defineAuth(command: Command, io: Io): void {
  command
    .option('--url <address>', 'URL of the site', url, `http://${defaultHost}:${defaultPort}`)
    .option('--user <login>', 'login to check', login)
    .option('--password-stdin', 'read the application password from stdin')
    .action((options: Options) => run(options, io));
  examples(
    command,
    'cms doctor auth --url https://example.com',
    'cms doctor auth --url https://example.com --user ada --password-stdin < file',
  );
}

async function run({ url: site, user, passwordStdin }: Options, io: Io): Promise<void> {
  const password = passwordStdin ? (await io.input()).replace(/\r?\n$/, '') : undefined;
  const root = rootOf(site);
  let wrong = 0;
  for await (const finding of user === undefined || password === undefined ? looks(root) : looks(root, user, password)) {
    if (!finding.isFine) wrong++;
    say(finding, io);
  }
  if (wrong > 0) failed(`${wrong} ${wrong === 1 ? 'problem' : 'problems'} found`);
}

async function* looks(root: string, user = '', password = ''): AsyncIterable<DoctorFinding> {
  const index = yield* lookAtAddress(root);
  if (index !== null && user !== '') yield* tries(root, user, password);
}

async function* tries(root: string, user: string, password: string): AsyncIterable<DoctorFinding> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const answer = await ask(`${root}cms/v2/users/me?context=edit`, { authorization });
  if (answer instanceof Error) return yield no(`the service does not answer a request with credentials: ${answer.message}`);
  const { status, headers } = answer;
  const body = (await answer.json().catch(() => ({}))) as { readonly roles?: readonly string[]; readonly code?: string };
  const fault = headers.get(neutral.header('Auth')) ?? '';
  if (status === 200) return yield ok(`${user} signs in, as ${(body.roles ?? []).join(' and ') || 'nobody in particular'}`);
  if (status === 429)
    return yield no(
      'too many wrong passwords came from this address',
      `wait ${headers.get('retry-after')} s; others are not kept out`,
    );
  if (body.code === 'rest_insufficient_scope') return yield ok(`${user} signs in, with a password for another purpose`);
  const known = Object.hasOwn(faults, fault) ? faults[fault] : undefined;
  if (known) return yield no(...known);
  yield no(
    'the credentials do not arrive: something on the way takes the Authorization header out',
    'Apache: CGIPassAuth On, or RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]; nginx: no proxy_set_header Authorization ""',
  );
}
