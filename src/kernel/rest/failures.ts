/**
 * What goes wrong below the interface and is nobody's mistake, as the refusals that clients get: too many writers, a disk that is
 * full or out of reach, a file that has no place.
 */
import { RestError } from '../errors.ts';
import { UnsettledError } from '../store/content-engine.ts';
import { LockError } from '../store/lock.ts';
import { BlockedPathError, LongPathError } from '../store/paths.ts';
import { BusyError, ReadOnlyError, StaleWriteError, type Store, TooLargeError } from '../store/types.ts';

/** The refusal for an error; null for one that nobody expected. Faults of the disk are logged by the store, once. */
export function failureOf(error: unknown, { faults }: Pick<Store, 'faults'>): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof ReadOnlyError) return new RestError('rest_read_only');
  if (error instanceof BusyError || error instanceof LockError || error instanceof StaleWriteError)
    return new RestError('rest_busy');
  if (error instanceof UnsettledError) return new RestError('rest_outcome_unknown');
  if (error instanceof TooLargeError) return new RestError('rest_fields_too_large');
  if (error instanceof LongPathError) return new RestError('rest_path_too_long');
  if (error instanceof BlockedPathError) return new RestError('rest_path_blocked');
  const fault = faults.report(error);
  return fault === null ? null : new RestError(fault === 'full' ? 'rest_storage_full' : 'rest_storage_unavailable');
}
