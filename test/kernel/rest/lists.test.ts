/** A list of what nobody has seen yet takes its time, and leaves room for others between its items. */
import { expect, it, onTestFinished } from 'vitest';
import { composeSite, openSite } from '../../../src/open-site.ts';
import { createDispatcher } from '../../../src/kernel/rest/dispatch.ts';
import { dialects } from '../../../src/kernel/rest/dialect.ts';
import { temporaryFolder } from '../store/folder.ts';

const long = 'Some *words* about the [quay](https://example.com) and the tide.\n\n'.repeat(1500);

async function open() {
  const folder = temporaryFolder({ 'site.yaml': 'name: Site\n' });
  for (let at = 0; at < 12; at++) {
    folder.write(`posts/p${at}.md`, `---\nid: ${10 + at}\ntitle: P ${at}\ndate: 2026-01-01\n---\n${at}\n\n${long}`);
    folder.write(
      `revisions/10/${100 + at}.md`,
      `---\nid: ${100 + at}\nparent: 10\ntitle: P\ndate: 2026-01-01\n---\n${at}\n\n${long}`,
    );
    folder.write(`comments/10/${at + 1}.html`, `---\nid: ${at + 1}\nname: R\ndate: 2026-01-01\n---\n${at} ${long}`);
  }
  const site = await openSite(folder.dir, { readOnly: true });
  onTestFinished(() => site.close());
  const dispatcher = createDispatcher(site, composeSite(site), (error) => expect.fail(String(error)));
  /** How many turns of the event loop the answer takes. */
  return async (route: string) => {
    let isDone = false;
    const asked = dispatcher
      .dispatch({
        method: 'GET',
        route,
        query: { per_page: '100', context: 'view' },
        headers: {},
        dialect: dialects[0],
        user: { id: 1, roles: ['administrator'] },
        credential: null,
        isPrinted: true,
      } as never)
      .finally(() => {
        isDone = true;
      });
    let turns = 0;
    for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve));
    const { status, data } = await asked;
    return { status, size: JSON.parse(JSON.stringify(data)).length as number, turns };
  };
}

it.each(['/cms/v2/posts', '/cms/v2/posts/10/revisions', '/cms/v2/comments'])('%s', async (route) => {
  const ask = await open();
  const { status, size, turns } = await ask(route);
  expect({ status, size }).toEqual({ status: 200, size: 12 });
  expect(turns).toBeGreaterThan(4);
});
