/**
 * Passkeys, checked by `@simplewebauthn/server`, which is loaded with the first one. They work for the host at which the browser is, by its own
 * words and by the connection; a URL in `site.yaml` decides nothing. The person is verified by the device (its lock, a PIN), so no second factor is
 * asked for.
 *
 * Source: Web Authentication Level 3.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { isMap } from '../../../kernel/model/maps.ts';
import { originOf, type Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { spend } from '../accounts/index.ts';
import type { Account, Passkey } from '../users/record.ts';
import { type Challenge, createChallenges } from './challenge.ts';

/** What a browser is asked, and what the form must bring back beside its answer. */
export interface Asked {
  /** For `navigator.credentials`, in the JSON form of the standard. */
  readonly options: object;
  readonly seal: string;
}

/** As the form brings it. */
interface PasskeyAnswer {
  /** JSON, from the browser. */
  readonly credential: string;
  readonly seal: string;
}

export interface Passkeys {
  /** For somebody who signs in; null where browsers have no passkeys. */
  use(visit: Visit): Asked | null;
  /** For a new passkey of an account; null where browsers have none. */
  make(account: Account, visit: Visit): Asked | null;
  /** The account whose passkey has answered; null: none. */
  signIn(answer: PasskeyAnswer, visit: Visit): Promise<Account | null>;
  /** Adds a passkey. @returns whether it was valid */
  add(account: Account, name: string, answer: PasskeyAnswer, visit: Visit): Promise<boolean>;
}

/** Passkeys per account. */
const most = 20;
const timeoutMs = 5 * 60 * 1000;
/** Ed25519, ES256, RS256: those that the library verifies without being asked to. */
const algorithms = [-8, -7, -257];
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

type Transport = (typeof transports)[number];

export function createPasskeys(site: Site): Passkeys {
  const { accounts, clock } = site;
  const [using, making] = [createChallenges(site, 'passkey'), createChallenges(site, 'new passkey')];
  const now = (): number => Math.floor(clock() / 1000);

  return {
    use(visit) {
      const place = placeOf(visit);
      if (!place) return null;
      const { challenge, seal } = using.create();
      const asked: PublicKeyCredentialRequestOptionsJSON = {
        challenge,
        rpId: place.host,
        userVerification: 'required',
        timeout: timeoutMs,
      };
      return { seal, options: asked };
    },
    make({ id, login, name, passkeys }, visit) {
      const place = placeOf(visit);
      if (!place) return null;
      const { challenge, seal } = making.create();
      return {
        seal,
        options: {
          challenge,
          rp: { id: place.host, name: place.host },
          user: { id: site.previews.seal(`passkey user ${id}`), name: login, displayName: name },
          pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
          authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
          attestation: 'none',
          excludeCredentials: passkeys
            .filter(({ host }) => host === place.host)
            .map((one) => ({ id: one.id, type: 'public-key', transports: knownTransports(one.transports) })),
          timeout: timeoutMs,
        } satisfies PublicKeyCredentialCreationOptionsJSON,
      };
    },
    async signIn({ credential, seal }, visit) {
      const [place, response, asked] = [placeOf(visit), responseIn(credential), using.read(seal)];
      if (!place || !response || !asked) return null;
      const found = await holderOf(response.id);
      if (!found || found.passkey.host !== place.host) return null;
      const counter = await valid(async () => {
        const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: response as unknown as AuthenticationResponseJSON,
          expectedChallenge: asked.challenge,
          expectedOrigin: place.origin,
          expectedRPID: place.host,
          credential: asCredential(found.passkey),
          requireUserVerification: true,
        });
        return verified ? authenticationInfo.newCounter : null;
      });
      if (counter === null) return null;
      return used(found.account.id, found.passkey, { ...asked, counter, ip: visit.client.ip ?? null });
    },
    async add({ id }, name, { credential, seal }, visit) {
      const [place, response, asked] = [placeOf(visit), responseIn(credential), making.read(seal)];
      if (!place || !response || !asked || (await holderOf(response.id))) return false;
      const made = await valid(async () => {
        const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: response as unknown as RegistrationResponseJSON,
          expectedChallenge: asked.challenge,
          expectedOrigin: place.origin,
          expectedRPID: place.host,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        });
        return verified ? registrationInfo.credential : null;
      });
      if (!made) return false;
      const passkey: Passkey = {
        id: made.id,
        publicKey: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        host: place.host,
        transports: knownTransports(made.transports ?? []),
        name,
        created: now(),
        lastUsed: null,
        lastIp: null,
      };
      let isAdded = false;
      await accounts.change(id, (known) => {
        const spent = known.passkeys.length < most ? spend(known, asked.challenge, asked.until, now()) : null;
        isAdded = spent !== null;
        return spent ? { ...spent, passkeys: [...known.passkeys, passkey] } : known;
      });
      return isAdded;
    },
  };

  /** Where the browser is; null at an IP address, for which there are no passkeys. */
  function placeOf({ headers, client }: Visit): { readonly host: string; readonly origin: string } | null {
    const { hostname, origin } = new URL(site.browserUrl(originOf(headers, client)));
    return isIP(hostname) === 0 && !hostname.startsWith('[') ? { host: hostname, origin } : null;
  }

  async function holderOf(id: string): Promise<{ readonly account: Account; readonly passkey: Passkey } | null> {
    await accounts.refresh();
    const of = (account: Account | undefined) => account?.passkeys.find((one) => one.id === id);
    const known = accounts.all().find(of);
    if (known && !accounts.isCurrent(known.id)) await accounts.reread(known.id);
    const account = known && accounts.get(known.id);
    const passkey = of(account);
    return account && passkey ? { account, passkey } : null;
  }

  /** An answer signs in once; and a counter that does not rise belongs to a copy of the key. */
  async function used(
    id: number,
    { id: key, counter: before }: Passkey,
    { challenge, until, counter, ip }: Challenge & { readonly counter: number; readonly ip: string | null },
  ): Promise<Account | null> {
    let isFirst = false;
    const after = await accounts.change(id, (known) => {
      const spent = spend(known, challenge, until, now());
      isFirst =
        spent !== null &&
        known.passkeys.some(
          (one) => one.id === key && (counter === 0 ? one.counter === 0 : one.counter < counter && one.counter >= before),
        );
      if (!isFirst || !spent) return known;
      const passkeys = known.passkeys.map((one) => (one.id === key ? { ...one, counter, lastUsed: now(), lastIp: ip } : one));
      return { ...spent, passkeys };
    });
    return isFirst && after ? after : null;
  }
}

/** What the library makes of an answer; null for one that it refuses, for whatever reason. */
async function valid<T>(check: () => Promise<T | null>): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}

function responseIn(json: string): { readonly id: string } | null {
  try {
    const data: unknown = JSON.parse(json);
    return isMap(data) && typeof data.id === 'string' && isMap(data.response)
      ? (data as unknown as { readonly id: string })
      : null;
  } catch {
    return null;
  }
}

function asCredential({ id, publicKey, counter, transports: known }: Passkey): WebAuthnCredential {
  return { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter, transports: knownTransports(known) };
}

function knownTransports(given: readonly string[]): Transport[] {
  return transports.filter((one) => given.includes(one));
}
