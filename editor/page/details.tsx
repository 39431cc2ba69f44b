/** What else can be said of an item: its place among others, who may read and answer it, and its custom fields. */
import { Fragment } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { CustomField, type Kinds } from './custom-fields.tsx';
import { fieldName } from './fields.ts';
import { Findings } from './findings.tsx';
import { Picker } from './picker.tsx';
import { type Item, may } from './records.ts';
import { choicesOf, members, propertiesOf, type Properties } from './schema.ts';
import type { Json, Value, Values } from './changes.ts';
import { say } from './words.ts';

interface DetailsProps {
  readonly item: Item | null;
  readonly route: string;
  readonly values: Values;
  /** As the server has them. */
  readonly stored: Values;
  readonly kinds: Kinds;
  set(name: string, value: Value): void;
}

/** Meta that programs keep for themselves. */
export const isOwn = (name: string): boolean => name.startsWith('_') || name === 'footnotes';

export function Details({ item, route, values, stored, kinds, set }: DetailsProps) {
  const id = useId();
  const [schema, setSchema] = useState<Properties>({});
  const [metadata, setMetadata] = useState<{ Metadata: typeof import('./metadata.tsx').Metadata } | null>(null);
  useEffect(() => {
    void propertiesOf(route).then(setSchema, () => {});
  }, [route]);
  const has = (name: string): boolean => schema[name] !== undefined && (item === null || name in values);
  if (item && !may(item, 'PUT')) return null;
  // A new one has what the settings say.
  const discussion = item ? (['comment_status', 'ping_status'] as const).filter(has) : [];
  const templates = choicesOf(schema.template ?? {});
  const hasTemplates = has('template') && (templates.length > 0 || (values.template ?? '') !== '');
  const text = (name: string): string => String(values[name] ?? '');
  const fields = Object.entries(members(schema.fields ?? {}));
  const meta = Object.entries(members(schema.meta ?? {})).filter(
    ([name]) => !isOwn(name) && !fields.some(([other]) => other === name),
  );
  const custom = (kind: 'fields' | 'meta', all: typeof fields): preact.ComponentChildren =>
    all.map(([name, one]) => (
      <Fragment key={`${kind}:${name}`}>
        <CustomField
          name={name}
          schema={one}
          value={(values[`${kind}:${name}`] ?? null) as Json}
          kinds={kinds}
          onChange={(value) => set(`${kind}:${name}`, value)}
        />
        <Findings of={[`${kind}:${name}`]} />
      </Fragment>
    ));
  return (
    <>
      {(has('parent') || has('menu_order') || hasTemplates) && (
        <details class="more">
          <summary>{say('Attributes')}</summary>
          {has('parent') && (
            <Picker
              label={fieldName('parent')}
              routes={[route]}
              without={item?.id}
              ids={Number(values.parent ?? 0) > 0 ? [Number(values.parent)] : []}
              onChange={([parent = 0]) => set('parent', parent)}
            />
          )}
          {has('menu_order') && (
            <div class="field">
              <label for={`${id}o`}>{say('Order')}</label>
              <input
                id={`${id}o`}
                type="number"
                value={text('menu_order') || '0'}
                onInput={({ currentTarget }) => set('menu_order', Number(currentTarget.value))}
              />
            </div>
          )}
          {hasTemplates && (
            <div class="field">
              <label for={`${id}t`}>{say('Template')}</label>
              <select
                id={`${id}t`}
                value={text('template')}
                onChange={({ currentTarget }) => set('template', currentTarget.value)}
              >
                <option value="">{say('Default template')}</option>
                {templates.map(([name, title]) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
                {text('template') !== '' && !templates.some(([name]) => name === text('template')) && (
                  <option value={text('template')}>{text('template')}</option>
                )}
              </select>
            </div>
          )}
        </details>
      )}
      <Findings of={['parent', 'menu_order', 'template']} />
      {(has('password') || discussion.length > 0) && (
        <details class="more">
          <summary>{say('Visibility and discussion')}</summary>
          {has('password') && (
            <div class="field">
              <label for={`${id}p`}>{say('Password for readers')}</label>
              <input
                id={`${id}p`}
                autocomplete="off"
                dir="auto"
                value={text('password')}
                onInput={({ currentTarget }) => set('password', currentTarget.value)}
              />
            </div>
          )}
          {discussion.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={values[name] === 'open'}
                onChange={({ currentTarget }) => set(name, currentTarget.checked ? 'open' : 'closed')}
              />
              {name === 'comment_status' ? say('Allow comments') : say('Allow pingbacks')}
            </label>
          ))}
        </details>
      )}
      <Findings of={['password', 'comment_status', 'ping_status']} />
      {item && 'meta:_seo_title' in values && (
        <details
          class="more"
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) void import('./metadata.tsx').then(setMetadata);
          }}
        >
          <summary>{say('Search and social networks')}</summary>
          {metadata ? (
            <metadata.Metadata {...{ item, stored, values, set }} mayUpload={kinds.mayUpload} />
          ) : (
            <p role="status">{say('Loading…')}</p>
          )}
        </details>
      )}
      {fields.length + meta.length > 0 && (
        <details class="more" open>
          <summary>{say('Custom fields')}</summary>
          {custom('fields', fields)}
          {custom('meta', meta)}
        </details>
      )}
    </>
  );
}
