/**
 * A live site, read over its REST API under either prefix: everything a visitor sees, and with an application password what
 * its user may see and edit: drafts, meta, users with email addresses and roles, comments of every status, settings.
 *
 * Every response is requested once and stored in the spool, from which both passes read and an interrupted run continues.
 */
import { createOperatorFetcher, type Fetcher } from '../../http-client/fetch.ts';
import { type SourceItem, type Source, SourceError } from '../import/items.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import { standardTaxonomies } from '../../modules/types/taxonomies.ts';
import { standardTypes } from '../../modules/types/types.ts';
import type { Importer, OpenSource } from './open.ts';
import { authorizationOf, type RestClient, createClient, type RestParams } from './rest/client.ts';
import { designOf, menusOf, titlesWanted } from './rest/design.ts';
import { type Discovered, discover } from './rest/discover.ts';
import { createLanguageReader, polylangRoute } from './rest/languages.ts';
import { beginLearning, listItems } from './rest/lists.ts';
import { askOnce, type RestReading } from './rest/reading.ts';
import {
  declarationOf,
  type Kind,
  readKinds,
  readLocations,
  readSettings,
  readTheme,
  spellKinds,
  type UsualKinds,
} from './rest/site.ts';
import { openSpool } from './rest/spool.ts';
import { operatorDefaults } from '../../kernel/model/operator.ts';

interface RestOptions {
  /** Tests put in their own. */
  readonly fetcher?: Fetcher;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly clock?: () => number;
}

const timeoutMs = 60_000;

export const restImporter: Importer = createRestImporter();

export function createRestImporter({ fetcher, sleep, clock }: RestOptions = {}): Importer {
  return {
    format: 'rest',
    recognises: ({ source }) => /^https?:\/\//i.test(source),
    async open({
      source,
      operator = operatorDefaults(),
      credentials,
      scratch,
      keepGoing,
      signal,
      say,
    }: OpenSource): Promise<Source> {
      const out = fetcher ?? createOperatorFetcher(operator, { timeoutMs });
      const authorization = credentials === undefined ? undefined : authorizationOf(credentials);
      const found = await discover(out, source, { secret: authorization !== undefined });
      const client = createClient({
        fetcher: out,
        root: found.root,
        origins: found.origins,
        authorization,
        signal,
        say,
        ...(sleep ? { sleep } : {}),
      });
      if (authorization !== undefined) await refuseStranger(client, found);
      const who = credentials?.split(':', 1)[0] ?? '';
      const spool = await openSpool(scratch, `${found.root} ${who}`, clock);
      let isDone = false;
      return {
        format: 'rest',
        name: found.root,
        hasSiteTime: true,
        async *items(pass, progress) {
          isDone = false;
          const isSignedIn = authorization !== undefined;
          yield* itemsOf({ found, client, spool, isSignedIn, keepGoing, lost: new Map() }, progress);
          isDone = pass === 'write';
        },
        fetch: (media, into) => client.download(media, into),
        // Another pass may follow the one that writes.
        close: async () => (isDone ? spool.finish() : undefined),
      };
    },
  };
}

async function* itemsOf(reading: RestReading, progress?: (done: number, total: number) => void): AsyncGenerator<SourceItem> {
  const { found, client, isSignedIn } = reading;
  const { dialect, index } = found;
  const once = (route: string, params: RestParams = {}): Promise<unknown> => askOnce(reading, dialect.spellRoute(route), params);
  const edit: RestParams = isSignedIn ? { context: 'edit' } : {};
  const kinds = async (route: string, usual: UsualKinds): Promise<readonly Kind[]> =>
    readKinds((await once(route, edit)) ?? (await once(route)) ?? spellKinds(usual), index, dialect);
  const types = await kinds('/cms/v2/types', standardTypes);
  const taxonomies = await kinds('/cms/v2/taxonomies', standardTaxonomies);
  const settings = isSignedIn ? mapOf(await once('/cms/v2/settings')) : {};
  const statuses = isSignedIn ? Object.keys(mapOf(await once('/cms/v2/statuses', edit))) : [];
  for (const [name, all] of [
    ['type', types],
    ['taxonomy', taxonomies],
  ] as const) {
    const url = client.address(dialect.spellRoute(name === 'type' ? '/cms/v2/types' : '/cms/v2/taxonomies'));
    for (const kind of all) {
      const declaration = declarationOf(kind, name, index, dialect, url);
      if (declaration !== null) yield declaration;
    }
  }
  const titles = await titlesWanted(reading, types);
  const learned = beginLearning([index.home, index.url, found.site], titles);
  const languages = createLanguageReader(found, polylangRoute in index.routes ? await once(polylangRoute) : null);
  yield* listItems({ ...reading, types, taxonomies, statuses, learned, languages }, progress);
  yield* designOf(reading, types);
  yield* menusOf(reading, types, titles);
  if (types.some(({ name }) => ['post', 'page'].includes(name)))
    yield {
      kind: 'lost',
      what: 'revisions',
      place: { source: found.root },
      remarks: [{ severity: 'note', rule: 'revisions', message: 'revisions are not imported' }],
    };
  const theme = isSignedIn ? readTheme(await once('/cms/v2/themes', { status: 'active' })) : null;
  const locations = isSignedIn ? readLocations(await once('/cms/v2/menu-locations', edit)) : {};
  const { facts, remarks } = learned;
  if (client.noticed > 0) {
    const message = `notices of a program stand in ${client.noticed} responses, and were skipped`;
    remarks.set('skipped-text', { severity: 'note', rule: 'skipped-text', message, hint: 'check the log of the source' });
  }
  const known = languages.known();
  const permalink = learned.permalink || facts.permalink;
  yield {
    kind: 'site',
    place: { source: found.root },
    settings: {
      ...readSettings(settings, index),
      ...(permalink ? { permalink } : {}),
      ...(Object.keys(locations).length > 0 ? { menu_locations: locations } : {}),
      ...(theme && !found.isCms ? { theme: { stylesheet: theme.stylesheet, block_theme: theme.isBlock } } : {}),
    },
    addresses: facts.addresses,
    uploads: facts.uploads,
    ...(known ? { languages: known } : {}),
    ...(remarks.size > 0 ? { remarks: [...remarks.values()] } : {}),
  };
  yield* reading.lost.values();
}

/** A wrong password is not the same as a visitor. @throws SourceError */
async function refuseStranger(client: RestClient, { dialect }: Discovered): Promise<void> {
  const { status, url } = await client.get(dialect.spellRoute('/cms/v2/users/me'));
  if (status === 401 || status === 403)
    throw new SourceError(
      'rejects this login and application password',
      { source: url },
      { hint: 'create an application password in the profile of the user; the login password does not work' },
    );
}
