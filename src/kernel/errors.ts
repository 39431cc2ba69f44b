/**
 * Refusals: code → status and sentence. The kernel declares its own here, a module in its `errors.ts`.
 *
 * A status of `auth` is 401 for a visitor and 403 for a signed-in user; `resolveStatus` decides it, once,
 * where the answer is written.
 */
import { table } from './model/maps.ts';

export interface ErrorRow {
  readonly status: number | 'auth';
  readonly message: string;
  /** Answered with `data: null`: refusals that the reference passes on without a status of their own. */
  readonly bare?: true;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
}

export const row = (status: number | 'auth', message: string): ErrorRow => ({ status, message });
export const bare = (message: string): ErrorRow => ({ status: 500, message, bare: true });
export const later = (status: number, retryAfter: number, message: string): ErrorRow => ({ status, message, retryAfter });

export const errors = table({
  rest_invalid_namespace: row(404, 'The specified namespace could not be found.'),
  rest_no_route: row(404, 'No route was found matching the URL and request method.'),
  rest_invalid_json: row(400, 'Invalid JSON body passed.'),
  rest_invalid_param: row(400, 'Invalid parameter(s).'),
  rest_missing_callback_param: row(400, 'Missing parameter(s).'),
  rest_forbidden: row('auth', 'Sorry, you are not allowed to do that.'),
  rest_forbidden_context: row('auth', 'Sorry, you are not allowed to read this in the edit context.'),
  rest_cookie_invalid_nonce: row(403, 'Cookie check failed.'),
  rest_insufficient_scope: row(403, 'The application password is not for this request.'),
  rest_trash_not_supported: row(501, "This item does not support trashing. Set 'force=true' to delete."),
  internal_server_error: row(500, 'There has been a critical error on this website.'),
  // Users and posts are refused with it.
  rest_cannot_edit: row('auth', 'Sorry, you are not allowed to edit this post.'),
  rest_post_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_invalid_type: row(400, 'A value has the wrong type.'),
  rest_additional_properties_forbidden: row(400, 'A value has members it may not have.'),
  rest_duplicate_items: row(400, 'A list has items twice.'),
  rest_invalid_date: row(400, 'A date is not valid.'),
  invalid_date: row(400, 'Invalid date.'),
  rest_invalid_email: row(400, 'An email address is not valid.'),
  rest_invalid_hex_color: row(400, 'A colour is not valid.'),
  rest_invalid_ip: row(400, 'An IP address is not valid.'),
  rest_invalid_multiple: row(400, 'A number is not a multiple of what it should be.'),
  rest_invalid_pattern: row(400, 'A value does not match its pattern.'),
  rest_invalid_uuid: row(400, 'A UUID is not valid.'),
  rest_no_matching_schema: row(400, 'A value fits none of its forms.'),
  rest_not_in_enum: row(400, 'A value is not one of those allowed.'),
  rest_one_of_multiple_matches: row(400, 'A value fits more than one of its forms.'),
  rest_out_of_bounds: row(400, 'A number is out of bounds.'),
  rest_property_required: row(400, 'A required member is missing.'),
  rest_too_few_items: row(400, 'A list has too few items.'),
  rest_too_few_properties: row(400, 'A value has too few members.'),
  rest_too_long: row(400, 'A text is too long.'),
  rest_too_many_items: row(400, 'A list has too many items.'),
  rest_too_many_properties: row(400, 'A value has too many members.'),
  rest_too_short: row(400, 'A text is too short.'),
  rest_conflict: row(412, 'The item has been changed since the state named by If-Match.'),
  rest_busy: later(503, 1, 'Too many changes at once. Nothing has been saved; please try again.'),
  rest_file_unreadable: row(409, 'The file of this item cannot be read. It has to be mended before it can be saved.'),
  rest_value_unreadable: row(400, 'A value could not be read back from its file. Nothing has been saved.'),
  rest_fields_too_large: row(413, 'The fields of an item beside its content have at most 1 MB. Nothing has been saved.'),
  rest_path_too_long: row(400, 'The path of the file of this item would be too deep or too long. Nothing has been saved.'),
  rest_path_blocked: row(409, 'A directory or a link is where the file of this item belongs. Nothing has been saved.'),
  rest_storage_full: later(507, 30, 'The disk is full. Nothing has been saved.'),
  rest_storage_unavailable: later(
    503,
    10,
    'The storage cannot be used at the moment. Nothing has been saved; please try again later.',
  ),
  rest_outcome_unknown: later(
    503,
    10,
    'The connection to the database was lost. It is not known whether the change has been saved; please look before you try again.',
  ),
  rest_read_only: row(403, 'The site is served read-only.'),
  rest_address_unencoded: row(
    400,
    'The address of the request holds bytes above 127. Percent-encode them: "/%C3%BCber/" and not the letter itself.',
  ),
  rest_body_too_large: row(413, 'The request body is too large.'),
  rest_body_malformed: row(400, 'The request body could not be read.'),
  rest_body_encoding: row(415, 'The request body has a content encoding that is not supported.'),
  rest_overloaded: later(503, 1, 'The server has too many large requests to answer at the moment. Please try again.'),
  rest_callback_disabled: row(400, 'JSONP is not for requests that sign in.'),
  rest_misdirected: row(421, 'This server does not answer for the host of the request.'),
  rest_callback_invalid: row(400, 'Invalid JSONP callback function.'),
} as const satisfies Record<string, ErrorRow>);

