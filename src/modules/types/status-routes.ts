/**
 * Post statuses as clients see them: straight from their declarations.
 *
 * Shape    map by name, or one status
 * Access   public ones for everyone, the others for those who edit something; the edit context is a name as any other (observed)
 * Errors   rest_cannot_view, rest_status_invalid, rest_cannot_read_status
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { canEditSomething } from '../accounts/capabilities.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { editOnly, of, viewAndEdit } from '../../kernel/model/schema.ts';
import type { Status } from './statuses.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { mapOf } from '../../kernel/rest/map-response.ts';
import { draft, shownFirst } from '../../kernel/rest/schema-helpers.ts';

const readonly = true;

const fields: Fields<Status, null> = {
  name: { schema: shownFirst('string', 'The title for the status.'), get: (status) => status.label },
  private: {
    schema: of('boolean', 'Whether posts with this status are private.', { context: editOnly, readonly }),
    get: (status) => status.private,
  },
  protected: {
    schema: of('boolean', 'Whether posts with this status are protected.', { context: editOnly, readonly }),
    get: (status) => status.protected,
  },
  public: {
    schema: of('boolean', 'Whether visitors see posts with this status.', { context: viewAndEdit, readonly }),
    get: (status) => status.public,
  },
  queryable: {
    schema: of('boolean', 'Whether posts with this status have addresses of their own.', { context: viewAndEdit, readonly }),
    get: (status) => status.queryable,
  },
  show_in_list: {
    schema: of('boolean', 'Whether a list of all posts holds those with this status.', { context: editOnly, readonly }),
    get: (status) => status.showInList,
  },
  slug: { schema: shownFirst('string', 'An alphanumeric identifier for the status.'), get: (status) => status.name },
  date_floating: {
    schema: of('boolean', 'Whether posts with this status may have floating dates.', { context: viewAndEdit, readonly }),
    get: (status) => status.dateFloating,
  },
};

const project = createProjector<Status, null>({ fields });

const schema = draft('status', schemasOf(fields));

export const statusRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/statuses',
    schema,
    endpoints: [{ methods: READ, args: { context: contextArg() }, allow: mayList, handle: list }],
  },
  {
    path: '/cms/v2/statuses/(?P<status>[\\w-]+)',
    schema,
    endpoints: [
      {
        methods: READ,
        args: { status: of('string', 'An alphanumeric identifier for the status.'), context: contextArg() },
        allow: mayRead,
        handle: read,
      },
    ],
  },
];

function list(call: Call): Record<string, unknown> {
  const statuses = call.site.statuses.filter((status) => status.listed && isShown(call, status));
  return mapOf(
    call,
    statuses.map((status) => [status.name, toItem(status, call)]),
  );
}

function read(call: Call): Item {
  return toItem(named(call) as Status, call);
}

function toItem(status: Status, call: Call): Item {
  const query = status.name === 'publish' ? '' : `?status=${status.name}`;
  const links = { archives: [{ href: call.urls.rest(`/cms/v2/posts${query}`) }] };
  return new Item(project(status, null, call).body, links, { keepsLinks: true });
}

function mayList(call: Call): ReturnType<Rule> {
  return call.context === 'edit' && !canEditSomething(call.site.access, call.user) ? 'rest_cannot_view' : null;
}

function mayRead(call: Call): ReturnType<Rule> {
  const status = named(call);
  if (!status) return 'rest_status_invalid';
  return isShown(call, status) ? null : 'rest_cannot_read_status';
}

function named({ site, params }: Call): Status | undefined {
  return site.statuses.find(({ name }) => name === params.status);
}

function isShown({ site, user }: Call, status: Status): boolean {
  return status.public || (status.listed && canEditSomething(site.access, user));
}
