/**
 * What may stand in `site.yaml`: the file as it is read, `cms validate`, the settings resource and imports ask here, so that no
 * value is in service that headers, addresses or pages could not carry.
 */
import { readAddress, readSiteAddress } from '../model/addresses.ts';
import { isZone } from '../model/dates.ts';
import { mapOf, table } from '../model/maps.ts';
import { type OperatorKey, operatorSettings } from '../model/operator.ts';
import { propertiesOf } from '../model/schema.ts';
import type { Bounds, TextForm, Setting } from '../model/settings.ts';
import { nearest } from '../model/spelling.ts';
import { didYouMean, type Keys, type Remark, sayer, valueRules } from '../model/remark.ts';
import { faultOf } from '../model/value-fault.ts';

const say = sayer(valueRules);

/** What is wrong, and where below the key of the setting. */
type SettingFault = Remark & { readonly keys: Keys };

/** A value as it may be in service: undefined when it cannot, maps without the entries that are wrong. */
export interface CheckedSetting {
  readonly value: unknown;
  readonly faults: readonly SettingFault[];
}

/** @param value  as the file or a client has it; undefined and null are no value, and fine */
export function checkSetting(row: Setting, value: unknown): CheckedSetting {
  if (value === undefined || value === null) return { value, faults: [] };
  if (typeof value === 'string' && row.bounds?.words?.includes(value)) return { value, faults: [] };
  const schema: Bounds = row.refers ? reference : { ...row.schema, ...row.bounds };
  return row.schema.type === 'object' && !row.refers ? checkMap(row.key, schema, value) : checkValue(row.key, schema, value);
}

/** What is said of a key that only the operator sets; null of others. */
export function operatorRemark(key: string): Remark | null {
  if (!Object.hasOwn(operatorSettings, key)) return null;
  const { env } = operatorSettings[key as OperatorKey];
  const hint = `set ${env}, or ${key} in cms.config.yaml beside the content folder`;
  return say('operator-setting', `${key} is an operator setting: it has no effect in site.yaml`, hint);
}

/** A slug, a path or an id. */
const reference: Bounds = {
  type: ['string', 'integer'],
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  form: 'line',
  maxLength: 1000,
};

function checkValue(key: string, schema: Bounds, value: unknown): CheckedSetting {
  const fault = valueFault(key, schema, value);
  if (fault) return { value: undefined, faults: [{ ...fault, keys: [] }] };
  const spell = typeof value === 'string' && value !== '' && schema.form ? spellings[schema.form] : undefined;
  return { value: spell ? spell(value as string) : value, faults: [] };
}

/** Each entry by itself: one that is wrong does not take the others with it. */
function checkMap(key: string, schema: Bounds, value: unknown): CheckedSetting {
  const { maxProperties, additionalProperties: others, names } = schema;
  const whole = faultOf(key, { type: 'object' }, value);
  if (whole) return { value: undefined, faults: [{ ...whole, keys: [] }] };
  const known = propertiesOf(schema);
  const isName = names === undefined ? undefined : new RegExp(names);
  const faults: SettingFault[] = [];
  const kept: [string, unknown][] = [];
  for (const [name, one] of Object.entries(mapOf(value))) {
    const isKnown = Object.hasOwn(known, name);
    const form = isKnown ? (known[name] as Bounds) : typeof others === 'object' ? (others as Bounds) : {};
    const found =
      isKnown || isName === undefined || isName.test(name)
        ? entryFaults(`${key}.${name}`, form, one)
        : [
            {
              ...say(`field:${key}`, `${JSON.stringify(name)} cannot be a name in ${key}`, 'use letters, digits, _ and -'),
              keys: [],
            },
          ];
    faults.push(...found.map((fault) => ({ ...fault, rule: `field:${key}`, keys: [name, ...fault.keys] })));
    if (found.length === 0) kept.push([name, one]);
  }
  const extra = maxProperties === undefined ? undefined : kept[maxProperties];
  if (extra !== undefined)
    faults.push({
      ...say(`field:${key}`, `${key} has more than ${maxProperties} entries; the first ones count`),
      keys: [extra[0]],
    });
  return { value: Object.fromEntries(kept.slice(0, maxProperties)), faults };
}

