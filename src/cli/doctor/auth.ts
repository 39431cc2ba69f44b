/**
 * `cms doctor auth`: why credentials do not work. Asks the service as a program does, and says of each thing on the way whether it is
 * as it must be: the address, proxies, the clock, the header that carries the credentials, the name and the password.
 */
import type { Command } from 'commander';
import { neutral } from '../../kernel/rest/dialect.ts';
import { failed } from '../failure.ts';
import { defaultHost, defaultPort, examples, login, url } from '../flags.ts';
import { type Io, paint } from '../io.ts';

interface Options {
  readonly url: string;
  readonly user?: string;
  readonly passwordStdin?: true;
}

interface Finding {
  readonly isFine: boolean;
  readonly text: string;
  readonly hint?: string;
}

const timeoutMs = 10_000;
/** Of clocks, before it matters to anybody. */
const mostSkewSeconds = 60;

/** What the service says in its header of wrong credentials. */
const faults: Readonly<Record<string, readonly [text: string, hint: string]>> = {
  'unknown-scheme': [
    'the credentials arrive as something else than HTTP Basic',
    'a proxy or a plugin of the client writes the header anew',
  ],
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
};

export function defineDoctor(command: Command, io: Io): void {
  const auth = command
    .command('auth')
    .description('find out why credentials do not work')
    .option('--url <address>', 'address of the site', url, `http://${defaultHost}:${defaultPort}`)
    .option('--user <login>', 'who signs in', login)
    .option('--password-stdin', 'read the application password from stdin')
    .action((options: Options) => run(options, io));
  examples(
    auth,
    'cms doctor auth --url https://example.com',
    'cms doctor auth --url https://example.com --user ada --password-stdin < file',
  );
  examples(command, 'cms doctor auth --url https://example.com');
}

async function run({ url: site, user, passwordStdin }: Options, io: Io): Promise<void> {
  const password = passwordStdin ? (await io.input()).replace(/\r?\n$/, '') : undefined;
  const findings: Finding[] = [];
  const root = `${site.replace(/\/$/, '')}${neutral.root}/`;
  for await (const finding of user === undefined || password === undefined ? looks(root) : looks(root, user, password)) {
    findings.push(finding);
    io.out(`${paint(io, 'out', finding.isFine ? 'green' : 'red', finding.isFine ? 'ok' : 'no')}  ${finding.text}`);
    if (finding.hint) io.out(`    ${finding.hint}`);
  }
  const wrong = findings.filter(({ isFine }) => !isFine).length;
  if (wrong > 0) failed(`${wrong} ${wrong === 1 ? 'thing is' : 'things are'} not as they must be`);
}

async function* looks(root: string, user = '', password = ''): AsyncIterable<Finding> {
  const open = await ask(root);
  if (open instanceof Error) return yield no(`${root} does not answer: ${open.message}`, 'is it served, and at this address?');
  const { status, headers } = open;
  if (status >= 300 && status < 400)
    return yield no(
      `${root} leads to ${headers.get('location')}`,
      'name that address: most programs send no credentials to where they are led',
    );
  if (status === 421) return yield no('the service does not answer for this host', 'list it in CMS_HOSTS');
  const index = (await open.json().catch(() => null)) as { readonly authentication?: unknown } | null;
  if (status !== 200 || !index?.authentication)
    return yield no(`${root} is not the interface (${status})`, 'the address lacks a path, or a proxy answers');
  yield ok(`${root} answers`);
  const skew = (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
  if (Math.abs(skew) > mostSkewSeconds)
    yield no(
      `the clock of the service is ${Math.round(Math.abs(skew))} s ${skew > 0 ? 'ahead of' : 'behind'} this one`,
      'dates of sessions and of what is scheduled are wrong on one of them',
    );
  else yield ok('the clocks agree');
  const { protocol, hostname } = new URL(root);
  if (protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname))
    yield no(
      'everybody between hears the password: this is HTTP',
      'serve it behind a proxy with HTTPS, and set CMS_REQUIRE_HTTPS=1',
    );
  if (user !== '') yield* tries(root, user, password);
}

async function* tries(root: string, user: string, password: string): AsyncIterable<Finding> {
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

function ask(address: string, headers: Record<string, string> = {}): Promise<Response | Error> {
  return fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    const { cause } = error as Error;
    return cause instanceof Error ? cause : (error as Error);
  });
}

function ok(text: string): Finding {
  return { isFine: true, text };
}

function no(text: string, hint?: string): Finding {
  return { isFine: false, text, ...(hint === undefined ? {} : { hint }) };
}
