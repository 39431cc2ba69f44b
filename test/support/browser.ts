/**
 * A real browser, for tests of pages that people see. Debian's package `chromium`; CMS_CHROMIUM names another program.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { faults, focused } from './in-page.mjs';

/** Those that pages are looked at with: a small phone and a desktop, light and dark. */
export const screens: readonly (readonly [string, BrowserContextOptions])[] = (['light', 'dark'] as const).flatMap(
  (colorScheme) => [
    [`a phone, ${colorScheme}`, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, colorScheme }] as const,
    [`a desktop, ${colorScheme}`, { viewport: { width: 1280, height: 800 }, colorScheme }] as const,
  ],
);

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CMS_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox'],
  });
}

/** What is hard to see, to touch or to hear on a page, in words; [] when nothing is. */
export function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(faults);
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, as `rule: element`. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Violation[] }> } }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** What the keyboard comes to, in turn, and whether it can be seen there. */
export async function tabStops(page: Page): Promise<{ name: string; isSeen: boolean }[]> {
  const stops: { name: string; isSeen: boolean }[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focused);
    if (!stop || stops.length > 50) return stops;
    stops.push(stop);
  }
}
