/** A site whose pages have the script of passkeys, and browsers with a device that has them. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { buildPasskeys } from '../../build/passkeys.mjs';
import type { Module } from '../../src/kernel/module.ts';
import { startSite, type TestSite, type TestSiteOptions } from './site.ts';

/** The script of passkeys, built. */
export async function passkeyFiles(): Promise<Module> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-passkeys-'));
  await buildPasskeys(dir);
  return { name: 'sign-in-files', setup: () => ({ site: { signInFiles: pathToFileURL(dir + sep) } }) };
}

/** @returns the site, and its address by a name: there are no passkeys for IP addresses */
export async function startPasskeySite(
  options: TestSiteOptions = {},
): Promise<{ readonly site: TestSite; readonly url: string }> {
  const site = await startSite({ ...options, modules: [await passkeyFiles(), ...(options.modules ?? [])] });
  return { site, url: site.url.replace('127.0.0.1', 'localhost') };
}

export interface Device {
  /** Credentials on it. */
  keys(): Promise<readonly { readonly credentialId: string; readonly signCount: number }[]>;
  setCounter(credentialId: string, signCount: number): Promise<void>;
  unplug(): Promise<void>;
}

/** Plugs a device in that says yes to everything. */
export async function plugIn(context: BrowserContext, page: Page, isUserVerified = true): Promise<Device> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  const keys = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    keys,
    async setCounter(credentialId, signCount) {
      const known = (await keys()).find((one) => one.credentialId === credentialId);
      if (!known) throw new Error(`no key ${credentialId}`);
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...known, signCount } });
    },
    async unplug() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
