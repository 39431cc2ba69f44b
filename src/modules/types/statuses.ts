/**
 * Post statuses as data. Everything the interface says of a status (who sees it, whether a write may name it, whether it
 * keeps a date) is read from its flags; a namespace adds a status of its own with `defineStatus`.
 */

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly statuses: readonly Status[];
  }
}

export interface Status {
  readonly name: string;
  readonly label: string;
  /** Readable by everyone who may read the type. */
  readonly public: boolean;
  /** Readable by its author and by those who may read private items. */
  readonly private: boolean;
  /** Readable by those who may edit the item. */
  readonly protected: boolean;
  /** Set by the service alone; no client may write it. */
  readonly internal: boolean;
  readonly queryable: boolean;
  /** Found by a search over `any` status. */
  readonly searchable: boolean;
  /** Part of a listing of all items (`show_in_list`). */
  readonly showInList: boolean;
  /** Named by GET /statuses to people who edit. */
  readonly listed: boolean;
  /** The date follows the clock until the item is published or a date is given. */
  readonly dateFloating: boolean;
}

type StatusInput = Pick<Status, 'name' | 'label'> & Partial<Status>;

/** A status with what follows from its flags. One that is neither public, private nor protected is internal. */
export function defineStatus(input: StatusInput): Status {
  const isOpen = input.public === true || input.private === true || input.protected === true;
  const internal = input.internal ?? !isOpen;
  return {
    public: false,
    private: false,
    protected: false,
    dateFloating: false,
    queryable: input.public ?? false,
    searchable: !internal,
    showInList: !internal,
    listed: !internal,
    ...input,
    internal,
  };
}

export const standardStatuses: readonly Status[] = [
  defineStatus({ name: 'publish', label: 'Published', public: true }),
  defineStatus({ name: 'future', label: 'Scheduled', protected: true }),
  defineStatus({ name: 'draft', label: 'Draft', protected: true, dateFloating: true }),
  defineStatus({ name: 'pending', label: 'Pending', protected: true, dateFloating: true }),
  defineStatus({ name: 'private', label: 'Private', private: true }),
  defineStatus({ name: 'trash', label: 'Trash', internal: true, listed: true }),
  defineStatus({ name: 'auto-draft', label: 'auto-draft', internal: true, dateFloating: true }),
  defineStatus({ name: 'inherit', label: 'inherit', internal: true, searchable: true }),
  defineStatus({ name: 'request-pending', label: 'Pending', internal: true, searchable: true }),
  defineStatus({ name: 'request-confirmed', label: 'Confirmed', internal: true, searchable: true }),
  defineStatus({ name: 'request-failed', label: 'Failed', internal: true, searchable: true }),
  defineStatus({ name: 'request-completed', label: 'Completed', internal: true, searchable: true }),
];

/** The statuses of every site by name. */
export const statuses: Readonly<Record<string, Status>> = Object.fromEntries(standardStatuses.map((one) => [one.name, one]));

/** Names a write may use, in order: publish, future, draft, pending, private and what a namespace added. */
export function writableStatuses(statuses: readonly Status[]): string[] {
  return statuses.filter((status) => !status.internal).map((status) => status.name);
}

/** Names a list filter may use: every status, and `any` for those a search covers. */
export function filterStatuses(statuses: readonly Status[]): string[] {
  return [...statuses.map((status) => status.name), 'any'];
}
