/** Custom fields as a form, each as its schema says. */
import { useId, useState } from 'preact/hooks';
import { namespace } from './api.ts';
import { Button } from './button.tsx';
import { LibraryDialog } from './media.tsx';
import { Picker, routesOf } from './picker.tsx';
import { choicesOf, type FieldSchema, kindOf, labelOf, members, type Properties } from './schema.ts';
import type { Json } from './changes.ts';
import { say } from './words.ts';

/** What fields lead to. */
export interface Kinds {
  readonly types: readonly { readonly slug: string; readonly rest_base: string; readonly rest_namespace: string }[];
  readonly mayUpload: boolean;
}

interface FieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: Json;
  readonly kinds: Kinds;
  onChange(value: Json): void;
}

const inputs: Readonly<Record<string, 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'time'>> = {
  text: 'text',
  declared: 'text',
  email: 'email',
  url: 'text',
  number: 'number',
  integer: 'number',
  range: 'number',
  color: 'text',
  date: 'date',
  date_time: 'datetime-local',
  time: 'time',
};
const pictures = ['image', 'image_crop', 'file', 'picture'];
const choices = ['select', 'radio', 'button_group', 'choice'];
const references = ['post_object', 'relationship', 'taxonomy', 'user', 'relation'];

const isList = ({ type }: FieldSchema): boolean => [type ?? []].flat().includes('array');
/** Answers may hold things where ids are sent. */
const idOf = (value: Json): number =>
  Number(value !== null && typeof value === 'object' ? ((value as Row).id ?? (value as Row).ID) : value);
const idsOf = (value: Json): readonly number[] =>
  [value ?? []]
    .flat()
    .map((one) => idOf(one as Json))
    .filter((id) => id > 0);

type Row = Readonly<Record<string, Json>>;

export function CustomField(props: FieldProps) {
  const { name, schema, value, kinds, onChange } = props;
  const id = useId();
  const kind = kindOf(schema);
  const label = labelOf(name, schema);
  const { required = false, readonly = false, to = [] } = schema['x-field'] ?? {};
  if (kind === 'unknown' || readonly || schema.readonly) return null;
  if (kind === 'true_false' || kind === 'boolean')
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
        {label}
      </label>
    );
  if (pictures.includes(kind) || kind === 'gallery')
    return <Pictures {...props} label={label} isMultiple={isList(schema)} isImage={kind !== 'file'} ids={idsOf(value)} />;
  if (references.includes(kind)) {
    const names = kind === 'user' ? ['user'] : to.length > 0 ? to : kind === 'taxonomy' ? ['category'] : ['post', 'page'];
    return (
      <Picker
        label={label}
        routes={routesOf(names, kinds.types)}
        isMultiple={isList(schema)}
        ids={idsOf(value)}
        onChange={(ids) => onChange(isList(schema) ? ids : (ids[0] ?? null))}
      />
    );
  }
  if (kind === 'checkbox' || (choices.includes(kind) && isList(schema))) {
    const chosen = [value ?? []].flat().map(String);
    return (
      <fieldset>
        <legend>{label}</legend>
        {choicesOf(schema).map(([one, text]) => (
          <label key={one} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />
            {text}
          </label>
        ))}
      </fieldset>
    );
  }
  if (kind === 'group' || kind === 'link')
    return (
      <fieldset>
        <legend>{label}</legend>
        <Members
          {...props}
          properties={members(schema)}
          row={kind === 'link' && typeof value === 'string' ? { url: value } : rowOf(value)}
        />
      </fieldset>
    );
  if (kind === 'repeater' || kind === 'flexible_content' || kind === 'list') return <Rows {...props} label={label} />;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices.includes(kind) ? (
        <select id={id} value={String(value ?? '')} onChange={({ currentTarget }) => onChange(currentTarget.value || null)}>
          {(!required || (value ?? '') === '') && <option value="">{say('None')}</option>}
          {choicesOf(schema).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      ) : ['textarea', 'wysiwyg', 'markdown'].includes(kind) ? (
        <textarea
          id={id}
          rows={6}
          dir="auto"
          value={String(value ?? '')}
          maxLength={schema.maxLength}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          id={id}
          {...inputOf(kind)}
          dir={kind === 'url' || kind === 'email' ? 'ltr' : 'auto'}
          value={shownIn(kind, value)}
          required={required && (value ?? '') !== ''}
          min={schema.minimum}
          max={schema.maximum}
          step={kind === 'number' || kind === 'range' ? 'any' : undefined}
          maxLength={schema.maxLength}
          onInput={({ currentTarget }) => onChange(valueIn(kind, currentTarget.value, value))}
        />
      )}
    </div>
  );
}

/** Declarations of Preact have each kind of input by itself. */
const inputOf = (kind: string): { readonly type: 'text' } => ({ type: inputs[kind] ?? 'text' }) as { type: 'text' };

/** As an input has it: days of groups are `20240506`, moments have a space. */
function shownIn(kind: string, value: Json): string {
  const text = String(value ?? '');
  if (kind === 'date') return text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return kind === 'date_time' ? text.replace(' ', 'T') : text;
}

