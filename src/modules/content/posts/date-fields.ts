/** Post dates. A file has each once, in site time; the record also has GMT. */
import { parseFileDate, printFileDate } from '../../../kernel/model/dates.ts';
import { FieldProblem, type FileContext, forms } from '../../../kernel/model/field.ts';
import { plain } from '../../../kernel/model/plain.ts';
import { everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { PostField } from './record.ts';

const readonly = true;

export const dateField: PostField = {
  schema: of(['string', 'null'], "The date the post was published, in the site's timezone.", {
    format: 'date-time',
    context: everywhere,
  }),
  get: (post) => post.date,
  file: {
    key: 'date',
    form: forms.date,
    read(raw, draft, cx) {
      [draft.date, draft.dateGmt] = raw === undefined || raw === null ? ['', ''] : fileDate(raw, 'date', cx);
      draft.floating = false;
    },
    print: (post, cx) => (post.floating ? undefined : plain(printFileDate(post.date, post.dateGmt, cx.zone))),
  },
  index: { order: (post) => post.date },
};

export const modifiedField: PostField = {
  schema: of('string', "The date the post was last modified, in the site's timezone.", {
    format: 'date-time',
    context: viewAndEdit,
    readonly,
  }),
  get: (post) => post.modified,
  file: {
    key: 'modified',
    form: forms.date,
    read(raw, draft, cx) {
      [draft.modified, draft.modifiedGmt] = raw === undefined || raw === null ? ['', ''] : fileDate(raw, 'modified', cx);
    },
    print: (post, cx) =>
      post.modified === post.date && !post.floating ? undefined : plain(printFileDate(post.modified, post.modifiedGmt, cx.zone)),
  },
  index: { order: (post) => post.modified },
};

function fileDate(raw: unknown, key: string, cx: FileContext): [local: string, gmt: string] {
  const date = parseFileDate(String(raw), cx.zone);
  if (!date)
    throw new FieldProblem(
      key,
      `invalid ${key} ${JSON.stringify(raw)}`,
      'write it as 2026-03-05T10:00:00, in the time of the site',
    );
  return [date.local, date.gmt];
}
