/**
 * Which names were asked for before, in a table of fixed size: most names that strangers write are written once, and keeping what belongs
 * to them would only push out the rest.
 */

/** Names that are remembered; a power of two. */
const MAX_ASKED = 1 << 14;

interface AskedAgain {
  /** Whether the name was asked for before. Two names of one digest are rare: one is taken for known a request too early. */
  (name: string): boolean;
  clear(): void;
}

export function createAskedAgain(): AskedAgain {
  /** Digests, each where its last bits point to. */
  const asked = new Int32Array(MAX_ASKED);
  let hasAsked = false;
  return Object.assign(
    (name: string): boolean => {
      const digest = digestOf(name);
      const place = digest & (MAX_ASKED - 1);
      if (asked[place] === digest) return true;
      asked[place] = digest;
      hasAsked = true;
      return false;
    },
    {
      clear() {
        if (hasAsked) asked.fill(0);
        hasAsked = false;
      },
    },
  );
}

/** Never 0. */
function digestOf(key: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) digest = Math.imul(digest ^ key.charCodeAt(at), 0x01000193);
  return (digest ^ (digest >>> 15)) | 0 || 1;
}
