/** Browser sessions, for other modules. */
import type { Peer, Visit } from '../../../kernel/site/serving.ts';
import type { Account, Session } from '../users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly sessions: Sessions;
  }
}

/** The current session of a request. */
export interface OpenSession {
  readonly account: Account;
  readonly session: Session;
  /** A nonce for the API (`rest`) or for a form. */
  nonce(action: NonceAction): string;
  isNonce(nonce: string, action: NonceAction): boolean;
}

type NonceAction = 'rest' | 'form';

export interface Sessions {
  /** The valid session in a request's cookie. */
  find(visit: Visit): Promise<OpenSession | null>;
  /**
   * Signs a browser in, and ends the session in its cookie.
   * @returns its `Set-Cookie`
   */
  begin(account: Account, visit: Visit, more?: { readonly isLong?: boolean; readonly idToken?: string }): Promise<string>;
  /** Ends a session of an account, or all but one. */
  end(id: number, which: { readonly hash: string } | { readonly allBut: string | null }): Promise<void>;
  /** A `Set-Cookie` that removes the cookie. */
  forget(client: Peer): string;
}
