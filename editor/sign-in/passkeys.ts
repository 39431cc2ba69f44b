/**
 * Passkeys on the pages to sign in and of the profile. A form of theirs has what the browser is asked in `data-passkey` (`make` or `use`) and
 * `data-options`; its answer goes into the field `credential`, and the form is sent. Without this script, or without passkeys, it stays hidden.
 */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

if (browserSupportsWebAuthn()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) offer(form);
}

function offer(form: HTMLFormElement): void {
  const failed = form.querySelector<HTMLElement>('[data-failed]');
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (failed) failed.hidden = true;
    answerOf(form).then(
      (credential) => {
        (form.elements.namedItem('credential') as HTMLInputElement).value = JSON.stringify(credential);
        form.submit();
      },
      () => {
        if (failed) failed.hidden = false;
      },
    );
  });
}

function answerOf({ dataset }: HTMLFormElement): Promise<object> {
  const options: unknown = JSON.parse(dataset.options ?? '');
  return dataset.passkey === 'make'
    ? startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
    : startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}
