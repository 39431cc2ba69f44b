import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createStreams } from '../../../src/kernel/http/streams.ts';
import type { Module } from '../../../src/kernel/module.ts';
import { EventStream } from '../../../src/kernel/rest/event-stream.ts';
import { answer, anyone, READ } from '../../../src/kernel/rest/types.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import { follow } from '../../modules/events/following.ts';

describe('event streams', () => {
  let site: TestSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });

  it('work with any escapes in the URL', async () => {
    let wake: () => void = () => undefined;
    const texts = ['id: 1\n\n'];
    const source = {
      open(more: () => void) {
        wake = more;
        return () => undefined;
      },
      take: () => texts.shift() ?? '',
      beat: () => '\n',
    };
    const handle = () => answer(new EventStream(source), { headers: { 'Cache-Control': 'no-store' } });
    const route = { path: '/demo/v1/(?P<name>.+)', endpoints: [{ methods: READ, args: {}, allow: anyone, handle }] };
    const module: Module = { name: 'demo', namespaces: () => [{ name: 'demo/v1', routes: [route] }] };
    site = await startSite({ modules: [module] });
    const stream = await follow(site.url, { path: '/cms-json/demo/v1/a%20b' });
    texts.push('id: 2\ndata: {"a":1}\n\n');
    wake();
    expect(await stream.next(() => true)).toEqual({ a: 1 });
    await site.server.close();
    await until(stream.isOver);
    expect(site.log).toEqual([]);
  });

  it("are sent at the client's pace, and closed if it reads nothing", async () => {
    const outgoing = Object.assign(new EventEmitter(), {
      written: [] as string[],
      writableNeedDrain: false,
      writableEnded: false,
      destroyed: false,
      write: (text: string) => outgoing.written.push(text),
      end: () => undefined,
      destroy() {
        outgoing.destroyed = true;
        outgoing.emit('close');
      },
    });
    let taken = 0;
    let isOpen = true;
    const source = {
      open: () => () => {
        isOpen = false;
      },
      take() {
        outgoing.writableNeedDrain = ++taken % 3 === 0;
        return `${taken}`;
      },
      beat: () => 'beat',
    };
    createStreams(10).send(new EventStream(source), outgoing as never);
    expect(outgoing.written).toEqual(['1', '2', '3']);
    outgoing.writableNeedDrain = false;
    outgoing.emit('drain');
    expect(outgoing.written).toHaveLength(6);
    await until(() => outgoing.destroyed);
    expect([isOpen, outgoing.written.includes('beat')]).toEqual([false, false]);
  });
});
