/**
 * Keyword research: keyphrases that are searched for beside one, as a service outside knows them.
 *
 * Shape    flat, `status` repeats that of the answer
 * Access   people who write posts or pages
 * Source   reference of seo/v1, 3.14
 */
import { createTtlCache, type TtlCache } from '../../../http-client/ttl-cache.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { accepted, type AskService, ServiceError } from './requests.ts';
import type { Tokens } from './tokens.ts';
import type { Upstream } from './upstreams.ts';

interface RelatedKeyphrases {
  readonly results: unknown;
  readonly status: number;
}

export interface KeywordTool {
  readonly tokens: Tokens;
  /** @throws ServiceError */
  related(keyphrase: string, country: string): Promise<RelatedKeyphrases>;
}

const dayMs = 86_400_000;

export function createKeywordTool(
  { store, clock }: Pick<Site, 'store' | 'clock'>,
  upstream: Upstream<'keyword-tool'>,
  tokens: Tokens,
  ask: AskService,
): KeywordTool {
  const known: TtlCache<RelatedKeyphrases> = createTtlCache(store.cache, {
    folder: 'seo/keyword-tool',
    lifetimeMs: dayMs,
    clock,
  });

  return {
    tokens,
    async related(keyphrase, country) {
      const key = JSON.stringify([country, keyphrase]);
      const kept = await known.get(key);
      if (kept) return kept;
      const found = await search(keyphrase, country);
      await known.set(key, found);
      return found;
    },
  };

  async function search(phrase: string, database: string): Promise<RelatedKeyphrases> {
    const { access_token } = await tokens.current();
    const query = new URLSearchParams({
      phrase,
      database,
      export_columns: 'Ph,Nq,Td,In,Kd',
      display_limit: '10',
      display_offset: '0',
      display_sort: 'nq_desc',
      display_filter: '+|Nq|Lt|1000',
      access_token,
    });
    const body = accepted(
      await ask(`${upstream.base_url}${upstream.data_path}?${query}`, {
        method: 'GET',
        headers: { Authorization: `Bearer ${access_token}` },
        timeoutMs: upstream.timeout_ms,
      }),
    );
    const status = Number(body.status ?? 200);
    if (!isMap(body.data) || !(status >= 200 && status <= 599))
      throw new ServiceError(502, scalarText(body.message) || 'The service gave no keyphrases.');
    return { results: body.data, status };
  }
}
