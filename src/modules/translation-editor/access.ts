/**
 * Who may do what with the external editor.
 *
 * Source: reference on languages, 1.1, 5.
 */
import type { Call, Rule } from '../../kernel/rest/types.ts';

const anyOf =
  (...capabilities: readonly string[]): Rule =>
  (call) =>
    capabilities.some((name) => call.can(name)) ? null : 'rest_forbidden';

export const maySend = anyOf('manage_translations', 'manage_options');
export const mayFetch = anyOf('manage_options', 'manage_translations', 'translate');

export function isManager(call: Pick<Call, 'can'>): boolean {
  return call.can('manage_translations') || call.can('manage_options');
}
