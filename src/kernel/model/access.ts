/** The current user, and permission checks. Rules belong to modules. */

/** A signed-in user; null for a visitor. Immutable: capabilities are computed once. */
export interface Actor {
  readonly id: number;
  readonly roles: readonly string[];
  /** Granted (true) or denied (false) personally. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
  /** Whether the credentials' scope forbids a request. @param params  as sent */
  readonly refuses?: (method: string, route: string, params: Readonly<Record<string, unknown>>) => boolean;
  /** Whether the scope forbids a change of a file. */
  readonly mayWrite?: (path: string) => boolean;
}

export interface AccessControl {
  /**
   * Whether the user may.
   *
   * @param args  for `edit_post`, `delete_term`, `edit_user` and the like the item, or its id; a missing one refuses
   */
  can(actor: Actor | null, capability: string, ...args: readonly unknown[]): boolean;
}
