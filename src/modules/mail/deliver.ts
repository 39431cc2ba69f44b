/** One attempt to hand a letter to the mail server. */
import type { Refused } from '../deliveries/index.ts';
import { isMailbox, type Letter, type MailSettings } from './record.ts';

const timeoutMs = 15_000;

/** @param id  stays over attempts. @returns null when accepted. Never throws */
export async function deliverLetter(settings: MailSettings, { to, subject, text }: Letter, id: string): Promise<Refused | null> {
  if (!isMailbox(to)) return { error: 'is not an email address', isFinal: true };
  const { host, port, security, login, from } = settings;
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(login ? { auth: login } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A letter is a text: nothing in it names a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      envelope: { from: from.address, to: [to] },
      subject: oneLine(subject),
      text,
      messageId: `<${id}@${from.address.split('@').at(-1)}>`,
      // RFC 3834: no out-of-office notices.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return null;
  } catch (error) {
    const { message, responseCode = 0 } = error as Error & { responseCode?: number };
    return { error: oneLine(message).slice(0, 300), isFinal: responseCode >= 500 };
  } finally {
    transport.close();
  }
}

/** Line ends would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
