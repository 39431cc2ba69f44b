/**
 * Who may send pictures: whoever signs in and may upload, and visitors with the token of such a user.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { answer, type Answer, type Call, type Rule } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import type { Actor } from '../../../kernel/model/access.ts';

export const nonceHeader = 'X-Media-Tools-Nonce';
const header = nonceHeader.toLowerCase();

export type EnvelopeCode = 'nonce_missing' | 'invalid_nonce' | 'attachment_not_found';

const messages: Readonly<Record<EnvelopeCode, string>> = table({
  nonce_missing: 'Nonce missing.',
  invalid_nonce: 'Invalid nonce.',
  attachment_not_found: 'Attachment not found',
});

/** A refusal in the form that the scripts of editors read. */
export function refusal(code: EnvelopeCode, status: number): Answer {
  return answer({ success: false, data: [{ code, message: messages[code] }] }, { status });
}

/** Visitors are asked for a token by the handler, whose refusal has a form of its own. */
export const mayTry: Rule = (call) => (call.user === null || call.can('upload_files') ? null : 'rest_forbidden');

/** Whose pictures are taken, or why they are not. */
export function senderOf({ site, request }: Pick<Call, 'site' | 'request'>): Actor | Answer {
  if (request.user) return request.user;
  if (!request.headers[header]) return refusal('nonce_missing', 400);
  const sender = tokenUser(site, request);
  return sender && site.access.can(sender, 'upload_files') ? sender : refusal('invalid_nonce', 400);
}

/** The user whose token a request brings, as their account is now. */
export function tokenUser(site: Site, { headers }: Pick<RestRequest, 'headers'>): Actor | null {
  const token = headers[header];
  const id = token ? site.mediaTools.tokens.read(token, site.clock()) : null;
  const account = id === null ? undefined : site.accounts.get(id);
  return account ? { id: account.id, roles: account.roles, capabilities: account.capabilities } : null;
}
