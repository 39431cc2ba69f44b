/** The page of an item as visitors will see it, beside its text. */
import { useEffect, useState } from 'preact/hooks';
import { say } from './words.ts';

interface PreviewProps {
  /** Address of the page; on this server, whatever address the site says it has. */
  readonly address: string;
  /** Rises when there is something new to see. */
  readonly turn: number;
}

export function Preview({ address, turn }: PreviewProps) {
  const { pathname, search } = new URL(address, location.origin);
  const [isElsewhere, setElsewhere] = useState<boolean | null>(null);
  useEffect(() => {
    // Where the site has a front end of its own, the server leads there.
    fetch(pathname + search, { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).then(
      ({ type }) => setElsewhere(type === 'opaqueredirect'),
      () => setElsewhere(false),
    );
  }, []);
  if (isElsewhere === null) return <p role="status">{say('Loading…')}</p>;
  // Others may have written it: nothing of it runs, and a front end runs in an origin that is nobody's.
  return (
    <iframe
      key={`${pathname}${search}${turn}`}
      class="live"
      sandbox={isElsewhere ? 'allow-scripts allow-forms' : ''}
      title={say('The page as visitors see it')}
      src={pathname + search}
    />
  );
}
