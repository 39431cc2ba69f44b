/** Email as a module: a queue of letters, sent by the operator's mail server. */
import type { Module } from '../../kernel/module.ts';
import { createOutbox, newPending, ownDocuments } from '../deliveries/index.ts';
import type { Site } from '../../kernel/site/site.ts';
import { deliverLetter } from './deliver.ts';
import { documents, type LetterDelivery, type Mail, type MailSettings, readLetters } from './record.ts';
import { readMail } from './settings.ts';

export { lettersIn, lettersOf, siteName } from './words.ts';

export const mail: Module = {
  name: 'mail',
  setup(site, { log }) {
    return {
      site: { mail: createMail(site, log) },
      // No responses depend on them.
      replicated: { name: 'mail', documents: { prefix: documents.prefix, reread: () => undefined, announced: true } },
    };
  },
  jobs: [{ name: 'mail', start: (site) => (!site.mail.isSetUp ? async () => undefined : site.mail.start()) }],
};

function createMail({ store, clock, operator }: Site, log: (line: string) => void): Mail {
  const isSetUp = Object.keys(operator.mail).length > 0;
  let settings: MailSettings | null = null;
  const outbox = createOutbox<LetterDelivery>({
    store,
    clock,
    log,
    name: 'mail',
    documents: ownDocuments(store, documents),
    laneOf: () => 'mail',
    lane: () => 'mail',
    resend: 'cms mail resend',
    read: readLetters,
    send: async ({ id, letter }) => (settings ? deliverLetter(settings, letter, id) : { error: 'no mail server is configured' }),
    lookMs: 250,
  });
  return {
    isSetUp,
    look: outbox.look,
    counts: outbox.counts,
    send(letter) {
      if (!isSetUp) return;
      outbox.add({ ...newPending(clock()), letter }, letter.kind);
    },
    start() {
      settings = readMail(operator.mail);
      return outbox.startOwn();
    },
  };
}
