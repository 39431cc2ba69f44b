/**
 * Arguments of endpoints: derived from an item's schema, described for the catalogue, and checked against a request.
 *
 * A request passes three steps, each only when the one before found nothing: all required parameters are there,
 * every checked parameter is valid, every known parameter is coerced. An argument without hooks of its own is
 * validated in the third step, where it is read (as in the reference, which shows when several are wrong).
 */
import { type ErrorRows, fail, RestError, sentenceOf } from '../errors.ts';
import type { Schema } from '../model/schema.ts';
import { coerceValue } from './coerce.ts';
import { isUnsafeKey } from './params.ts';
import type { Site } from '../site/site.ts';
import type { Params, RestRequest } from './request.ts';
import { type Invalid, validateValue } from './validate.ts';

/**
 * One argument: its schema, and hooks in place of the steps the schema stands for. `false` leaves a step out; an
 * argument without a `type` is neither validated nor coerced by itself. `required: true` asks for any value but null.
 */
export interface Arg extends Schema {
  /** Null when the value is fine, why when not; false is a refusal without details. May throw a RestError instead. */
  readonly validate?: false | ((value: unknown, request: RestRequest, param: string, arg: Arg) => Invalid | false | null);
  /** Also called with null when the client sent null. May refuse by throwing a RestError. */
  readonly coerce?: false | ((value: unknown, request: RestRequest, param: string, arg: Arg) => unknown);
  /** The value that another one stands for, before any step: of slugs the ids. What stands for nothing stays, and is refused. */
  readonly named?: (value: unknown, site: Site, user: RestRequest['user']) => unknown;
}

export type Args = Readonly<Record<string, Arg>>;

/** Validates by the schema in the second step: for arguments that have a `coerce` of their own, or none. */
export const bySchema = (value: unknown, _request: RestRequest, param: string, arg: Arg): Invalid | null =>
  isTyped(arg) ? validateValue(value, arg, param) : null;

/** Hooks of an argument that its handler reads by itself. */
export const asSent = { validate: false, coerce: false } as const satisfies Partial<Arg>;

/** Hooks of `meta`: any map, an empty list too, for so the reference prints an empty map. Its members are checked where they are stored. */
export const metaAsSent = {
  validate: (value) => (typeof value === 'object' && value !== null ? null : false),
  coerce: false,
} as const satisfies Partial<Arg>;

/**
 * Arguments that write a new item: its properties without the read-only ones.
 *
 * @param properties  of the item's schema
 * @param overrides  hooks, or other keys, for some of the arguments; names that are no argument are passed over
 */
export function argsForCreate(properties: Args, overrides: Readonly<Record<string, Partial<Arg>>> = {}): Args {
  return derive(properties, (name, property) => ({
    ...(property.default === undefined || property.default === null ? {} : { default: property.default }),
    ...(property.required === true ? { required: true } : {}),
    ...pick(property),
    ...overrides[name],
  }));
}

/** Arguments that change an item: as `argsForCreate`, but nothing is required and nothing has a default. */
export function argsForUpdate(properties: Args, overrides: Readonly<Record<string, Partial<Arg>>> = {}): Args {
  return derive(properties, (name, property) => {
    const { default: _default, required: _required, ...rest } = overrides[name] ?? {};
    return { ...pick(property), ...rest };
  });
}

/** The catalogue's description of arguments: schema keywords as declared, and always `required`. */
export function describeArgs(args: Args): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, arg]) => {
      const shown = Object.entries(arg).filter(([key, value]) => (KEYWORDS.has(key) || key === 'default') && value !== undefined);
      return [name, { ...Object.fromEntries(shown), required: arg.required === true }];
    }),
  );
}

/**
 * A request's parameters, checked, coerced and with defaults; unknown ones are left as sent.
 *
 * A null without a default counts as not sent for validation, and is coerced like any value (`null` for a number is 0)
 * unless its type allows null.
 * @param params  of all sources, merged (`mergeParams`)
 * @param site  for names, and for refusals of modules
 * @throws RestError rest_missing_callback_param, rest_invalid_param
 */
