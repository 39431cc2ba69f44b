/** Reads the webhook document, which only the program writes. */
import { isMap } from '../../../kernel/model/maps.ts';
import { type DeliveryQueue, readQueue } from '../../deliveries/index.ts';
import type { Delivery } from './record.ts';

/** With the position of the site when it was stored. */
export function readKept(bytes: Uint8Array | null): (DeliveryQueue<Delivery> & { readonly position: string }) | null {
  const found = readQueue<Delivery>(bytes, ({ hook, changed }) => typeof hook === 'string' && isMap(changed));
  if (!found || typeof found.more.position !== 'string') return null;
  return { waiting: found.waiting, dead: found.dead, position: found.more.position };
}
