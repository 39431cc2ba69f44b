/** The checker of histories finds what it is there for: an honest history, and what each kind of fault makes of it. */
import { expect, it } from 'vitest';
import { type Change, type Ending, type Event, type Held, judge } from '../../support/history.ts';

const asked = (client: number, began: number, ended = began + 1) => ({ client, began, ended, isSure: true });
const change = (client: number, began: number, count: number, from: string, to: string) =>
  ({ kind: 'change', ...asked(client, began), id: 1, count, from, to }) as const;
const read = (client: number, began: number, count: number, etag: string, isVisitor = false) =>
  ({ kind: 'read', ...asked(client, began), id: 1, count, etag, isVisitor }) as const;
const made = (client: number, began: number, title: string, id: number, slug: string) =>
  ({ kind: 'creation', ...asked(client, began), title, id, slug }) as const;

/** Two clients count to three, one answer is lost, and a visitor sees something old. */
const honest: readonly Event[] = [
  read(1, 0, 0, 'a'),
  change(1, 2, 1, 'a', 'b'),
  read(2, 4, 1, 'b'),
  { ...change(2, 6, 2, 'b', ''), isSure: false },
  read(1, 8, 2, 'c'),
  change(1, 10, 3, 'c', 'd'),
  read(9, 12, 1, '', true),
  read(2, 14, 3, 'd'),
  made(1, 16, 'One', 7, 'wanted'),
  made(2, 16, 'Two', 8, 'wanted-2'),
  { ...made(2, 18, 'Three', 0, ''), isSure: false },
];
const held: readonly Held[] = [
  { id: 1, slug: 'count', title: 'Count 3', etag: 'd' },
  { id: 7, slug: 'wanted', title: 'One', etag: 'e' },
  { id: 8, slug: 'wanted-2', title: 'Two', etag: 'f' },
];
const ending: Ending = { engine: held, nodes: [held, [...held].reverse()] };

/** The same on every node. */
const all = (engine: readonly Held[]): Ending => ({ engine, nodes: [engine, engine] });
const without = (title: string) => held.filter((one) => one.title !== title);

it('an honest history is found to be one', () => expect(judge(honest, [1], ending)).toEqual([]));

it.each<[string, RegExp, readonly Event[], Ending]>([
  ['a read of somebody signed in that is too old', /^stale: 1 was read as 1 after 3/, [...honest, read(3, 20, 1, 'b')], ending],
  [
    'an acknowledged change that is gone',
    /^lost: 1 ends at 2, 3 was/,
    honest,
    all([{ ...held[0], title: 'Count 2' } as Held, ...held.slice(1)]),
  ],
  [
    'an acknowledged change that something else has taken the place of',
    /^lost: 1 ends as x, 3/,
    honest,
    all([{ ...held[0], etag: 'x' } as Held, ...held.slice(1)]),
  ],
  ['a shared post that is gone', /^lost: 1 is not there/, honest, all(without('Count 3'))],
  ['an acknowledged post that is gone', /^lost: One \(7, wanted\)/, honest, all(without('One'))],
  [
    'an acknowledged post with another id',
    /^lost: Two \(8, wanted-2\)/,
    honest,
    all([...without('Two'), { ...held[2], id: 9 } as Held]),
  ],
  [
    'two changes of one state',
    /^fork of 1: 4 was made twice/,
    [...honest, change(1, 20, 4, 'd', 'g'), change(2, 20, 4, 'd', 'h')],
    all([{ ...held[0], title: 'Count 4', etag: 'h' } as Held, ...held.slice(1)]),
  ],
  [
    'a change of a state that another one had replaced',
    /^fork of 1: 4 replaced x, but 3 was d/,
    [...honest, change(1, 20, 4, 'x', 'g')],
    all([{ ...held[0], title: 'Count 4', etag: 'g' } as Held, ...held.slice(1)]),
  ],
  [
    'a state that is read as another one than was acknowledged',
    /^fork of 1: 3 was d, and read as x/,
    [...honest, read(3, 20, 3, 'x')],
    ending,
  ],
  [
    'a session that sees a counter go back',
    /^back: session 2 saw 1 at 3, and then at 2/,
    [...honest, { ...read(2, 1, 2, 'c'), ended: 30 }],
    ending,
  ],
  ['a count that nobody has written', /^invented: 1 was read as 4/, [...honest, read(9, 20, 4, '', true)], ending],
  ['a count that was read before it was written', /^invented: 1 was read as 3/, [...honest, read(9, 5, 3, '', true)], ending],
  [
    'a counter that has moved by itself',
    /^invented: 1 has passed 4/,
    honest,
    all([{ ...held[0], title: 'Count 4', etag: 'g' } as Held, ...held.slice(1)]),
  ],
  [
    'a post that nobody has written',
    /^invented: Ghost/,
    honest,
    all([...held, { id: 10, slug: 'ghost', title: 'Ghost', etag: 'g' }]),
  ],
  ['an id that is given twice', /^twice: id 7/, honest, all([...held, { id: 7, slug: 'three', title: 'Three', etag: 'g' }])],
  [
    'a slug that is given twice',
    /^twice: slug wanted/,
    honest,
    all([...held, { id: 10, slug: 'wanted', title: 'Three', etag: 'g' }]),
  ],
  [
    'a write whose answer was lost and that was made twice',
    /^twice: Three/,
    honest,
    all([...held, { id: 10, slug: 'three', title: 'Three', etag: 'g' }, { id: 11, slug: 'three-2', title: 'Three', etag: 'h' }]),
  ],
  ['a node that lacks a post', /^memory: node 1 differs/, honest, { engine: held, nodes: [held, without('Two')] }],
  [
    'a node that has more',
    /^memory: node 0 differs/,
    honest,
    { engine: held, nodes: [[...held, { id: 10, slug: 'x', title: 'Three', etag: 'g' }], held] },
  ],
  [
    'a node with an older state',
    /^memory: node 1 differs/,
    honest,
    { engine: held, nodes: [held, [{ ...held[0], title: 'Count 2', etag: 'c' } as Held, ...held.slice(1)]] },
  ],
])('%s is found', (_, said, events, end) => {
  expect(judge(events, [1], end).filter((line) => said.test(line))).not.toEqual([]);
});

it('a change whose answer was lost may have been carried out or not', () => {
  const lost: Change = { ...change(2, 20, 4, 'd', ''), isSure: false };
  expect(judge([...honest, lost], [1], ending)).toEqual([]);
  expect(judge([...honest, lost], [1], all([{ ...held[0], title: 'Count 4', etag: 'g' } as Held, ...held.slice(1)]))).toEqual([]);
});

it('an acknowledged change whose answer showed a later state may have been any', () => {
  const shown = honest.map((event) => (event.kind === 'change' && event.count === 1 ? { ...event, to: '' } : event));
  expect(judge(shown, [1], ending)).toEqual([]);
});