/**
 * Codes of modules. A module in TypeScript adds its own, so that a misspelling does not compile:
 * `declare module '…/kernel/errors.ts' { interface ModuleErrors extends Record<keyof typeof moodErrors, ErrorRow> {} }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it
export interface ModuleErrors {}

export type ErrorCode = keyof typeof errors | keyof ModuleErrors;

/** Code → row: those of the modules of a site. */
export type ErrorRows = Readonly<Record<string, ErrorRow>>;

const noRows: ErrorRows = Object.freeze({});

/** Sentences of modules, for whoever reports a refusal without knowing the site. */
const sentences = new Map<string, string>();

/** Of a module. @throws Error for a code that is in the table above and means something else there */
export function declareErrors(rows: ErrorRows): void {
  for (const [code, { status, message }] of Object.entries(rows)) {
    const known = errorRow(code as ErrorCode);
    if (known && (known.status !== status || known.message !== message))
      throw new Error(`the error code "${code}" means "${known.message}" already`);
    sentences.set(code, message);
  }
}

/** @param ofModules  of the site that answers; undefined: no module of it has such a code */
export function errorRow(code: keyof typeof errors): ErrorRow;
export function errorRow(code: ErrorCode, ofModules?: ErrorRows): ErrorRow | undefined;
export function errorRow(code: string, ofModules: ErrorRows = noRows): ErrorRow | undefined {
  if (Object.hasOwn(errors, code)) return errors[code as keyof typeof errors];
  return Object.hasOwn(ofModules, code) ? ofModules[code] : undefined;
}

/** The sentence of a refusal: its own, or that of the table. */
export function sentenceOf({ code, stated }: RestError, ofModules: ErrorRows): string {
  return stated ?? errorRow(code, ofModules)?.message ?? code;
}

/** A refusal with its code. `data` is merged into the answer's `data` after `status`. */
export class RestError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  /** Overrides the table's sentence where the sentence names something of the request. */
  readonly stated: string | undefined;
  constructor(code: ErrorCode, data: Readonly<Record<string, unknown>> = {}, stated?: string) {
    super(stated ?? errorRow(code as ErrorCode)?.message ?? sentences.get(code) ?? code);
    this.code = code;
    this.data = data;
    this.stated = stated;
  }
}

/** Refuses. @throws RestError always */
export function fail(code: ErrorCode, data?: Readonly<Record<string, unknown>>, message?: string): never {
  throw new RestError(code, data, message);
}
