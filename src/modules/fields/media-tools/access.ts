/** Who may send images: users who may upload, and visitors with the token of one. */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { answer, type Answer, type Call, type AccessRule } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import type { Actor } from '../../../kernel/model/access.ts';

export const nonceHeader = 'X-Media-Tools-Nonce';
const header = nonceHeader.toLowerCase();

type EnvelopeCode = 'nonce_missing' | 'invalid_nonce' | 'attachment_not_found';

const messages: Readonly<Record<EnvelopeCode, string>> = table({
  nonce_missing: 'Nonce missing.',
  invalid_nonce: 'Invalid nonce.',
  attachment_not_found: 'Attachment not found',
});

/** An error in the format that editors' scripts read. */
export function refusal(code: EnvelopeCode, status: number): Answer {
  return answer({ success: false, data: [{ code, message: messages[code] }] }, { status });
}

/** Visitors are checked by the handler, because its errors have another format. */
export const mayTry: AccessRule = (call) => (call.user === null || call.can('upload_files') ? null : 'rest_forbidden');

/** The sender, or the error. */
export function senderOf({ site, request }: Pick<Call, 'site' | 'request'>): Actor | Answer {
  if (request.user) return request.user;
  if (!request.headers[header]) return refusal('nonce_missing', 400);
  const sender = tokenUser(site, request);
  return sender && site.access.can(sender, 'upload_files') ? sender : refusal('invalid_nonce', 400);
}

/** The user of a token, with the current account. */
export function tokenUser(site: Site, { headers }: Pick<RestRequest, 'headers'>): Actor | null {
  const token = headers[header];
  const id = token ? site.mediaTools.tokens.read(token, site.clock()) : null;
  const account = id === null ? undefined : site.accounts.get(id);
  return account ? { id: account.id, roles: account.roles, capabilities: account.capabilities } : null;
}
