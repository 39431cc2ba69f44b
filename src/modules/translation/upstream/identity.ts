/**
 * How a site is known to services of translation: a number for the site, keys that the manager service gave, and the secret by which
 * callbacks are proved. One document of the private mount.
 *
 * Source: reference on languages, 5.8, 6.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { mapOf } from '../../../kernel/model/maps.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import type { Store } from '../../../kernel/store/types.ts';
import type { ServiceKeys, SiteIdentity } from './record.ts';

const document = 'translation/identity.json';

interface Stored {
  readonly uuid: string;
  readonly receiveSecret: string;
  readonly keys: ServiceKeys | null;
}

export function createIdentity({ private: documents, readOnly }: Pick<Store, 'private' | 'readOnly'>): SiteIdentity {
  let known: Promise<Stored> | null = null;
  const read = (): Promise<Stored> => {
    known ??= load();
    known.catch(() => {
      known = null;
    });
    return known;
  };

  async function load(): Promise<Stored> {
    const bytes = await documents.get(document);
    const stored = parse(bytes);
    return stored ?? save({ uuid: randomUUID(), receiveSecret: randomBytes(32).toString('hex'), keys: null });
  }

  async function save(next: Stored): Promise<Stored> {
    // Without a place to store it, it lasts as long as the process.
    if (!readOnly) await documents.set(document, Buffer.from(`${JSON.stringify(next, null, 2)}\n`));
    return next;
  }

  async function change(part: Partial<Stored>): Promise<Stored> {
    const next = await save({ ...(await read()), ...part });
    known = Promise.resolve(next);
    return next;
  }

  const identity: SiteIdentity = {
    uuid: async () => (await read()).uuid,
    receiveToken: async (jobId) =>
      createHmac('sha256', (await read()).receiveSecret)
        .update(`receive:${jobId}`)
        .digest('hex'),
    async isReceiveToken(jobId, token) {
      const wanted = Buffer.from(await identity.receiveToken(jobId));
      const given = Buffer.from(token);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
    keys: async () => (await read()).keys,
    register: async (keys) => void (await change({ keys })),
    async setActive() {
      const { keys } = await read();
      if (keys !== null && keys.status !== 'active') await change({ keys: { ...keys, status: 'active' } });
    },
    renew: async () => (await change({ uuid: randomUUID(), keys: null })).uuid,
  };
  return identity;
}

/** Null for what is no such document. */
function parse(bytes: Uint8Array | null): Stored | null {
  const { uuid, receiveSecret, keys } = mapOf(jsonIn(bytes));
  if (typeof uuid !== 'string' || typeof receiveSecret !== 'string' || receiveSecret.length < 32) return null;
  const { shared, secret, status } = mapOf(keys);
  const isRegistered = typeof shared === 'string' && typeof secret === 'string';
  return {
    uuid,
    receiveSecret,
    keys: isRegistered ? { shared, secret, status: status === 'active' ? 'active' : 'enabled' } : null,
  };
}
