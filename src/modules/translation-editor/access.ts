/**
 * Who may do what with the external editor.
 *
 * Source: reference on languages, 1.1, 5.
 */
import { type Call, needs } from '../../kernel/rest/types.ts';

export const maySend = needs('manage_translations', 'manage_options');
export const mayFetch = needs('manage_options', 'manage_translations', 'translate');

export function isManager(call: Pick<Call, 'can'>): boolean {
  return call.can('manage_translations') || call.can('manage_options');
}
