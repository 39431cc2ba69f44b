/**
 * Services that help with keyphrases, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { createKeywordTool, type KeywordTool } from './keyword-tool.ts';
import { createRankTracker, type RankTracker } from './rank-tracker.ts';
import { createAskService } from './requests.ts';
import { serviceRoutes } from './routes.ts';
import { createTokens } from './tokens.ts';
import { readUpstreams } from './upstreams.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly keywordTool: KeywordTool;
    readonly rankTracker: RankTracker;
  }
}

export const seoServices: Module = {
  name: 'seo-services',
  setup(site) {
    const upstreams = readUpstreams(site.operator['seo.upstreams']);
    const ask = createAskService(site.operator);
    const { 'keyword-tool': keywords, 'rank-tracker': ranks } = upstreams;
    return {
      site: {
        keywordTool: createKeywordTool(site, keywords, createTokens(site, keywords, ask), ask),
        rankTracker: createRankTracker(site, ranks, createTokens(site, ranks, ask), ask),
      },
    };
  },
  namespaces: (site) => [{ name: 'seo/v1', routes: serviceRoutes(site) }],
};
