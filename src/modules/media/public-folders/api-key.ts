/** The key of the public API. Only its hash is stored, in the private mount; the key itself is only in the response that creates it. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { AccessRule } from '../../../kernel/rest/types.ts';
import type { Stamp, TrustedDocuments } from '../../../kernel/store/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { sentWith } from '../folders/index.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly folderKey: ApiKey;
  }
}

interface ApiKey {
  /** Creates a new key that replaces the old one. */
  renew(): Promise<string>;
  /** Whether a text is the key in memory, in constant time. */
  matches(text: string): boolean;
  /** Whether memory has the current key. */
  isCurrent(): boolean;
  refresh(): Promise<void>;
}

const document = 'folders-api-key';
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyLength = 40;
/** The name under which wrong keys are counted; not a valid login. */
const account = 'key of the public interface of folders';

export async function createApiKey(documents: TrustedDocuments): Promise<ApiKey> {
  let hash: Buffer | null = null;
  let seen: Stamp | null = null;
  const stamp = (): Stamp | null => documents.stamp?.(document) ?? null;
  const key: ApiKey = {
    async renew() {
      const made = Array.from({ length: keyLength }, () => letters[randomInt(letters.length)]).join('');
      await documents.set(document, Buffer.from(`${hashOf(made).toString('hex')}\n`));
      await key.refresh();
      return made;
    },
    matches: (text) => timingSafeEqual(hashOf(text), hash ?? nothing) && hash !== null && text.length === keyLength,
    isCurrent: () => isSame(seen, stamp()),
    async refresh() {
      seen = stamp();
      const bytes = await documents.get(document);
      const hex = bytes === null ? '' : Buffer.from(bytes).toString('latin1').trim();
      hash = /^[\da-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : null;
    },
  };
  await key.refresh();
  return key;
}

/** Requires the site's key. A wrong one counts as an attempt, once per request. */
export const hasKey: AccessRule = (call) => {
  const { site, request } = call;
  const sent = keyIn(call);
  // Over an insecure connection it is ignored without a hint.
  if (sent === null || (request.isInsecure && site.operator.require_https)) return 'rest_forbidden';
  const address = request.ip ?? '';
  const seconds = site.signIns.wait(account, address);
  if (seconds > 0) return { code: 'rest_too_many_attempts', data: { retry_after: seconds } };
  // Another process may have created a new one: the handler checks again.
  if (!site.folderKey.isCurrent() || site.folderKey.matches(sent)) return null;
  count(call, address);
  return 'rest_forbidden';
};

/** Must be called again if the document has changed. @returns whether the caller has the key */
export async function stillHasKey(call: Call): Promise<boolean> {
  const { folderKey } = call.site;
  if (!folderKey.isCurrent()) await folderKey.refresh();
  if (folderKey.matches(keyIn(call) ?? '')) return true;
  count(call, call.request.ip ?? '');
  return false;
}

const counted = new WeakSet<RestRequest>();

function count({ site, request }: Call, address: string): void {
  if (counted.has(request)) return;
  counted.add(request);
  const attempt = site.signIns.begin(account, address);
  if (attempt.wait === 0) attempt.end(false);
}

/** The key in the header or as a parameter. */
function keyIn(call: Call): string | null {
  const { request, site } = call;
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const { token } = site.folderTrees.settings.queryToken ? sentWith(call) : sentWith({ request: { ...request, query: {} } });
  return typeof token === 'string' && token !== '' ? token : null;
}

const nothing = Buffer.alloc(32);

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isSame(a: Stamp | null, b: Stamp | null): boolean {
  return (
    a === b || (a !== null && b !== null && (['ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every((name) => a[name] === b[name]))
  );
}
