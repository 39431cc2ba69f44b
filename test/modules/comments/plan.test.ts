import { composeModules } from '../../../src/kernel/compose-modules.ts';
import { createPathTable } from '../../../src/kernel/site/path-table.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentPath, createCommentKind, writeComment } from '../../../src/modules/comments/file.ts';
import { createCommenters } from '../../../src/modules/comments/commenters.ts';
import { type CommentRecord, commentStatuses } from '../../../src/modules/comments/record.ts';
import { PlainText } from '../../../src/kernel/model/plain.ts';
import { memoryDocuments } from '../../kernel/site/documents.ts';

const ann = { email: 'Ann@Example.org', ip: '10.0.0.1', agent: 'browser' };
const bob = { email: 'bob@example.org', ip: '10.0.0.2', agent: '' };

describe('commenters', () => {
  it('are stored a hundred to a document, merged with writes of other processes', async () => {
    const documents = memoryDocuments();
    const commenters = await createCommenters(documents);
    await commenters.keep(7, ann);
    documents.texts.set('comments/0.json', JSON.stringify({ 7: ann, 8: bob }));
    await Promise.all([commenters.keep(99, bob), commenters.keep(100, bob), commenters.keep(98, ann)]);
    expect([...documents.texts.keys()]).toEqual(['comments/0.json', 'comments/1.json']);
    expect(Object.keys(JSON.parse(documents.texts.get('comments/0.json') as string))).toEqual(['7', '8', '98', '99']);
  });

  it('are found by email address, ignoring case, and by parts of it', async () => {
    const documents = memoryDocuments();
    await (await createCommenters(documents)).keep(7, ann);
    const commenters = await createCommenters(documents);
    await commenters.keep(250, { ...bob, email: 'ann@example.org' });
    expect([...commenters.withEmail('ANN@example.org')]).toEqual([7, 250]);
    expect(commenters.containing('@EXAMPLE')).toEqual([7, 250]);
    expect(commenters.containing('10.0.0.2')).toEqual([250]);
    await commenters.keep(250, bob);
    expect([...commenters.withEmail('ann@example.org')]).toEqual([7]);
  });

  it('are removed with their comment, and so is an empty document', async () => {
    const documents = memoryDocuments();
    const commenters = await createCommenters(documents);
    for (const id of [1, 2, 300]) await commenters.keep(id, ann);
    await commenters.forget([2, 300, 4]);
    expect([...documents.texts]).toEqual([['comments/0.json', `${JSON.stringify({ 1: ann })}\n`]]);
    expect([commenters.get(2), [...commenters.withEmail(ann.email)]]).toEqual([undefined, [1]]);
  });

  it('that cannot be read are reported without their data; memory keeps the last good state', async () => {
    const documents = memoryDocuments();
    const commenters = await createCommenters(documents);
    await commenters.keep(1, ann);
    for (const broken of ['{"1": {"email": "ann@', 'null', '{"1": null}']) {
      documents.texts.set('comments/0.json', broken);
      const [problem] = (await createCommenters(documents)).problems();
      expect(problem).toMatchObject({ path: '.cms/private/comments/0.json', message: 'is not valid JSON' });
      await commenters.keep(2, bob);
      expect(JSON.parse(documents.texts.get('comments/0.json') as string)).toEqual({ 1: ann, 2: bob });
    }
  });

  it('that could not be written are not in memory', async () => {
    const documents = memoryDocuments();
    const commenters = await createCommenters(documents);
    documents.failing.add('comments/0.json');
    await expect(commenters.keep(1, ann)).rejects.toThrow();
    expect(commenters.get(1)).toBeUndefined();
  });
});

describe('a comment file', () => {
  const refs = {
    userId: (ref: string | number) => (typeof ref === 'number' ? ref : Number(ref.slice(1))),
    userRef: (id: number) => `u${id}`,
  };
  const site = { zone: 'Europe/Berlin', refs: refs as never, modules: composeModules([]) };
  const kind = createCommentKind({ ...site, commenters: null as never });
  const { find } = createPathTable(kind.paths);
  const line = fc.string({ unit: fc.constantFrom('a', 'B', ' ', ':', '#', '"', 'ü', '7') }).map((text) => text.trim());
  const state = fc.constantFrom(...commentStatuses);
  const record: fc.Arbitrary<CommentRecord> = fc
    .record({
      id: fc.integer({ min: 1, max: 1e6 }),
      post: fc.nat(1e6),
      parent: fc.nat(1e6),
      author: fc.nat(9),
      name: fc.option(line),
      url: fc.option(line),
      status: state,
      was: fc.option(state),
      type: fc.constantFrom('comment', 'note', 'pingback'),
      content: fc.string(),
      meta: fc.constantFrom({}, { _cms_note_status: 'resolved' }),
    })
    .map((one) => ({
      ...one,
      path: commentPath({ ...one, path: '' }),
      etag: 'e',
      date: '2026-07-01T12:00:00',
      dateGmt: '2026-07-01T10:00:00',
    }));

  it('contains all of a comment', () => {
    fc.assert(
      fc.property(record, (comment) => {
        const [write] = writeComment(site, comment);
        const data = Object.fromEntries(
          Object.entries(write?.data ?? {}).map(([key, value]) => [key, value instanceof PlainText ? value.text : value]),
        );
        const entry = {
          path: comment.path,
          kind: 'html' as const,
          data,
          body: write?.body ?? '',
          etag: 'e',
          size: 0,
          mtimeMs: 0,
        };
        expect(find(comment.path)).toBeDefined();
        expect(kind.read(entry, comment.id)).toEqual(comment);
      }),
    );
  });

  it('omits defaults, and does not change without a change', () => {
    const comment: CommentRecord = {
      id: 3,
      path: 'comments/7/3.html',
      etag: 'e',
      post: 7,
      parent: 0,
      author: 2,
      name: null,
      url: null,
      date: '2026-07-01T12:00:00',
      dateGmt: '2026-07-01T10:00:00',
      content: 'Hi',
      status: 'approved',
      was: null,
      type: 'comment',
      meta: {},
    };
    expect(Object.keys(writeComment(site, comment)[0]?.data ?? {})).toEqual(['id', 'author', 'date']);
    expect(writeComment(site, comment, comment)).toEqual([]);
    expect(writeComment(site, { ...comment, status: 'hold' }, comment)).toMatchObject([
      { data: { status: 'hold' }, expect: 'e' },
    ]);
  });

  it.each([
    ['comments/7/3.html', true],
    ['comments/7/a-word.md', true],
    ['comments/0/3.html', true],
    ['comments/about/3.html', false],
    ['comments/3.html', false],
    ['comments/7/3.yaml', false],
    ['comments/7/8/3.html', false],
  ])('is in the folder of its post: %s', (path, owned) => expect(find(path) !== undefined).toBe(owned));
});
