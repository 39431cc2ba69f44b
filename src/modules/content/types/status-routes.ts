/**
 * Post statuses for clients, from their declarations.
 *
 * Shape    map by name, or one status
 * Access   public ones for everyone, others for users who may edit something; `edit` is a context like any other (observed)
 * Errors   rest_cannot_view, rest_status_invalid, rest_cannot_read_status
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { editOnly, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, shownFirst, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { canSeeStatus, readAll, readStatus } from './access.ts';
import type { Status } from '../../types/record.ts';

const edit = { context: editOnly, readonly: true };
const viewed = { context: viewAndEdit, readonly: true };

export const statusRoutes = defineResource<Status>({
  name: 'status',
  base: '/cms/v2/statuses',
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    name:          text('The title for the status.', { ...shownFirst, get: (status) => status.label }),
    private:       bool('Whether posts with this status are private.', edit),
    protected:     bool('Whether posts with this status are protected.', edit),
    public:        bool('Whether visitors see posts with this status.', viewed),
    queryable:     bool('Whether posts with this status have addresses of their own.', viewed),
    show_in_list:  bool('Whether a list of all posts holds those with this status.', edit),
    slug:          text('An alphanumeric identifier for the status.', { ...shownFirst, get: (status) => status.name }),
    date_floating: bool('Whether posts with this status may have floating dates.', viewed),
  },
  links: ({ name }) => ({ archives: `/cms/v2/posts${name === 'publish' ? '' : `?status=${name}`}` }),
  params: { status: of('string', 'An alphanumeric identifier for the status.') },
  keepsLinks: true,
  isWhole: true,
  routes: [
    collection({ allow: readAll, handle: visible }),
    item('(?P<status>[\\w-]+)', {
      allow: readStatus,
      handle: ({ site, params }) => site.statuses.find(({ name }) => name === params.status) as Status,
    }),
  ],
});

function visible(call: Call): ReadonlyMap<string, Status> {
  const shown = call.site.statuses.filter((status) => status.listed && canSeeStatus(call, status));
  return new Map(shown.map((status) => [status.name, status]));
}
