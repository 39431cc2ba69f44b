/**
 * Passkeys on the pages to sign in and of the profile. A form of theirs has what the browser is asked in `data-passkey` (`make` or `use`) and
 * `data-options`; its answer goes into the field `credential`, and the form is sent. Without this script, or without passkeys, it stays hidden. A
 * browser that can also offers passkeys in the field for the user name.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
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
      (credential) => send(form, credential),
      () => {
        if (failed) failed.hidden = false;
      },
    );
  });
  if (form.dataset.passkey === 'use') void offerInField(form);
}

/** Waits until somebody chooses a passkey there. The button ends that: a browser asks for one thing at a time. */
async function offerInField(form: HTMLFormElement): Promise<void> {
  if (!document.querySelector('input[autocomplete$=webauthn]') || !(await browserSupportsWebAuthnAutofill())) return;
  const optionsJSON = JSON.parse(form.dataset.options ?? '') as PublicKeyCredentialRequestOptionsJSON;
  startAuthentication({ optionsJSON, useBrowserAutofill: true }).then(
    (credential) => send(form, credential),
    () => undefined,
  );
}

function send(form: HTMLFormElement, credential: object): void {
  (form.elements.namedItem('credential') as HTMLInputElement).value = JSON.stringify(credential);
  form.submit();
}

function answerOf({ dataset }: HTMLFormElement): Promise<object> {
  const options: unknown = JSON.parse(dataset.options ?? '');
  return dataset.passkey === 'make'
    ? startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
    : startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}
