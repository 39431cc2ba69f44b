/** Post statuses as data. Visibility, writability and dates of a status follow from its flags; a namespace adds one with `defineStatus`. */
import type { Status } from './record.ts';

type StatusInput = Pick<Status, 'name' | 'label'> & Partial<Status>;

/** A status with derived flags. One that is neither public, private nor protected is internal. */
export function defineStatus(input: StatusInput): Status {
  const isOpen = input.public === true || input.private === true || input.protected === true;
  const internal = input.internal ?? !isOpen;
  return {
    public: false,
    private: false,
    protected: false,
    dateFloating: false,
    publishes: false,
    queryable: input.public ?? false,
    searchable: !internal,
    showInList: !internal,
    listed: !internal,
    ...input,
    internal,
  };
}

export const standardStatuses: readonly Status[] = [
  defineStatus({ name: 'publish', label: 'Published', public: true, publishes: true }),
  defineStatus({ name: 'future', label: 'Scheduled', protected: true, publishes: true }),
  defineStatus({ name: 'draft', label: 'Draft', protected: true, dateFloating: true }),
  defineStatus({ name: 'pending', label: 'Pending', protected: true, dateFloating: true }),
  defineStatus({ name: 'private', label: 'Private', private: true, publishes: true }),
  defineStatus({ name: 'trash', label: 'Trash', internal: true, listed: true }),
  defineStatus({ name: 'auto-draft', label: 'auto-draft', internal: true, dateFloating: true }),
  defineStatus({ name: 'inherit', label: 'inherit', internal: true, searchable: true }),
  defineStatus({ name: 'request-pending', label: 'Pending', internal: true, searchable: true }),
  defineStatus({ name: 'request-confirmed', label: 'Confirmed', internal: true, searchable: true }),
  defineStatus({ name: 'request-failed', label: 'Failed', internal: true, searchable: true }),
  defineStatus({ name: 'request-completed', label: 'Completed', internal: true, searchable: true }),
];
