/** What happens to an item while it is open, whoever changes it: told by the stream of events, asked for where there is none. */
import { nonceNow, root } from './api.ts';

const pollMs = 5000;
/** While the stream is open, in case it has missed something. */
const restMs = 60_000;

/** @param look  sees whether the item has changed. @returns what ends it */
export function watchItem(id: number, look: () => void): () => void {
  let stream: EventSource | null = null;
  let isEnded = false;
  let lookedMs = Date.now();
  const see = (): void => {
    lookedMs = Date.now();
    if (!document.hidden) look();
  };
  void nonceNow().then(
    (nonce) => {
      if (isEnded) return;
      stream = new EventSource(`${root}cms/v2/events?${new URLSearchParams({ kind: 'post', _cms_nonce: nonce })}`);
      stream.onmessage = ({ data }) => {
        const event = JSON.parse(data) as { id?: number; action: string };
        if (event.id === id || event.action === 'reset') see();
      };
    },
    () => {},
  );
  const timer = setInterval(() => {
    const isTold = stream?.readyState === EventSource.OPEN;
    if (Date.now() - lookedMs >= (isTold ? restMs : pollMs)) see();
  }, 1000);
  document.addEventListener('visibilitychange', see);
  return () => {
    isEnded = true;
    stream?.close();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', see);
  };
}
