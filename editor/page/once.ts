/** What is sent once, however often its button is pressed while the answer is on its way. */
import { useRef, useState } from 'preact/hooks';

/** @returns whether something is on its way, and what sends it unless something is */
export function useOnce(): readonly [isBusy: boolean, once: (send: () => Promise<unknown>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false);
  const isSent = useRef(false);
  const once = async (send: () => Promise<unknown>): Promise<void> => {
    if (isSent.current) return;
    isSent.current = true;
    setBusy(true);
    try {
      await send();
    } finally {
      isSent.current = false;
      setBusy(false);
    }
  };
  return [isBusy, once];
}
