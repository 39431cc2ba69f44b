/** A new login password, entered twice. */
import { escapeHtml } from '../../../kernel/model/escape.ts';

/** In characters. */
const lengths = { least: 8, most: 1024 };

/** Error message for the user; null if valid. */
export function faultOfPassword({ next = '', again = '' }: Readonly<Record<string, string>>): string | null {
  if (next.length < lengths.least || next.length > lengths.most)
    return `The password must have at least ${lengths.least} characters.`;
  return next === again ? null : 'The new passwords do not match.';
}

/** Tells password managers whose password it is. */
export function usernameField(login: string): string {
  return `<input hidden name="username" autocomplete="username" value="${escapeHtml(login)}">`;
}

export function newPasswordFields(login: string): string {
  return (
    usernameField(login) +
    passwordField('next', 'New password', 'new-password') +
    passwordField('again', 'Confirm new password', 'new-password')
  );
}

export function passwordField(id: string, label: string, fill: string, name = id): string {
  return `<label for="${id}">${label}</label><input id="${id}" name="${name}" type="password" autocomplete="${fill}" required>`;
}
