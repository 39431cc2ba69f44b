/** The line that counts what is done: it is gone whatever ends it. */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDrawing, inert, takenAway } from '../../src/cli/drawing.ts';
import { createProgress, processIo } from '../../src/cli/io.ts';
import { pretend } from './run.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

describe('a progress line', () => {
  let host: EventEmitter & { readonly pid: number; readonly killed: string[]; kill(pid: number, signal: string): true };
  let shown: string[];
  let drawing: ReturnType<typeof createDrawing>;
  beforeEach(() => {
    const killed: string[] = [];
    host = Object.assign(new EventEmitter(), {
      pid: 7,
      killed,
      kill: (pid: number, signal: string) => Boolean(killed.push(`${pid} ${signal}`)) as true,
    });
    shown = [];
    drawing = createDrawing((text) => void shown.push(text), host as never);
  });
  const listeners = (): number => [...signals, 'exit'].reduce((sum, name) => sum + host.listenerCount(name), 0);

  /** What `cms translate`, `import`, `export`, `media fetch` and the others count with. */
  function count(): ReturnType<typeof createProgress> {
    let now = 0;
    const { io } = pretend({ draw: drawing.draw, terminal: { out: true, err: true } });
    const progress = createProgress(io, 'ordering', () => (now += 2000));
    progress.update(1, 9);
    progress.update(2, 9);
    expect(shown.at(-1)).toMatch(/ordering: 2 of 9/);
    return progress;
  }

  it.each(signals)('is cleared on %s, which then ends the process as usual', (signal) => {
    count();
    host.emit(signal, signal);
    expect(shown.at(-1)).toBe(takenAway);
    expect(host.killed).toEqual([`7 ${signal}`]);
    expect(listeners()).toBe(0);
  });

  it.each(signals)('is cleared on %s, which another listener handles', (signal) => {
    let taken = 0;
    host.on(signal, () => taken++);
    const progress = count();
    host.emit(signal, signal);
    expect([shown.at(-1), host.killed, taken]).toEqual([takenAway, [], 1]);
    // The work goes on to its next stop.
    progress.update(3, 9);
    expect(shown.at(-1)).toMatch(/ordering: 3 of 9/);
    progress.end();
    expect([shown.at(-1), listeners()]).toEqual([takenAway, 1]);
  });

  it('is cleared at exit, and before other output', () => {
    count();
    host.emit('exit', 1);
    expect(shown.at(-1)).toBe(takenAway);
    count();
    drawing.clear();
    expect(shown.at(-1)).toBe(takenAway);
    const before = shown.length;
    drawing.clear();
    expect(shown.length).toBe(before);
  });

  it('removes its signal listeners when done', () => {
    count().end();
    expect([shown.at(-1), listeners()]).toEqual([takenAway, 0]);
  });
});

describe('terminal output', () => {
  it.each([
    ['\u001b]0;title\u0007a', '\ufffd]0;title\ufffda'],
    ['\u001b[2J\u001b[1;1Hgone', '\ufffd[2J\ufffd[1;1Hgone'],
    ['\u009b2Jgone', '\ufffd2Jgone'],
    ['right\rwrong', 'right\ufffdwrong'],
    ['a\u202etxt.exe', 'a\ufffdtxt.exe'],
    ['back\u0008\u007f', 'back\ufffd\ufffd'],
  ])('escapes control sequences from files: %j', (text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  it('keeps colors, columns and lines', () => {
    const said = '\u001b[1m\u001b[31mred\u001b[39m\u001b[22m\tcolumn\r\nnext — ü 日本 🙂';
    expect(inert(said)).toBe(said);
  });

  it.each(['out', 'err'] as const)('is escaped for everything a command prints: %s', (name) => {
    const stream = name === 'out' ? process.stdout : process.stderr;
    const before = stream.isTTY;
    const written = vi.spyOn(stream, 'write').mockReturnValue(true);
    try {
      for (const isTTY of [true, false]) {
        stream.isTTY = isTTY;
        processIo[name]('a\u001b]0;x\u0007');
      }
      expect(written.mock.calls.map(([text]) => text)).toEqual(['a\ufffd]0;x\ufffd\n', 'a\u001b]0;x\u0007\n']);
    } finally {
      stream.isTTY = before;
      written.mockRestore();
    }
  });
});
