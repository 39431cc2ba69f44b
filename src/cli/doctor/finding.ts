/** What the doctor says of one thing: fine, or not and how that is mended. */
import { type Io, paint } from '../io.ts';

export interface DoctorFinding {
  /** The part that was looked at, for programs that read them. */
  readonly check: string;
  readonly isFine: boolean;
  readonly text: string;
  readonly fix?: string;
}

/** Findings of one part. */
interface Judge {
  ok(text: string): DoctorFinding;
  no(text: string, fix?: string): DoctorFinding;
}

export function judgeOf(check: string): Judge {
  return {
    ok: (text) => ({ check, isFine: true, text }),
    no: (text, fix) => ({ check, isFine: false, text, ...(fix === undefined ? {} : { fix }) }),
  };
}

/** A line for each finding, and one for what mends it. */
export function say({ isFine, text, fix }: DoctorFinding, io: Io): void {
  io.out(`${paint(io, 'out', isFine ? 'green' : 'red', isFine ? 'ok' : 'no')}  ${text}`);
  if (fix !== undefined) io.out(`    ${fix}`);
}

/** `ok`, and `findings` with `check`, `ok`, `text` and `fix`. */
export function printFindings(findings: readonly DoctorFinding[]): string {
  const rows = findings.map(({ isFine, ...finding }) => ({ ...finding, ok: isFine }));
  return JSON.stringify({ ok: rows.every(({ ok }) => ok), findings: rows }, null, 2);
}

/** `1 file`, `2 files`. */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** `a, b and 3 more` */
export function listed(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
