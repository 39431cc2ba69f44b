/** What the operator has said of proxies, held against the address of the site. */
import { hostMatcher } from '../../kernel/model/addresses.ts';
import type { Operator } from '../../kernel/model/operator.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';

type Said = Pick<Operator, 'trusted_proxies' | 'require_https' | 'hosts'>;

/** @param address  public address of the site; null where none is said */
export function* lookAtProxies({ trusted_proxies, require_https, hosts }: Said, address: string | null): Iterable<DoctorFinding> {
  const { ok, no } = judgeOf('proxies');
  const { protocol, hostname } = address === null ? { protocol: '', hostname: '' } : new URL(address);
  const everybody = trusted_proxies.find((network) => /\/0$/.test(network));
  let isFine = true;
  const found = (text: string, fix: string): DoctorFinding => {
    isFine = false;
    return no(text, fix);
  };
  if (everybody !== undefined)
    yield found(
      `trusted_proxies has ${everybody}: everybody may say where a request came from, and pass the limit on wrong passwords`,
      'name the proxies alone: CMS_TRUSTED_PROXIES=127.0.0.1',
    );
  const none = trusted_proxies.length === 0;
  if (none && require_https)
    yield found(
      'require_https is on and no proxy is trusted: no request from elsewhere counts as HTTPS',
      'CMS_TRUSTED_PROXIES=127.0.0.1 (where the proxy is)',
    );
  else if (none && protocol === 'https:')
    yield found(
      'the site is at https, so a proxy is in front, and none is trusted: all clients are one address for the limit on wrong passwords',
      'CMS_TRUSTED_PROXIES=127.0.0.1 (where the proxy is), and let it set X-Forwarded-For and X-Forwarded-Proto',
    );
  if (hosts.length > 0 && hostname !== '' && !hostMatcher(hosts)(hostname))
    yield found(
      `hosts does not have ${hostname}, the host of the site: requests for it are answered with 421`,
      `CMS_HOSTS="${[...hosts, hostname].join(', ')}"`,
    );
  if (isFine) yield ok(none ? 'no proxy is trusted' : `trusted proxies: ${trusted_proxies.join(', ')}`);
}
