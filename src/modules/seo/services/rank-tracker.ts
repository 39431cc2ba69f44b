/**
 * Rank tracking: where keyphrases of the site stand, as a service outside follows them.
 *
 * Shape    flat, `status` repeats that of the answer; `results` is a map by keyword
 * Access   people who publish posts or pages
 * Source   reference of seo/v1, 3.15
 */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { accepted, type AskService, ServiceError, type ServiceRequest } from './requests.ts';
import type { Tokens } from './tokens.ts';
import type { Upstream } from './upstreams.ts';

interface AccountLimit {
  readonly canTrack: boolean;
  /** Null: none. */
  readonly limit: number | null;
  readonly usage: number;
  readonly historyDays: unknown;
}

type Results = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What clients ask of keyphrases that are followed. */
interface Lookup {
  readonly keyphrases: readonly string[];
  readonly permalink: string | null;
  readonly startAt: string | null;
}

/** Every method throws ServiceError. */
export interface RankTracker {
  readonly tokens: Tokens;
  authorizationUrl(): Promise<string>;
  limit(): Promise<AccountLimit>;
  track(keyphrases: readonly string[]): Promise<Results>;
  find(lookup: Lookup): Promise<Results>;
  untrack(id: string): Promise<void>;
  campaign(): Promise<{ readonly discount: unknown; readonly months: unknown }>;
}

/** More keyphrases than the account may follow. */
export class LimitError extends ServiceError {
  readonly limit: number | null;
  constructor(limit: number | null) {
    super(400, 'The account cannot track more keyphrases.');
    this.limit = limit;
  }
}

const scope = 'profile account websites:read websites:write offline_access';
const lookupTimeoutMs = 60_000;

export function createRankTracker(
  site: Pick<Site, 'url'>,
  upstream: Upstream<'rank-tracker'>,
  tokens: Tokens,
  ask: AskService,
): RankTracker {
  const tracker: RankTracker = {
    tokens,
    async authorizationUrl() {
      if (!upstream.isSet) throw new ServiceError(400, 'No service is set up.');
      const challenge = await tokens.challenge();
      const query = new URLSearchParams({
        response_type: 'code',
        redirect_uri: upstream.redirect_uri,
        client_id: upstream.client_id,
        scope,
        state: JSON.stringify({ domain: new URL(site.url).host }),
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      return `${upstream.auth_base_url}${upstream.authorize_path}?${query}`;
    },
    async limit() {
      const { limits } = await call('GET', upstream.account_path);
      const { keywords } = mapOf(limits);
      if (!isMap(limits) || !isMap(keywords)) throw new ServiceError(502, 'The service said nothing of limits.');
      const limit = keywords.limit === null || keywords.limit === undefined ? null : Number(keywords.limit);
      const usage = Number(keywords.usage ?? 0);
      return { canTrack: limit === null || usage < limit, limit, usage, historyDays: limits.history_days ?? null };
    },
    async track(keyphrases) {
      const { canTrack, limit, usage } = await tracker.limit();
      if (!canTrack || (limit !== null && keyphrases.length + usage > limit)) throw new LimitError(limit);
      const rows = keyphrases.map((keyword) => ({ keyword, groups: [] }));
      const found = await list('POST', upstream.bulk_path, rows);
      return byKeyword(found.map(({ id, keyword }) => ({ id, keyword })));
    },
    async find({ keyphrases, permalink, startAt }) {
      if (keyphrases.length === 0) return {};
      const asked = { keywords: keyphrases, url: permalink, start_at: startAt };
      const found = await list('POST', upstream.lookup_path, asked, upstream.hasTimeout ? upstream.timeout_ms : lookupTimeoutMs);
      const wanted = new Set(keyphrases.map((one) => one.toLowerCase()));
      return byKeyword(found.filter(({ keyword }) => wanted.has(String(keyword).toLowerCase())));
    },
    async untrack(id) {
      await tokens.current();
      if (id === '') throw new ServiceError(400, 'No keyphrase was named.');
      await call(
        'DELETE',
        upstream.delete_path.replaceAll('{id}', () => encodeURIComponent(id)),
      );
    },
    async campaign() {
      const { type, months, value } = await call('GET', upstream.campaign_path);
      const isOffer = type === 'RATE' && Number(months) > 0 && Number(value) > 0;
      return isOffer ? { discount: value, months } : { discount: null, months: null };
    },
  };
  return tracker;

  async function call(
    method: ServiceRequest['method'],
    path: string,
    body?: unknown,
    timeoutMs: number = upstream.timeout_ms,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { access_token } = await tokens.current();
    const website = encodeURIComponent(await tokens.website());
    const answered = await ask(upstream.base_url + path.replaceAll('{websiteId}', () => website), {
      method,
      headers: {
        Authorization: `Bearer ${access_token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    });
    return accepted(answered);
  }

  async function list(
    method: ServiceRequest['method'],
    path: string,
    body: unknown,
    timeoutMs?: number,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { data, message } = await call(method, path, body, timeoutMs);
    if (Array.isArray(data)) return data.filter(isMap);
    throw new ServiceError(502, typeof message === 'string' ? message : 'The service gave no keyphrases.');
  }
}

function byKeyword(rows: readonly Readonly<Record<string, unknown>>[]): Results {
  const found: Record<string, Readonly<Record<string, unknown>>> = Object.create(null);
  for (const row of rows) if (typeof row.keyword === 'string') found[row.keyword] = row;
  return found;
}
