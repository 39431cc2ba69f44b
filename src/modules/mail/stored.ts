/** Reads the document of letters, which only the program writes. */
import { isMap } from '../../kernel/model/maps.ts';
import { type DeliveryQueue, readQueue } from '../../kernel/site/outbox.ts';
import type { LetterDelivery } from './record.ts';

const members = ['kind', 'to', 'subject', 'text'];

export function readLetters(bytes: Uint8Array | null): DeliveryQueue<LetterDelivery> | null {
  return readQueue<LetterDelivery>(
    bytes,
    ({ letter }) => isMap(letter) && members.every((name) => typeof letter[name] === 'string'),
  );
}
