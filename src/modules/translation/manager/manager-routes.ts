/**
 * The manager service, `lang/tm/v1/ams`: accounts and engines of the external editor. Without one configured the site answers for itself.
 *
 * Shape    see each handler
 * Access   manage_translations, manage_options
 * Errors   rest_forbidden, rest_invalid_param, lang_upstream_unreachable, lang_upstream_timeout, lang_upstream_error
 * Source   specification 4.13; reference on languages, 6
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { fail, RestError } from '../../../kernel/errors.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { mayManage } from '../jobs/index.ts';
import { managersOf, translatorsOf } from './access.ts';

const base = '/lang/tm/v1/ams';

type Handle = (call: Call) => unknown;

const reading = (handle: Handle): Namespace['routes'][number]['endpoints'][number] => ({
  methods: READ,
  args: {},
  allow: mayManage,
  handle,
});
/** In the name of the site: it sends people's addresses, or shows a way in. */
const acting = (handle: Handle) => ({ ...reading(handle), acts: true }) as const;
const writing = (handle: Handle): Namespace['routes'][number]['endpoints'][number] => ({
  methods: CREATE,
  args: {},
  allow: mayManage,
  handle,
});

export const managerRoutes: Namespace['routes'] = [
  { path: `${base}/register_manager`, endpoints: [writing(register)] },
  { path: `${base}/synchronize/translators`, endpoints: [acting(translators)] },
  { path: `${base}/synchronize/managers`, endpoints: [acting(managers)] },
  { path: `${base}/status`, endpoints: [acting(status)] },
  { path: `${base}/console`, endpoints: [acting(console)] },
  { path: `${base}/engines`, endpoints: [reading(engines), writing(changeEngines)] },
];

/** Whether there is a service to ask. */
function isRemote({ site }: Pick<Call, 'site'>): boolean {
  return (site.translationUpstream.settings.editor?.managerUrl ?? '') !== '';
}

/** `{enabled: true}`; `{enabled: false, error: {header, description}}` where the service does not take the site. */
async function register(call: Call) {
  const { site } = call;
  const { identity } = site.translationUpstream;
  if (!isRemote(call)) {
    const keys = await identity.keys();
    if (keys === null)
      await identity.register({ shared: randomUUID(), secret: randomBytes(32).toString('hex'), status: 'enabled' });
    return { enabled: true };
  }
  try {
    const answer = await registered(call).catch(async (error: unknown) => {
      // The site was copied: its number belongs to another one.
      if (!(error instanceof RestError) || error.data.upstream_status !== 409) throw error;
      await identity.renew();
      return registered(call);
    });
    const { secret_key: secret, shared_key: shared } = mapOf(answer);
    if (typeof secret !== 'string' || typeof shared !== 'string' || secret === '' || shared === '')
      fail('lang_upstream_error', {}, 'The service gave no keys.');
    await identity.register({ shared, secret, status: 'enabled' });
    return { enabled: true };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { enabled: false, error: { header: 'The site could not be registered.', description: error.message } };
  }
}

async function registered({ site, user }: Call): Promise<unknown> {
  const person = site.users.get(user?.id ?? 0);
  return site.translationUpstream.manager('POST', 'website', {
    manager: person ? personOf(person) : null,
    website_url: site.url,
    website_uuid: await site.translationUpstream.identity.uuid(),
    translators: translatorsOf(site).map(personOf),
    translation_managers: managersOf(site).map(personOf),
  });
}

function personOf(user: UserRecord) {
  return { email: user.account?.email ?? '', display_name: user.name, first_name: user.firstName, last_name: user.lastName };
}

/** `{result: {translators: [{email, subscription}]}}` */
async function translators(call: Call) {
  const people = translatorsOf(call.site).map(personOf);
  if (!isRemote(call)) return { result: { translators: people.map(({ email }) => ({ email, subscription: true })) } };
  const sent = { translators: people.map(({ email, display_name: name }) => ({ email, name })) };
  return { result: await call.site.translationUpstream.manager('PUT', 'translators', sent) };
}

/** `{result}` with the list of people, or what the service says of it. */
async function managers(call: Call) {
  const sent = { translation_managers: managersOf(call.site).map(personOf) };
  return { result: isRemote(call) ? await call.site.translationUpstream.manager('PUT', 'managers', sent) : sent };
}

/** `{activated, …}`; null where the site is not registered with the service. */
async function status(call: Call) {
  const { site } = call;
  const { identity, manager } = site.translationUpstream;
  if (!isRemote(call))
    return { activated: true, mode: 'local', translators: translatorsOf(site).length, managers: managersOf(site).length };
  const keys = await identity.keys();
  if (keys === null) return null;
  const state = await manager('GET', 'state', undefined, { shared: keys.shared });
  if (mapOf(state).activated === true && !site.store.readOnly) await identity.setActive();
  return state;
}

/** An address as text: the list of jobs here; at the service with a proof of who comes; `#` without a registration. */
async function console({ site, user, urls }: Call) {
  const managerUrl = site.translationUpstream.settings.editor?.managerUrl ?? '';
  if (managerUrl === '') return urls.rest('/lang/tm/v1/jobs');
  const { identity } = site.translationUpstream;
  const keys = await identity.keys();
  if (keys === null) return '#';
  const address = new URL(`${managerUrl}/console`);
  address.searchParams.set('website_uuid', await identity.uuid());
  address.searchParams.set('shared_key', keys.shared);
  address.searchParams.set('email', site.users.get(user?.id ?? 0)?.account?.email ?? '');
  address.searchParams.set('return_url', site.url);
  address.searchParams.set('token', randomUUID());
  const signature = createHmac('sha256', keys.secret).update(`get${address.href}`).digest('base64');
  address.searchParams.set('signature', signature);
  return address.href;
}

/** `{list}` */
async function engines(call: Call) {
  return isRemote(call) ? call.site.translationUpstream.manager('GET', 'engines') : { list: call.site.translationEngines.list() };
}

async function changeEngines(call: Call): Promise<true> {
  const list = jsonOf(call);
  if (!Array.isArray(list))
    fail(
      'rest_invalid_param',
      { params: { body: 'The body is not a list of engines.' }, details: [] },
      'Invalid parameter(s): body',
    );
  if (isRemote(call)) await call.site.translationUpstream.manager('POST', 'engines', { list });
  else await call.site.translationEngines.change(list);
  return true;
}

/** The body as it was sent: a list is none of named parameters. */
function jsonOf({ request: { raw, form } }: Call): unknown {
  return raw && raw.length > 0 && !form ? JSON.parse(Buffer.from(raw).toString('utf8')) : null;
}
