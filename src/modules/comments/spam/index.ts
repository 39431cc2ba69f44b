/** The operator's service against spam, as a module. What moderators correct waits in a queue, and no request waits for it. */
import { createOperatorFetcher } from '../../../http-client/fetch.ts';
import type { Module } from '../../../kernel/module.ts';
import { createOutbox, newPending, ownDocuments, readQueue } from '../../deliveries/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { CommentRecord } from '../record.ts';
import { documents, reportCalls, type Spam, type SpamReport, type SpamSettings } from './record.ts';
import { checkComment, factsOf, report } from './service.ts';
import { readSpam } from './settings.ts';

export const spam: Module = {
  name: 'spam',
  setup(site, { log }) {
    return {
      site: { spam: createSpam(site, { log }) },
      // No responses depend on them.
      replicated: { name: 'spam', documents: { prefix: documents.prefix, reread: () => undefined, announced: true } },
    };
  },
  jobs: [{ name: 'spam', start: (site) => (!site.spam.isSetUp ? async () => undefined : site.spam.start()) }],
};

interface SpamOptions {
  readonly log: (line: string) => void;
  /** A visitor waits for a check so long. */
  readonly timeoutMs?: number;
}

export function createSpam(site: Site, { log, timeoutMs = 5000 }: SpamOptions): Spam {
  const { store, clock, operator } = site;
  const isSetUp = Object.keys(operator.spam).length > 0;
  const fetcher = createOperatorFetcher(operator, { timeoutMs });
  let settings: SpamSettings | null = null;
  let isAway = false;
  const outbox = createOutbox<SpamReport>({
    store,
    clock,
    log,
    name: 'spam',
    documents: ownDocuments(store, documents),
    laneOf: () => 'spam',
    lane: () => 'spam reports',
    resend: null,
    read: (bytes) => readQueue<SpamReport>(bytes, isReport),
    async send({ comment, call }, signal) {
      const decided = site.comments.get(comment);
      return settings && decided ? report(fetcher, settings, call, factsOf(site, decided, settings), signal) : null;
    },
    lookMs: 250,
  });
  const { queue } = outbox;
  return {
    isSetUp,
    counts: outbox.counts,
    async check(comment, referrer) {
      if (!settings) return null;
      const browser = { user_agent: site.commenters.get(comment.id)?.agent ?? '', referrer };
      const found = await checkComment(fetcher, settings, { ...factsOf(site, comment, settings), ...browser });
      const isKnown = typeof found === 'boolean';
      if (isKnown && isAway) log('spam: the service answers again');
      if (!isKnown && !isAway) log(`spam: the service ${found.error}; until it answers, comments of visitors wait for approval`);
      isAway = !isKnown;
      return isKnown ? found : null;
    },
    learn(before, after) {
      const { id, author, type } = after;
      if (!isSetUp || isSpam(before) === isSpam(after) || author !== 0 || type !== 'comment') return;
      // Without an address it was not written by a visitor of this site.
      if (!site.commenters.get(id)?.ip) return;
      // The last decision counts.
      queue.waiting = queue.waiting.filter(({ comment }) => comment !== id);
      outbox.add({ ...newPending(clock()), comment: id, call: isSpam(after) ? 'submit-spam' : 'submit-ham' }, `comment ${id}`);
    },
    start() {
      settings = readSpam(operator.spam);
      return outbox.startOwn();
    },
  };
}

/** Spam in the trash is still spam. */
function isSpam({ status, was }: CommentRecord): boolean {
  return status === 'spam' || (status === 'trash' && was === 'spam');
}

function isReport(one: Readonly<Record<string, unknown>>): boolean {
  return typeof one.comment === 'number' && reportCalls.some((call) => call === one.call);
}
