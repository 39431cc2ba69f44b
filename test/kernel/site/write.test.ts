import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSite, type TestSite } from '../../support/site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await site.close();
});

/** A file of the site is written, and work is done beside. @returns whether it was done before the write had ended */
async function writeBeside(work: () => void = () => undefined): Promise<boolean> {
  let isDone = false;
  const meanwhile = (): void => {
    isDone = true;
    work();
  };
  const changes = [{ path: 'notes/a.txt', bytes: Buffer.from('text') }];
  expect(await site.site.write(() => ({ changes, result: 'written', meanwhile }))).toBe('written');
  return isDone;
}

describe('work done during a write', () => {
  it('runs while waiting for the disk', async () => {
    // The disk takes until the work is done, and for ever without.
    let ends = (): void => undefined;
    vi.spyOn(site.site, 'commit').mockReturnValue(
      new Promise((resolve) => {
        ends = () => resolve([]);
      }),
    );
    expect(await writeBeside(() => ends())).toBe(true);
  });

  it('is skipped if the write ends first', async () => {
    vi.spyOn(site.site, 'commit').mockResolvedValue([]);
    expect(await writeBeside()).toBe(false);
  });

  it('may fail', async () => {
    const work = (): never => {
      throw new Error('no such thing');
    };
    await writeBeside(work);
    expect(await site.read('notes/a.txt')).toBe('text');
    expect(site.log).toEqual([]);
  });
});

describe('the response to a write', () => {
  const shown = async (id: number) => (await site.ask('GET', `/cms/v2/posts/${id}?context=edit`, { as: 'admin' })).body;

  it.each([
    ['Markdown', '*First* "text"\n\n- a\n- b'],
    ['blocks', '<!-- wp:paragraph -->\n<p>First "text"</p>\n<!-- /wp:paragraph -->'],
    ['classic HTML', '<p>First "text"</p>\n\nsecond'],
  ])('equals a later read, for a changed and an unchanged text: %s', async (_kind, content) => {
    const sent = (path: string, body: object) => site.ask('POST', `/cms/v2/posts${path}`, { as: 'admin', body });
    const { body: made } = await sent('', { title: 'One', content, status: 'publish' });
    for (const change of [{}, { title: 'Two' }, { content: `${content}\n\nMore.` }, { excerpt: 'By *hand*' }, { content }]) {
      const { body } = await sent(`/${made.id}`, change);
      const { content: text, excerpt } = await shown(made.id);
      expect({ text: body.content, excerpt: body.excerpt }).toEqual({ text, excerpt });
      if ('content' in change) expect(text.raw).toBe(change.content);
    }
  });
});