function entryFaults(key: string, schema: Bounds, value: unknown): SettingFault[] {
  const fault = value === null ? null : valueFault(key, schema, value);
  if (fault) return [{ ...fault, keys: [] }];
  const map = mapOf(value);
  return Object.entries(propertiesOf(schema)).flatMap(([name, inner]) =>
    Object.hasOwn(map, name)
      ? entryFaults(`${key}.${name}`, inner as Bounds, map[name]).map((one) => ({ ...one, keys: [name, ...one.keys] }))
      : [],
  );
}

function valueFault(key: string, schema: Bounds, value: unknown): Remark | null {
  if (schema === reference && typeof value === 'boolean') return say(`field:${key}`, `${key} must be a slug, a path or an id`);
  const fault = faultOf(key, schema, value);
  if (fault || schema.form === undefined || typeof value === 'object' || value === '') return fault;
  const wrong = forms[schema.form](String(value));
  return wrong === null ? null : say(`field:${key}`, `${key}: ${wrong[0]}`, wrong[1]);
}

/** What is wrong with a text, and what to write instead; null: nothing. */
const forms: Readonly<Record<TextForm, (text: string) => readonly [message: string, hint?: string] | null>> = table({
  line: (text) => (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text) ? ['it must be one line without control characters'] : null),
  text: (text) => (/[^\P{Cc}\t\n\r]|\p{Cs}/u.test(text) ? ['it holds control characters'] : null),
  site: (text) =>
    readSiteAddress(text) === undefined
      ? [`${JSON.stringify(text)} is no address of a site`, 'write it with its scheme and without a query: https://example.com']
      : null,
  address: (text) =>
    readAddress(text) === undefined
      ? [`${JSON.stringify(text)} is no address`, 'write it with its scheme: https://example.com']
      : null,
  place: (text) =>
    !isPlace(text) ? [`${JSON.stringify(text)} is no address`, 'write a path, or an address with its scheme'] : null,
  zone: (text) =>
    isZone(text)
      ? null
      : [
          `${JSON.stringify(text)} is no time zone`,
          didYouMean(nearest(text, Intl.supportedValuesOf('timeZone')), 'write Europe/Berlin, UTC or +02:00'),
        ],
  locale: (text) => (isLocale(text) ? null : [`${JSON.stringify(text)} is no language`, 'write it as en_US or de_DE']),
  permalink: permalinkFault,
});

/** How a value is spelled that is fine: addresses in ASCII. */
const spellings: Readonly<Partial<Record<TextForm, (text: string) => string>>> = table({
  site: (text) => readSiteAddress(text) as string,
  address: (text) => readAddress(text) as string,
  permalink: (text) => text.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part).toLowerCase()),
});

/** A path of the site, or an address. */
function isPlace(text: string): boolean {
  if (/^https?:/i.test(text)) return readAddress(text) !== undefined;
  const isPath = !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text);
  return isPath && readAddress(`https://site.example/${text.replace(/^\//, '')}`) !== undefined;
}

export function isLocale(text: string): boolean {
  return /^[a-z]{2,3}(?:[_-][a-z\d]{1,8}){0,4}$/i.test(text);
}

const placeholders = new Set(['slug', 'id', 'year', 'month', 'day', 'category', 'author']);

function permalinkFault(text: string): readonly [message: string, hint?: string] | null {
  const used = [...text.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name);
  const unknown = used.find((name) => !placeholders.has(name));
  if (unknown !== undefined)
    return [`there is no {${unknown}}`, `write ${[...placeholders].map((one) => `{${one}}`).join(', ')}`];
  const rest = text.replace(/\{\w*\}|%[\da-f]{2}/gi, '');
  if (!text.startsWith('/') || /[^\p{L}\p{M}\p{N}/._~+-]/u.test(rest) || /\/\/|\/\.{1,2}(?:\/|$)/.test(text))
    return ['it must be a path: letters, digits, . _ ~ + - and placeholders between slashes', '/{year}/{month}/{slug}/'];
  if (new Set(used).size < used.length) return ['a placeholder stands in it twice'];
  return used.includes('slug') || used.includes('id') ? null : ['all posts would have one address', 'it needs {slug} or {id}'];
}
