/** Settings of font families and faces: validation, and parsing as JSON text next to uploaded files. */
import { withoutTags } from '../../../render/text.ts';
import { fontSlug } from './plan.ts';
import { same } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { everywhere, of, type Schema, type Schemas } from '../../../kernel/model/schema.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { type Arg, bySchema } from '../../../kernel/rest/args.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { type Invalid, invalid, validateValue } from '../../../kernel/rest/validate.ts';

export const latestVersion = 3;
export const version: Schema = of('integer', 'Version of the format of the settings.', {
  default: latestVersion,
  minimum: 2,
  maximum: latestVersion,
  context: everywhere,
});
const word = (description: string, more: Partial<Schema> = {}): Schema => of('string', description, more);

export const familySettings: Schema & { readonly properties: Schemas; readonly required: readonly string[] } = {
  description: 'Settings of the family.',
  type: 'object',
  context: everywhere,
  properties: {
    name: word('Name for people.'),
    slug: word('Name in addresses.'),
    fontFamily: word('Value of the CSS property.'),
    preview: word('Address of a picture of it.', { format: 'uri', default: '' }),
  },
  required: ['name', 'slug', 'fontFamily'],
  additionalProperties: false,
};

const src: Schema = word('Address of a font file.');
export const faceSchema: typeof familySettings = {
  description: 'Settings of the face.',
  type: 'object',
  context: everywhere,
  properties: {
    fontFamily: word('Family of the face.', { default: '' }),
    fontStyle: word('Style.', { default: 'normal' }),
    fontWeight: { description: 'Weight, or a range of them.', default: '400', type: ['string', 'integer'] },
    fontDisplay: word('What is shown while it loads.', {
      default: 'fallback',
      enum: ['auto', 'block', 'fallback', 'swap', 'optional'],
    }),
    src: { description: 'Addresses of its files.', default: [], anyOf: [{ type: 'string' }, { type: 'array', items: src }] },
    ...Object.fromEntries(
      [
        'fontStretch',
        'ascentOverride',
        'descentOverride',
        'fontVariant',
        'fontFeatureSettings',
        'fontVariationSettings',
        'lineGapOverride',
        'sizeAdjust',
        'unicodeRange',
      ].map((name) => [name, word(`CSS descriptor ${name}.`)]),
    ),
    preview: word('Address of a picture of it.', { format: 'uri', default: '' }),
  },
  required: ['fontFamily', 'src'],
  additionalProperties: false,
};

export const settingsOfFamily = settingsArg('Settings of the family, as JSON.', familySettings, (settings, request) => {
  if (settings.slug === undefined) return null;
  if (isUpdate(request)) return invalid('rest_invalid_param', 'font_family_settings[slug] cannot be updated.', { status: 400 });
  return fontSlug(scalarText(settings.slug)) === ''
    ? invalid('rest_invalid_param', 'font_family_settings[slug] cannot be empty.', { status: 400 })
    : null;
});
export const settingsOfFace = settingsArg('Settings of the face, as JSON.', faceSchema, sourcesMatch);

function isUpdate({ route }: RestRequest): boolean {
  return /\/font-families\/\d+$/.test(route);
}

/** A map as JSON text (forms contain files as well). */
function settingsArg(
  description: string,
  schema: typeof familySettings,
  check: (settings: Record<string, unknown>, request: RestRequest) => Invalid | null,
): Arg {
  return {
    description,
    type: 'string',
    required: true,
    validate(value, request, param, arg) {
      const wrongType = bySchema(value, request, param, arg);
      if (wrongType) return wrongType;
      const settings = parse(value);
      if (!settings) return invalid('rest_invalid_param', `${param} parameter must be a valid JSON string.`, { status: 400 });
      const { required, ...properties } = schema;
      const wrong = validateValue(
        settings,
        isUpdate(request) ? properties : { ...properties, properties: demanded(schema) },
        param,
      );
      // Error details contain only the status (observed).
      if (wrong) return { ...wrong, data: { status: 400 } };
      const blank = required.find((name) => settings[name] !== undefined && (settings[name] === '' || same(settings[name], [])));
      return blank
        ? invalid('rest_invalid_param', `${param}[${blank}] cannot be empty.`, { status: 400 })
        : check(settings, request);
    },
    coerce(value, _request, param) {
      const settings = coerceValue(parse(value) ?? {}, { ...schema, required: false }, param) as Record<string, unknown>;
      // Values written to files are sanitized.
      return Object.fromEntries(
        Object.entries(settings).map(([key, one]) => [key, Array.isArray(one) ? one.map(clean) : clean(one)]),
      );
    },
  };
}

function demanded(schema: typeof familySettings): Schemas {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      schema.required.includes(name) ? { ...property, required: true } : property,
    ]),
  );
}

function clean(value: unknown): unknown {
  return typeof value === 'string' ? withoutTags(value).trim() : value;
}

function parse(value: unknown): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(scalarText(value));
    return isMap(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Every uploaded file is used as a source; a source is a URL or the name of an uploaded file. */
function sourcesMatch(settings: Record<string, unknown>, request: RestRequest): Invalid | null {
  const sources = [settings.src].flat().map(scalarText);
  const files = (request.files ?? []).map(({ name }) => name);
  const unused = files.find((name) => !sources.includes(name));
  if (unused !== undefined)
    return invalid('rest_invalid_param', `File ${unused} must be used in font_face_settings[src].`, { status: 400 });
  const bad = sources.findIndex(
    (source) => source === '' || !(files.includes(source) || /^https?:\/\//.test(source) || source.startsWith('/')),
  );
  return bad < 0
    ? null
    : invalid('rest_invalid_param', `font_face_settings[src][${bad}] value must be a valid URL or file reference.`, {
        status: 400,
      });
}
