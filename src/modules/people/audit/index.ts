/** The audit log, as a module: sign-ins, privilege changes and deletions, with user and address. */
import type { Module } from '../../../kernel/module.ts';
import type { Call, Endpoint, Route } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { attemptsPath, type AuditLog, auditPath, createAuditLog } from './log.ts';
import type { Audit, AuditEvent } from './record.ts';

export { auditPath, createAuditLog, systemUser } from './log.ts';

/** Routes whose changes are logged in addition to deletions. */
const privileged = /^\/cms\/v2\/(?:users|settings|plugins)(?:\/|$)/;
/** Wrong passwords of one address are logged once a minute, with a count. */
const failureEveryMs = 60_000;
const mostAddresses = 1000;

export const audit: Module = {
  name: 'audit',
  setup(site) {
    const { note, settle } = createAudit(site);
    return { site: { audit: { note } }, close: settle };
  },
  reshape: (route) => ({ ...route, endpoints: route.endpoints.map((endpoint) => noted(route, endpoint)) }),
};

function createAudit({ store, operator, clock }: Site): Audit & Pick<AuditLog, 'settle'> {
  const path = auditPath(operator.audit_log, store.name);
  if (path === null || store.readOnly) return { note: () => undefined, settle: async () => undefined };
  const log = createAuditLog(path, clock);
  // Failed attempts are logged separately, so that they cannot push out other events.
  const attempts = createAuditLog(attemptsPath(path), clock);
  const failures = new Map<string, { at: number; more: number }>();
  return {
    note(event) {
      const counted = event.event === 'sign-in.failed' ? counting(event) : event;
      const own = event.event === 'sign-in.failed' || event.event === 'sign-in.locked' ? attempts : log;
      if (counted) void store.faults.background('audit log', () => own.append(counted));
    },
    settle: async () => void (await Promise.all([log.settle(), attempts.settle()])),
  };

  /** Null: it is counted, and logged with the next one. */
  function counting(event: AuditEvent): AuditEvent | null {
    const key = event.ip ?? '';
    const before = failures.get(key);
    if (before && clock() < before.at + failureEveryMs) {
      before.more++;
      return null;
    }
    failures.delete(key);
    if (failures.size >= mostAddresses) failures.delete(failures.keys().next().value as string);
    failures.set(key, { at: clock(), more: 0 });
    return before?.more ? { ...event, unnoted: before.more } : event;
  }
}

/** Deletions and privilege changes are logged once done. */
function noted({ path }: Route, endpoint: Endpoint): Endpoint {
  const isDeletion = endpoint.methods.includes('DELETE');
  if (!isDeletion && (endpoint.methods.includes('GET') || !privileged.test(path))) return endpoint;
  return {
    ...endpoint,
    async handle(call) {
      const result = await endpoint.handle(call);
      call.site.audit.note(eventOf(call, isDeletion ? 'delete' : 'change'));
      return result;
    },
  };
}

function eventOf({ request, params, user }: Call, event: string): AuditEvent {
  const { roles, password, name, scope } = params;
  return {
    event,
    ...(user ? { by: user.id } : {}),
    ip: request.ip,
    credential: request.credential,
    on: request.route,
    ...(params.force === true ? { force: true } : {}),
    ...(Array.isArray(roles) ? { roles: roles.map(String) } : {}),
    ...(typeof password === 'string' ? { password: true } : {}),
    ...(/application-passwords$/.test(request.route) && typeof name === 'string' ? { name, scope } : {}),
  };
}
