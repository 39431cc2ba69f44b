/** The audit log for other modules. */
declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly audit: Audit;
  }
}

export interface Audit {
  /** Logs an event; never fails, and nobody waits for it. */
  note(event: AuditEvent): void;
}

/** Events contain no secrets. */
export interface AuditEvent {
  /** `sign-in`, `sign-in.failed`, `delete` … */
  readonly event: string;
  /** Id of the user; `cli:<name>` for the system user of the command line. Absent if unknown. */
  readonly by?: number | string;
  readonly ip?: string | undefined;
  /** The object, such as the login name of a user. */
  readonly on?: string | number;
  readonly [member: string]: string | number | boolean | readonly string[] | undefined;
}
