import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Every file of tests. */
export const every = 'test/**/*.test.ts';

/**
 * Files share processes, so that each process reads the sources once. Those that change the process they run in, or measure it, have
 * one of their own.
 */
export const alone = [
  'test/contract/disk-faults.test.ts',
  'test/contract/write-faults.test.ts',
  'test/contract/odd-disks.test.ts',
  'test/contract/power-cuts.test.ts',
  'test/contract/media.test.ts',
  'test/modules/git/commits/disk-faults.test.ts',
  'test/modules/git/commits/faults.test.ts',
  'test/kernel/store/hint-source.test.ts',
  'test/kernel/store/store.test.ts',
  'test/patterns.test.ts',
];

/**
 * What `npm test` leaves to `npm run test:all`: files that need more than Node, git, sh and coreutils, or that ask for it; that kill programs
 * or wait for them; that import, export or draw many cases; and others of more than some seconds, so that what is left takes three minutes on two
 * cores. Those that take longest first, as they begin.
 */
export const long = [
  'test/recipes/recipes.test.ts',
  'test/recipes/rebuild.test.ts',
  'test/recipes/n8n.test.ts',
  'test/cli/trust.test.ts',
  'test/package.test.ts',
  'test/modules/translation/service/killed.test.ts',
  'test/modules/mail/killed.test.ts',
  'test/modules/events/killed.test.ts',
  'test/modules/events/wandering.test.ts',
  'test/modules/events/leased-webhooks.test.ts',
  'test/contract/hostile-documents.test.ts',
  'test/contract/crawl.test.ts',
  'test/contract/one-item.test.ts',
  'test/contract/block-trust.test.ts',
  'test/contract/cache-keys.test.ts',
  'test/contract/stored-scripts.test.ts',
  'test/kernel/http/large-bodies.test.ts',
  'test/cli/import-live.test.ts',
  'test/kernel/http/crash.test.ts',
  'test/contract/canaries.test.ts',
  'test/workers/as-one.test.ts',
  'test/modules/fields/v3/rows.test.ts',
  'test/modules/website/theme/browser.test.ts',
  'test/modules/website/theme/texts-browser.test.ts',
  'test/editor/browser.test.ts',
  'test/editor/live.test.ts',
  'test/editor/lists.test.ts',
  'test/editor/media.test.ts',
  'test/editor/menus.test.ts',
  'test/editor/site.test.ts',
  'test/editor/details.test.ts',
  'test/editor/metadata.test.ts',
  'test/editor/translations.test.ts',
  'test/editor/comments.test.ts',
  'test/editor/days.test.ts',
  'test/editor/terms.test.ts',
  'test/editor/waiting.test.ts',
  'test/editor/safe.test.ts',
  'test/editor/block-editor.test.ts',
  'test/contract/renames.test.ts',
  'test/contract/objects.test.ts',
  'test/cli/translate-killed.test.ts',
  'test/cli/merge-driver.test.ts',
  'test/modules/people/sign-in/browser.test.ts',
  'test/modules/people/openid/browser.test.ts',
  'test/modules/people/passkeys/browser.test.ts',
  'test/modules/people/second-factor/browser.test.ts',
  'test/contract/copies.test.ts',
  'test/cli/export.test.ts',
  'test/modules/git/commits/two-servers.test.ts',
  'test/recipes/new-user.test.ts',
  'test/contract/ids.test.ts',
  'test/openapi/document.test.ts',
  'test/contract/slow-texts.test.ts',
  'test/contract/object-words.test.ts',
  'test/transfer/export/static.test.ts',
  'test/contract/catalogue.test.ts',
  'test/contract/interleaving.test.ts',
  'test/modules/git/commits/push.test.ts',
  'test/modules/git/commits/commits.test.ts',
  'test/contract/caches.test.ts',
  'test/workers/processes.test.ts',
  'test/kernel/site/record-cache.test.ts',
  'test/contract/crash-loop.test.ts',
  'test/openapi/reference-page.test.ts',
  'test/transfer/import/fixed-point.test.ts',
  'test/contract/filter-content.test.ts',
  'test/openapi/types.test.ts',
  'test/contract/scheduled.test.ts',
  'test/kernel/http/connections.test.ts',
  'test/kernel/records/planner.test.ts',
  'test/modules/people/sessions/sessions.test.ts',
  'test/modules/media/folders/files.test.ts',
  'test/kernel/http/nodes.test.ts',
  'test/kernel/site/nodes.test.ts',
  'test/cli/engine.test.ts',
  'test/cli/engine-git.test.ts',
  'test/cli/engine-commands.test.ts',
  'test/modules/git-remote/remote.test.ts',
  'test/engines/content-engines.test.ts',
  'test/operations/workers.test.ts',
  'test/modules/website/theme/overrides.test.ts',
  'test/contract/writers-week.test.ts',
  'test/modules/media/store/site.test.ts',
  'test/cli/doctor-checks.test.ts',
  'test/kernel/store/snapshot.test.ts',
  'test/transfer/import/import-site-property.test.ts',
  'test/modules/website/theme/export.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/settings-values.test.ts',
  'test/cli/pages.test.ts',
  'test/cli/mcp.test.ts',
  'test/cli/mcp-tools.test.ts',
  'test/transfer/import/import-site.test.ts',
  'test/ci/conformance.test.ts',
  'test/modules/content/revisions/git.test.ts',
  'test/kernel/rest/lists.test.ts',
  'test/modules/website/theme/open.test.ts',
  'test/contract/revoked.test.ts',
  'test/modules/languages/branches.test.ts',
  'test/render/render-worker.test.ts',
  'test/cli/backup.test.ts',
  'test/contract/random-requests.test.ts',
  'test/contract/first-dates.test.ts',
  'test/kernel/yaml/codec.test.ts',
  'test/modules/people/sign-in/profile.test.ts',
  'test/deploying.test.ts',
  'test/deploying-nodes.test.ts',
  'test/deploying-started.test.ts',
  'test/contract/git-beside.test.ts',
  'test/cli/import-unreadable.test.ts',
  'test/operations/probes.test.ts',
  'test/readme.test.ts',
  'test/transfer/archive/archive.test.ts',
  'test/kernel/store/git.test.ts',
  'test/contract/declared-values.test.ts',
  'test/kernel/site/chunked-ingest.test.ts',
  'test/kernel/http/front-cache.test.ts',
  'test/modules/git/commits/crash.test.ts',
  'test/transfer/sources/wxr.test.ts',
  'test/kernel/yaml/edit.test.ts',
  'test/transfer/one-meaning.test.ts',
  'test/contract/status-keys.test.ts',
  'test/modules/media/folder-imports/imports.test.ts',
  'test/contract/comments.test.ts',
  'test/cli/routes.test.ts',
  'test/kernel/site/ingest.test.ts',
  'test/kernel/site/id-ranges.test.ts',
  'test/cli/item-history.test.ts',
  'test/transfer/sources/rest.test.ts',
  'test/validate/fuzz.test.ts',
  'test/validate/plain-words.test.ts',
  'test/transfer/sources/markdown.test.ts',
  'test/modules/media/folder-imports/csv.test.ts',
  'test/kernel/site/in-batches.test.ts',
  'test/modules/seo/head/hostile.test.ts',
  'test/cli/validate-lost-addresses.test.ts',
  'test/contract/concurrent-writers.test.ts',
  'test/cli/translate.test.ts',
  'test/transfer/export/static-languages.test.ts',
  'test/kernel/http/cors.test.ts',
  'test/cli/import-ids.test.ts',
  'test/transfer/sources/rest-own.test.ts',
  'test/transfer/import/markdown.test.ts',
  'test/kernel/http/failures.test.ts',
  'test/modules/seo/import/import.test.ts',
  'test/modules/media/transforms/image-transforms.test.ts',
  'test/transfer/export/wxr.test.ts',
  'test/modules/translation/xliff/independent.test.ts',
  'test/modules/translation/xliff/tools.test.ts',
  'test/cli/completion.test.ts',
];

/** By name, in the order in which they run. */
export const projects = {
  alone: { include: alone },
  long: { include: long, isolate: false },
  quick: { include: [every], exclude: [...alone, ...long], isolate: false },
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = long.indexOf(relative(import.meta.dirname, moduleId));
      return at < 0 ? long.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Of every project. */
const common: TestUserConfig = {
  setupFiles: ['test/support/seed.ts'],
  globalSetup: ['test/support/run-folder.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Machines of others may stand still for seconds. The report says which test needed a second try.
  retry: process.env.CI ? 1 : 0,
  // A hint of a changed file may be lost: then the sweep brings it, every five seconds and later on a busy machine.
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    // Much of what is shown is shown by waiting for it: a file that waits leaves its core to another. Said here alone, or what the
    // command line says has no effect.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // What a source is to Vitest is made once, not in each run and for each project.
    experimental: { fsModuleCache: true },
    projects: Object.entries(projects).map(([name, project], groupOrder) => ({
      test: { ...common, ...project, name, sequence: { groupOrder } },
    })),
  },
});
