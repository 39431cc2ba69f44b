/**
 * Sessions of browsers, as other modules ask for them.
 */
import type { Client, Visit } from '../../../kernel/site/serving.ts';
import type { Account, Session } from '../users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly sessions: Sessions;
  }
}

/** A session that goes on, in the hands of who asks. */
export interface OpenSession {
  readonly account: Account;
  readonly session: Session;
  /** The proof that a request was meant: for the interface (`rest`), or of a form. */
  nonce(action: NonceAction): string;
  isNonce(nonce: string, action: NonceAction): boolean;
}

export type NonceAction = 'rest' | 'form';

export interface Sessions {
  /** The session that the cookie of a request names, if it goes on. */
  find(visit: Visit): Promise<OpenSession | null>;
  /**
   * Signs a browser in. The session that its cookie named ends.
   * @returns the `Set-Cookie` of it
   */
  begin(account: Account, visit: Visit, isLong?: boolean): Promise<string>;
  /** Ends a session of an account, or all but one. */
  end(id: number, which: { readonly hash: string } | { readonly allBut: string | null }): Promise<void>;
  /** A `Set-Cookie` that makes the browser forget. */
  forget(client: Client): string;
}
