/** Reads webhook documents, which only the program writes; an unreadable one counts as missing. */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Delivery, Kept } from './record.ts';

export function readKept(bytes: Uint8Array | null): Kept | null {
  const found = parsed(bytes);
  if (!isMap(found) || typeof found.position !== 'string') return null;
  return { position: found.position, waiting: deliveries(found.waiting), dead: deliveries(found.dead) };
}

/** Ids of deliveries to resend. */
export function readAsked(bytes: Uint8Array | null): readonly string[] {
  const found = parsed(bytes);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
}

function deliveries(given: unknown): readonly Delivery[] {
  return Array.isArray(given) ? given.filter(isDelivery) : [];
}

function isDelivery(one: unknown): one is Delivery {
  return (
    isMap(one) &&
    typeof one.id === 'string' &&
    typeof one.hook === 'string' &&
    typeof one.dueAt === 'number' &&
    isMap(one.changed)
  );
}

function parsed(bytes: Uint8Array | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}