export function checkArgs(args: Args, params: Params, request: RestRequest, site?: Site): Record<string, unknown> {
  const ofModules = site?.modules.errors ?? {};
  const { steps, defaults, hooked, required } = checkerOf(args);
  // Not spread: V8 gives each object that is spread and then added to a hidden class of its own, and reading it is slow everywhere.
  const values: Record<string, unknown> = Object.assign(Object.create(null), defaults);
  const sent: Step[] = [];
  for (const name in params) {
    if (!Object.hasOwn(params, name) || isUnsafeKey(name)) continue;
    const value = params[name];
    const step = steps.get(name);
    if (isUnread(step, name) && holdsObject(value)) continue;
    if (step?.hasDefault && (value === null || value === undefined)) continue;
    values[name] = site && step?.arg.named ? step.arg.named(value, site, request.user) : value;
    if (step !== undefined && value !== undefined) sent.push(step);
  }
  const missing = required.filter((name) => !Object.hasOwn(values, name) || values[name] === null || values[name] === undefined);
  if (missing.length > 0) fail('rest_missing_callback_param', { params: missing }, `Missing parameter(s): ${missing.join(', ')}`);

  for (const step of hooked) if (!sent.includes(step)) sent.push(step);
  if (sent.length > 1) sent.sort((a, b) => a.place - b.place);
  const refusals: Refusals = new Map();
  for (const step of sent) {
    if (values[step.name] !== null && !step.isLate && step.arg.validate !== false)
      collect(refusals, step, values, request, validate);
  }
  refuse(refusals, ofModules);

  for (const step of sent) collect(refusals, step, values, request, read);
  refuse(refusals, ofModules);
  return values;
}

/** Parameters of which every value is a text, a number or a list of them, with defaults, for those who read them unchecked. */
export function plainParams(params: Params, args: Args): Params {
  const plain: Record<string, unknown> = Object.assign(Object.create(null), checkerOf(args).defaults);
  for (const [name, value] of Object.entries(params)) if (value !== null && !holdsObject(value)) plain[name] = value;
  return plain;
}

/** Whether nobody says what a value has to be: handlers then take it for a text. Those of all routes (`_fields`) are read with care. */
function isUnread(step: Step | undefined, name: string): boolean {
  return step === undefined ? !name.startsWith('_') : step.isLate && !isTyped(step.arg);
}

/** Whether a value is an object, or a list with one in it: nothing that could be taken for a text. */
function holdsObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) || value.some(holdsObject);
}

/** An argument as requests meet it. */
interface Step {
  readonly name: string;
  readonly arg: Arg;
  /** In the order of declaration, in which errors are reported. */
  readonly place: number;
  readonly hasDefault: boolean;
  /** Declared by its schema only. */
  readonly isLate: boolean;
}

/** What the arguments of an endpoint come to, found out once. */
interface Checker {
  readonly steps: ReadonlyMap<string, Step>;
  /** What is not sent: coerced, where no hook has to see it. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Defaults that a hook has to see, for each request. */
  readonly hooked: readonly Step[];
  /** Names without a default. */
  readonly required: readonly string[];
}

const checkers = new WeakMap<Args, Checker>();

function checkerOf(args: Args): Checker {
  const known = checkers.get(args);
  if (known) return known;
  const steps = new Map<string, Step>();
  const defaults: Record<string, unknown> = {};
  const hooked: Step[] = [];
  const required: string[] = [];
  for (const [place, [name, arg]] of Object.entries(args).entries()) {
    const hasDefault = arg.default !== undefined && arg.default !== null;
    const isLate = arg.validate === undefined && arg.coerce === undefined;
    const step: Step = { name, arg, place, hasDefault, isLate };
    steps.set(name, step);
    if (!hasDefault && arg.required === true) required.push(name);
    if (!hasDefault) continue;
    const isPlain = (!arg.validate || arg.validate === bySchema) && !arg.coerce;
    const isFine = isPlain && (arg.validate === false || bySchema(arg.default, noRequest, name, arg) === null);
    if (!isFine) hooked.push(step);
    defaults[name] = isFine ? frozen(coerce(arg.default, noRequest, step)) : arg.default;
  }
  const checker = { steps, defaults, hooked, required };
  checkers.set(args, checker);
  return checker;
}

