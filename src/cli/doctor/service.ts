/**
 * A site from outside, at the address that people use: whether it knows that address, what a browser lets pages of another origin do
 * with it, and what the proxies between change.
 */
import { neutral } from '../../kernel/rest/dialect.ts';
import { lookAtAddress, rootOf } from './address.ts';
import { ask } from './ask.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';

/** Of nobody: what such pages may do, all may. */
const anyOrigin = 'https://front-end.example';
/** What a front end that writes sends. */
const sentHeaders = ['authorization', 'content-type'];
/** What it reads of an answer. */
const readHeaders = ['Link', neutral.header('Total'), neutral.header('TotalPages')];

/** @param origin  whose pages ask; null: any */
export async function* lookAtService(site: string, origin: string | null): AsyncIterable<DoctorFinding> {
  const root = rootOf(site);
  const index = yield* lookAtAddress(root);
  if (index === null) return;
  yield ownAddress(site, index.url);
  yield* asBrowser(root, origin);
  yield* between(root);
}

function ownAddress(site: string, own: string): DoctorFinding {
  const { ok, no } = judgeOf('address');
  const bare = (address: string): string => address.replace(/\/$/, '');
  if (bare(site) === bare(own)) return ok('the site knows its address');
  return no(
    `the site calls itself ${own}: links and pictures lead there`,
    `url: ${bare(site)} in site.yaml, or cms serve --url ${bare(site)}`,
  );
}

/** As the Fetch standard has a browser ask. Source: fetch.spec.whatwg.org, "CORS protocol". */
async function* asBrowser(root: string, named: string | null): AsyncIterable<DoctorFinding> {
  const { ok, no } = judgeOf('cors');
  const origin = named ?? anyOrigin;
  const who = named === null ? 'pages of other origins' : `pages of ${named}`;
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': sentHeaders.join(',') };
  const preflight = await ask(`${root}cms/v2/posts`, asked, 'OPTIONS');
  const plain = await ask(`${root}cms/v2/types`, { origin });
  if (preflight instanceof Error || plain instanceof Error)
    return yield no(
      `${who} get no answer: ${((preflight instanceof Error ? preflight : plain) as Error).message}`,
      'a proxy may not let the method OPTIONS pass',
    );
  if (!preflight.ok)
    return yield no(
      `a browser asks with OPTIONS before a page of another origin writes, and gets ${preflight.status}`,
      'let the proxy pass OPTIONS on, without asking for a password',
    );
  const reason = refusalIn(preflight, origin, named !== null) ?? refusalIn(plain, origin, named !== null);
  if (reason !== null) return yield no(`${who} may not read the site: ${reason[0]}`, reason[1]);
  const lacking = (name: string, wanted: readonly string[], answer: Response): readonly string[] => {
    const given = wordsOf(answer, name);
    // A star stands for everything but Authorization.
    return wanted.filter((one) => !given.has(one.toLowerCase()) && !(given.has('*') && one !== 'authorization'));
  };
  const unsent = [
    ...lacking('access-control-allow-methods', ['POST'], preflight),
    ...lacking('access-control-allow-headers', sentHeaders, preflight),
  ];
  if (unsent.length > 0)
    yield no(
      `${who} may not send ${unsent.join(', ')}`,
      'a proxy writes Access-Control headers of its own: leave them to the server',
    );
  const unread = lacking('access-control-expose-headers', readHeaders, plain);
  if (unread.length > 0)
    yield no(
      `${who} cannot read ${unread.join(', ')}: lists look as if they had one page`,
      'a proxy takes Access-Control-Expose-Headers away: leave it to the server',
    );
  if (unsent.length + unread.length === 0) yield ok(`${who} may read and write what they have a password for`);
}

/** Why a browser keeps an answer from a page, and what mends it; null where it does not. */
function refusalIn({ headers }: Response, origin: string, withSession: boolean): readonly [text: string, fix: string] | null {
  const allowed = headers.get('access-control-allow-origin');
  if (allowed === null)
    return [
      'no Access-Control-Allow-Origin comes back',
      'a proxy takes it away, or answers itself: leave Access-Control headers to the server',
    ];
  if (allowed.includes(','))
    return [
      `Access-Control-Allow-Origin comes twice (${allowed})`,
      'a proxy adds one: remove its add_header Access-Control-Allow-Origin',
    ];
  if (allowed !== origin && allowed !== '*')
    return [`Access-Control-Allow-Origin is ${allowed}`, 'a stored answer for another origin: the cache must heed Vary: Origin'];
  if (withSession && headers.get('access-control-allow-credentials') !== 'true')
    return ['sessions of people who are signed in do not count there', `CMS_CORS_ORIGINS=${origin}`];
  return null;
}

/** What proxies do to requests with credentials. */
async function* between(root: string): AsyncIterable<DoctorFinding> {
  const { ok, no } = judgeOf('proxies');
  // Cannot be read as credentials, so it counts as no attempt.
  const answer = await ask(`${root}cms/v2/users/me`, { authorization: 'Basic ?' });
  if (answer instanceof Error) return yield no(`a request with credentials gets no answer: ${answer.message}`);
  const { headers } = answer;
  if (headers.get(neutral.header('Auth')) === null)
    yield no(
      'a proxy takes the Authorization header out: nobody can sign in with a password',
      'Apache: CGIPassAuth On; nginx: no proxy_set_header Authorization ""',
    );
  else if (headers.get('age') !== null || /\bHIT\b/i.test(headers.get('x-cache') ?? headers.get('x-cache-status') ?? ''))
    yield no(
      'a cache answers requests with credentials from what it has stored: one may read what another was sent',
      'pass requests with Authorization or cookies by: proxy_no_cache and proxy_cache_bypass',
    );
  else yield ok('credentials arrive');
}

function wordsOf({ headers }: Response, name: string): ReadonlySet<string> {
  const words = (headers.get(name) ?? '').toLowerCase().split(',');
  return new Set(words.map((word) => word.trim()));
}
