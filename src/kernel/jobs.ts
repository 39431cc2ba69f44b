/**
 * What modules do beside requests, begun when a site is served and ended before it closes.
 */
import type { Site } from './site/site.ts';

/** @returns what ends the jobs: at once as far as nothing is under way, in the order in which they began */
export function startJobs(site: Site): () => Promise<void> {
  const stops = site.modules.list.flatMap(({ jobs = [] }) => jobs.map((job) => job.start(site)));
  return async () => {
    for (const stopped of stops.map((stop) => stop())) await stopped;
  };
}