/** The schema does not look at the request. */
const noRequest = null as unknown as RestRequest;

/** Shared by all requests. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** Keywords of a property that its argument keeps and the catalogue shows. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'title description type format enum items properties additionalProperties patternProperties minProperties maxProperties minimum maximum ' +
    'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems anyOf oneOf'
  ).split(' '),
);

function derive(properties: Args, toArg: (name: string, property: Arg) => Arg): Args {
  const writable = Object.entries(properties).filter(([, property]) => !property.readonly);
  return Object.fromEntries(writable.map(([name, property]) => [name, { validate: bySchema, ...toArg(name, property) }]));
}

function pick(property: Arg): Arg {
  const kept = ([key, value]: [string, unknown]) =>
    (KEYWORDS.has(key) || key === 'validate' || key === 'coerce') && value !== undefined && value !== null;
  return Object.fromEntries(Object.entries(property).filter(kept));
}

const isTyped = (arg: Arg): boolean => arg.type !== undefined || arg.oneOf !== undefined || arg.anyOf !== undefined;
type Check = (step: Step, values: Record<string, unknown>, request: RestRequest) => Invalid | false | null;

/** The second step, of those with hooks. */
const validate: Check = (step, values, request) =>
  (step.arg.validate || bySchema)(values[step.name], request, paramOf(step, request), step.arg);

/** The third step. */
const read: Check = (step, values, request) => {
  const { name, arg } = step;
  const problem = step.isLate ? bySchema(values[name], request, paramOf(step, request), arg) : null;
  if (!problem) values[name] = coerce(values[name], request, step);
  return problem;
};

function coerce(value: unknown, request: RestRequest, step: Step, { arg } = step): unknown {
  if (typeof arg.coerce === 'function') return arg.coerce(value, request, paramOf(step, request), arg);
  return arg.coerce === false || !isTyped(arg) ? value : coerceValue(value, arg, step.name);
}

/** The argument as the client spells it. */
const paramOf = ({ name }: Step, request: RestRequest): string => request?.dialect?.wireName(name) ?? name;

/** Parameter → why not; false is a refusal without details. */
type Refusals = Map<string, Invalid | RestError | false>;

function collect(refusals: Refusals, step: Step, values: Record<string, unknown>, request: RestRequest, check: Check): void {
  try {
    const problem = check(step, values, request);
    if (problem !== null) refusals.set(paramOf(step, request), problem);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    refusals.set(paramOf(step, request), error);
  }
}

function detailsOf(problem: Invalid | RestError, ofModules: ErrorRows): Invalid {
  if (!(problem instanceof RestError)) return problem;
  const { code, data } = problem;
  return { code, message: sentenceOf(problem, ofModules), data: Object.keys(data).length > 0 ? data : null };
}

/** Throws when something was refused. The reference prints an empty map as a list. */
function refuse(refusals: Refusals, ofModules: ErrorRows): void {
  if (refusals.size === 0) return;
  const entries = [...refusals].map(
    ([name, problem]) => [name, problem === false ? problem : detailsOf(problem, ofModules)] as const,
  );
  const details = entries.filter(([, problem]) => problem !== false);
  fail(
    'rest_invalid_param',
    {
      params: Object.fromEntries(
        entries.map(([name, problem]) => [name, problem === false ? 'Invalid parameter.' : problem.message]),
      ),
      details: details.length > 0 ? Object.fromEntries(details) : [],
    },
    `Invalid parameter(s): ${[...refusals.keys()].join(', ')}`,
  );
}
