/** Whether a site answers at its address, as a program asks it. */
import { neutral } from '../../kernel/rest/dialect.ts';
import { ask } from './ask.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';

/** What an index says of its site. */
interface Index {
  readonly url: string;
  readonly home: string;
}

/** Of clocks, before it matters to anybody. */
const mostSkewSeconds = 60;
const { ok, no } = judgeOf('address');

/** Where the interface of a site is, with a slash at its end. */
export function rootOf(site: string): string {
  return `${site.replace(/\/$/, '')}${neutral.root}/`;
}

/** @returns the index of the site; null where it cannot be had */
export async function* lookAtAddress(root: string): AsyncGenerator<DoctorFinding, Index | null> {
  const open = await ask(root);
  if (open instanceof Error) {
    yield no(`${root} does not answer: ${open.message}`, 'is it served, and at this address?');
    return null;
  }
  const { status, headers } = open;
  if (status >= 300 && status < 400) {
    yield no(
      `${root} leads to ${headers.get('location')}`,
      'name that address: most programs send no credentials to where they are led',
    );
    return null;
  }
  if (status === 421) {
    yield no('the service does not answer for this host', 'list it in CMS_HOSTS');
    return null;
  }
  const index = (await open.json().catch(() => null)) as (Partial<Index> & { readonly authentication?: unknown }) | null;
  if (status !== 200 || !index?.authentication) {
    yield no(`${root} is not the interface (${status})`, 'the address lacks a path, or a proxy answers');
    return null;
  }
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
  return { url: index.url ?? '', home: index.home ?? '' };
}
