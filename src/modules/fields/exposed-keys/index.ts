/**
 * Undeclared front matter for front ends: with `expose: true` in `site.yaml`, unknown keys of a file are the read-only member `front_matter` of its
 * item or term. Keys that begin with `_` are never returned.
 */
import { type Field, fileKeys, type Fields } from '../../../kernel/model/field.ts';
import { of, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { Extensions, Module } from '../../../kernel/module.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { postItems } from '../custom-fields/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';

type Values = Readonly<Record<string, unknown>>;
type Exposed = (PostRecord | TermRecord) & { readonly frontMatter?: Values };

const known = new WeakMap<object, ReadonlySet<string>>();

/** File keys of fields. */
function keysOf(fields: Fields<never, never>): ReadonlySet<string> {
  const found = known.get(fields) ?? new Set(['id', ...fileKeys(fields)]);
  known.set(fields, found);
  return found;
}

function undeclared(record: Exposed, call: Call): Values {
  const { site } = call;
  const isPost = 'type' in record;
  if (isPost && postItems.isLocked?.(record, call)) return {};
  const fields = isPost ? site.postFields.get(record.type) : site.termFields.get(record.taxonomy);
  const declared = keysOf((fields ?? {}) as Fields<never, never>);
  // Also under names of other generators: `pubDate` for `date`.
  const meant = new Set(isPost ? Object.values(record.forms ?? {}).map(({ key }) => key) : []);
  return Object.fromEntries(
    Object.entries(record.frontMatter ?? {}).filter(([key]) => !key.startsWith('_') && !declared.has(key) && !meant.has(key)),
  );
}

const frontMatter: Field<Exposed, unknown> = {
  schema: of('object', 'What the file of the item says under keys that nobody declared.', {
    context: viewAndEdit,
    readonly: true,
    additionalProperties: true,
  }),
  get: (record, _view, call) => undeclared(record, call),
  file: {
    key: 'front_matter',
    form: { description: 'Not read: the server shows other keys of the file under this name.' },
    read(_raw, draft, _cx, data = {}) {
      (draft as { frontMatter?: Values }).frontMatter = data;
    },
    print: () => undefined,
  },
};

export const exposedKeys: Module = {
  name: 'exposed-keys',
  settings: [
    {
      key: 'expose',
      group: 'content',
      schema: of('boolean', 'Serve undeclared keys of files, read-only, as front_matter'),
      default: false,
    },
  ],
  extend(settings): Extensions {
    const added = { fields: { front_matter: frontMatter } };
    return settings.value('expose') === true ? { item: added, term: added } : {};
  },
};
