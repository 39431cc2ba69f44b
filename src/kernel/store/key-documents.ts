/** Keys that are no content, made by whoever asks for them first. */
import { randomBytes } from 'node:crypto';
import type { TrustedDocuments } from './types.ts';

/** The document of a key. Of several processes that make one at the same moment, all get the same. */
export async function keyIn(
  documents: Pick<TrustedDocuments, 'get' | 'set' | 'update'>,
  name: string,
  make: () => Uint8Array = () => randomBytes(32),
): Promise<Uint8Array> {
  const known = await documents.get(name);
  if (known !== null) return known;
  let key = make();
  if (documents.update === undefined) await documents.set(name, key);
  else
    await documents.update(name, (others) => {
      if (others === null) return key;
      key = others;
      return undefined;
    });
  return key;
}