function valueIn(kind: string, text: string, before: Json): Json {
  if (text === '') return kind === 'text' ? '' : null;
  if (inputs[kind] === 'number') return Number(text);
  if (kind === 'date') return /^\d{8}$/.test(String(before)) ? text.replaceAll('-', '') : text;
  if (kind === 'time' && text.length === 5) return `${text}:00`;
  if (kind === 'date_time') return `${text.replace('T', ' ')}${text.length === 16 ? ':00' : ''}`;
  return text;
}

const rowOf = (value: Json): Row => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Row) : {});

function Members({
  properties,
  row,
  kinds,
  onChange,
}: {
  properties: Properties;
  row: Row;
  kinds: Kinds;
  onChange: (value: Json) => void;
}) {
  return (
    <>
      {Object.entries(properties).map(([name, schema]) => (
        <CustomField
          key={name}
          name={name}
          schema={schema}
          value={row[name] ?? null}
          kinds={kinds}
          onChange={(value) => onChange({ ...row, [name]: value })}
        />
      ))}
    </>
  );
}

const layoutKey = 'fields_layout';

/** Rows of a repeater, of flexible content, or of a list: added, removed and moved by buttons. */
function Rows({ label, schema, value, kinds, onChange }: FieldProps & { readonly label: string }) {
  const [told, setTold] = useState('');
  const rows = Array.isArray(value) ? (value as readonly Json[]) : [];
  const { layouts, max } = schema['x-field'] ?? {};
  const isFull = max !== undefined && max > 0 && rows.length >= max;
  const set = (next: readonly Json[], sentence: string): void => {
    onChange(next);
    setTold(sentence);
  };
  const move = (at: number, by: number): void => {
    const next = [...rows];
    const [row] = next.splice(at, 1);
    next.splice(at + by, 0, row as Json);
    set(next, say('Row {at} moved to {to}.', { at: at + 1, to: at + by + 1 }));
  };
  const isRow = layouts !== undefined || kindOf(schema.items ?? {}) === 'group';
  return (
    <fieldset>
      <legend>{label}</legend>
      {rows.map((row, at) => {
        const layout = String(rowOf(row)[layoutKey] ?? '');
        const properties = members(layouts ? (layouts[layout] ?? {}) : (schema.items ?? {}));
        const title = say('Row {at}', { at: at + 1 });
        const change = (next: Json): void => onChange(rows.map((one, other) => (other === at ? next : one)));
        return (
          <fieldset key={at} class="repeated">
            <legend>{layouts ? `${title}: ${layout}` : title}</legend>
            {isRow ? (
              <Members properties={properties} row={rowOf(row)} kinds={kinds} onChange={change} />
            ) : (
              <CustomField name={title} schema={schema.items ?? {}} value={row} kinds={kinds} onChange={change} />
            )}
            <div class="row">
              <Button isOff={at === 0} onClick={() => move(at, -1)}>
                {say('Move up')}
              </Button>
              <Button isOff={at === rows.length - 1} onClick={() => move(at, 1)}>
                {say('Move down')}
              </Button>
              <button
                type="button"
                class="danger"
                onClick={() =>
                  set(
                    rows.filter((_, other) => other !== at),
                    say('Row {at} removed.', { at: at + 1 }),
                  )
                }
              >
                {say('Remove')}
              </button>
            </div>
          </fieldset>
        );
      })}
      <div class="row">
        {(layouts ? Object.keys(layouts) : ['']).map((layout) => (
          <Button
            key={layout}
            isOff={isFull}
            onClick={() => {
              const fresh: Json = layouts ? { [layoutKey]: layout } : isRow ? {} : '';
              set([...rows, fresh], say('Row {at} added.', { at: rows.length + 1 }));
            }}
          >
            {layouts ? say('Add: {name}', { name: layout }) : say('Add a row')}
          </Button>
        ))}
      </div>
      <p role="status" class="aside">
        {told}
      </p>
    </fieldset>
  );
}

interface PicturesProps extends FieldProps {
  readonly label: string;
  readonly ids: readonly number[];
  readonly isMultiple: boolean;
  readonly isImage: boolean;
}

function Pictures({ label, ids, isMultiple, isImage, kinds, onChange }: PicturesProps) {
  const [isOpen, setOpen] = useState(false);
  const set = (next: readonly number[]): void => onChange(isMultiple ? next : (next[0] ?? null));
  return (
    <div class="field">
      <Picker label={label} routes={[`${namespace}/media`]} ids={ids} isMultiple={isMultiple} onChange={set} />
      <button type="button" onClick={() => setOpen(true)}>
        {say('Choose from the library: {name}', { name: label })}
      </button>
      {isOpen && (
        <LibraryDialog
          images={isImage}
          mayUpload={kinds.mayUpload}
          onClose={() => setOpen(false)}
          onChoose={({ id }) => {
            setOpen(false);
            set(isMultiple ? [...new Set([...ids, id])] : [id]);
          }}
        />
      )}
    </div>
  );
}
