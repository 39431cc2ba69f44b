/**
 * Who asks, and whether they may. The rules are a module's.
 */

/** A signed-in user; null for a visitor. Never changed in place: its capabilities are computed once. */
export interface Actor {
  readonly id: number;
  readonly roles: readonly string[];
  /** Given (true) or taken away (false) in person. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
  /** Whether what it signed in with is not for a request, whatever the user may. @param params  as sent */
  readonly refuses?: (method: string, route: string, params: Readonly<Record<string, unknown>>) => boolean;
  /** Whether what it signed in with is for a change of a file, where it is not for all of them. */
  readonly mayWrite?: (path: string) => boolean;
}

export interface AccessControl {
  /**
   * Whether the user may.
   *
   * @param args  for `edit_post`, `delete_term`, `edit_user` and the like the thing, or its id; a missing one refuses
   */
  can(actor: Actor | null, capability: string, ...args: readonly unknown[]): boolean;
}
