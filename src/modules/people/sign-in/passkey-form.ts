/** Forms of passkeys, and the script without which they stay hidden. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Asked, Passkeys } from '../passkeys/index.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Where the script of the pages to sign in is, if not beside the program. */
    readonly signInFiles?: URL;
  }
}

export const passkeyScript = `/${neutral.admin}/passkeys.js`;

interface PasskeyScript {
  /** Whether there is one: not in the sources, which browsers cannot run. */
  isBuilt(): boolean;
  page(): Page | null;
}

export function createPasskeyScript(site: Site): PasskeyScript {
  let text: string | null | undefined;
  const script = (): string | null => {
    text ??= textOf(site.signInFiles ?? new URL('./files/', import.meta.url));
    return text;
  };
  return {
    isBuilt: () => script() !== null,
    page() {
      const body = script();
      if (body === null) return null;
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
      const headers = { 'Content-Type': 'text/javascript; charset=UTF-8', 'Cache-Control': 'no-cache', ETag: etag };
      return { status: 200, headers, body };
    },
  };
}

function textOf(folder: URL): string | null {
  try {
    return readFileSync(new URL('passkeys.js', folder), 'utf8');
  } catch {
    return null;
  }
}

/** Null where nobody can sign in with one: in browsers without the script, or where people sign in elsewhere alone. */
export type OfferedPasskeys = () => Passkeys | null;

interface Shown {
  readonly kind: 'make' | 'use';
  readonly asked: Asked;
  /** Hidden fields and others. */
  readonly fields: string;
  readonly label: string;
}

export function passkeyForm({ kind, asked, fields, label }: Shown): string {
  const failed = kind === 'make' ? 'No passkey was added.' : 'No passkey was used.';
  return (
    `<form method="post" hidden data-passkey="${kind}" data-options="${escapeHtml(JSON.stringify(asked.options))}">${fields}` +
    `<input type="hidden" name="seal" value="${escapeHtml(asked.seal)}"><input type="hidden" name="credential" value="">` +
    `<p role="alert" hidden data-failed>${failed}</p>` +
    `<input type="hidden" name="do" value="passkey"><button>${label}</button></form>`
  );
}
