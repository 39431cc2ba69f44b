/**
 * What is noted of who came in and what was taken away, as other modules ask for it.
 */
declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly audit: Audit;
  }
}

export interface Audit {
  /** Notes what happened; never fails, and nobody waits for it. */
  note(event: AuditEvent): void;
}

/** No member ever holds a secret: who, what, where from, and which. */
export interface AuditEvent {
  /** `sign-in`, `sign-in.failed`, `delete` … */
  readonly event: string;
  /** Id of the user who did it; `cli:<name>` of the system's user on the command line. Absent: nobody who is known. */
  readonly by?: number | string;
  readonly ip?: string | undefined;
  /** What it was done to, such as the login name of a user. */
  readonly on?: string | number;
  readonly [member: string]: string | number | boolean | readonly string[] | undefined;
}
