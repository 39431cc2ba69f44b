/** Signing in at an OpenID provider in a real browser, through its pages. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { faultsOf, openBrowser, screens } from '../../../support/browser.ts';
import { clientId, clientSecret, type OpenIdProvider, startOpenIdProvider } from '../../../support/openid-provider.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

let provider: OpenIdProvider;
let site: TestSite;
let browser: Browser;

beforeAll(async () => {
  vi.stubEnv('TEST_OPENID_SECRET', clientSecret);
  provider = await startOpenIdProvider();
  const openid = {
    issuer: provider.issuer,
    client_id: clientId,
    client_secret_env: 'TEST_OPENID_SECRET',
    name: 'Example ID',
    sign_out: true,
  };
  site = await startSite({ operator: { openid } });
  provider.redirectUris.push(`${site.url}/cms-admin/openid`);
  provider.people.set('the-admin', { email: 'admin@example.com', email_verified: true });
  browser = await openBrowser();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await browser.close();
  await site.close();
  await provider.close();
});

describe.each(screens)('on %s', (_, options) => {
  it('a person signs in at the provider, comes back to the page they wanted, and signs out', async () => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${site.url}/cms-admin/profile.php`);
    expect(await faultsOf(page)).toEqual([]);
    await page.click('text="Sign in with Example ID"');
    expect(page.url()).toContain(provider.issuer);
    await page.fill('[name=login]', 'the-admin');
    await page.fill('[name=password]', 'any');
    await page.click('button[type=submit]');
    if (page.url().startsWith(provider.issuer)) await page.click('button[type=submit]');
    await page.waitForURL(`${site.url}/cms-admin/profile.php`);
    expect(await page.textContent('main')).toContain('You are signed in as admin.');
    expect(await page.textContent('main')).toContain('You can sign in with Example ID.');
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${site.url}/cms-login.php?action=logout`);
    await page.click('button');
    await page.waitForURL((at) => at.href.startsWith(provider.issuer));
    // Signed out here, whatever the person says there.
    await page.goto(`${site.url}/cms-admin/profile.php`);
    expect(await page.textContent('main')).not.toContain('You are signed in as admin.');
    await context.close();
  });

  it('a person who signs out is asked to sign out of the provider, too', async () => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${site.url}/cms-login.php?action=openid`);
    await page.fill('[name=login]', 'the-admin');
    await page.fill('[name=password]', 'any');
    await page.click('button[type=submit]');
    if (page.url().startsWith(provider.issuer)) await page.click('button[type=submit]');
    await page.waitForURL(`${site.url}/cms-admin/profile.php`);
    await page.goto(`${site.url}/cms-login.php?action=logout`);
    expect(await page.textContent('main')).toContain('You will also be asked to sign out of Example ID.');
    expect(await faultsOf(page)).toEqual([]);
    await page.click('button');
    await page.waitForURL((at) => at.href.startsWith(`${provider.issuer}/session/end`));
    await page.click('button[type=submit]');
    await page.waitForURL((at) => at.href.startsWith(`${site.url}/cms-login.php`));
    expect(await page.textContent('[role=status]')).toBe('You are now signed out.');
    // There, too: it asks who it is.
    await page.click('text="Sign in with Example ID"');
    await page.waitForSelector('[name=login]');
    await context.close();
  });

  it('its refusals are readable', async () => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${site.url}/cms-admin/openid?code=x&state=y`);
    expect(await page.textContent('h1')).toBe('Please sign in again');
    expect(await faultsOf(page)).toEqual([]);
    await context.close();
  });
});
