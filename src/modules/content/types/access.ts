import { canEditSomething } from '../../people/accounts/record.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import type { Status } from '../../types/record.ts';

/** Everyone; the edit context for users who may edit something. */
export const readAll: AccessRule = (call) => (call.context === 'edit' && !isEditor(call) ? 'rest_cannot_view' : null);

export const readStatus: AccessRule = (call) => {
  const status = call.site.statuses.find(({ name }) => name === call.params.status);
  if (!status) return 'rest_status_invalid';
  return canSeeStatus(call, status) ? null : 'rest_cannot_read_status';
};

/** Public ones for everyone, others for users who may edit something. */
export function canSeeStatus(call: Call, status: Status): boolean {
  return status.public || (status.listed && isEditor(call));
}

const isEditor = ({ site, user }: Call): boolean => canEditSomething(site.access, user);
