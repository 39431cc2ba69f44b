/** The arguments of an image edit: `modifiers` in order, or the deprecated fields for one rotation and one crop. */
import type { Modifier } from '../files/image.ts';
import { of, type Schema, type Schemas } from '../../../kernel/model/schema.ts';
import { type Arg, type Args, argsForUpdate } from '../../../kernel/rest/args.ts';

/** @param properties  of an attachment; @param hooks  of its texts */
export function editArgs(properties: Schemas, hooks: Readonly<Record<string, Partial<Arg>>>): Args {
  const { caption, description, title, post, alt_text } = argsForUpdate(properties, hooks);
  return {
    src: of('string', 'URL to the edited image file.', { format: 'uri', required: true }),
    modifiers: of('array', 'Array of image edits.', { minItems: 1, items: modifier }),
    rotation: {
      description: 'The amount to rotate the image clockwise in degrees. DEPRECATED: Use `modifiers` instead.',
      type: 'integer',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 360,
      exclusiveMaximum: true,
    },
    x: percent('the x position to start the crop from'),
    y: percent('the y position to start the crop from'),
    width: percent('the width to crop the image to'),
    height: percent('the height to crop the image to'),
    caption: caption as Arg,
    description: description as Arg,
    title: title as Arg,
    post: post as Arg,
    alt_text: alt_text as Arg,
  };
}

/** Modifiers in order. */
export function modifiersOf(params: Readonly<Record<string, unknown>>): readonly Modifier[] {
  const given = params.modifiers as readonly { type: Modifier['type']; args: Record<string, unknown> }[] | undefined;
  if (given) return given.map(({ type, args }) => ({ type, ...(type === 'flip' ? (args.flip as object) : args) }) as Modifier);
  const { rotation, x, y, width, height } = params;
  return [
    ...(rotation ? [{ type: 'rotate', angle: Number(rotation) } as const] : []),
    ...([x, y, width, height].every((side) => side !== undefined && side !== null)
      ? [{ type: 'crop', left: Number(x), top: Number(y), width: Number(width), height: Number(height) } as const]
      : []),
  ];
}

const number = (description: string): Schema => of('number', description);

const modifier: Schema = of('object', 'Image edit.', {
  required: ['type', 'args'],
  oneOf: [
    {
      title: 'Flip',
      properties: {
        type: of('string', 'Flip type.', { enum: ['flip'] }),
        args: of('object', 'Flip arguments.', {
          required: ['flip'],
          properties: {
            flip: of('object', 'Flip direction.', {
              required: ['horizontal', 'vertical'],
              properties: {
                horizontal: of('boolean', 'Whether to flip in the horizontal direction.'),
                vertical: of('boolean', 'Whether to flip in the vertical direction.'),
              },
            }),
          },
        }),
      },
    },
    {
      title: 'Rotation',
      properties: {
        type: of('string', 'Rotation type.', { enum: ['rotate'] }),
        args: of('object', 'Rotation arguments.', {
          required: ['angle'],
          properties: { angle: number('Angle to rotate clockwise in degrees.') },
        }),
      },
    },
    {
      title: 'Crop',
      properties: {
        type: of('string', 'Crop type.', { enum: ['crop'] }),
        args: of('object', 'Crop arguments.', {
          required: ['left', 'top', 'width', 'height'],
          properties: {
            left: number('Horizontal position from the left to begin the crop as a percentage of the image width.'),
            top: number('Vertical position from the top to begin the crop as a percentage of the image height.'),
            width: number('Width of the crop as a percentage of the image width.'),
            height: number('Height of the crop as a percentage of the image height.'),
          },
        }),
      },
    },
  ],
});

function percent(what: string): Arg {
  return of('number', `As a percentage of the image, ${what}. DEPRECATED: Use \`modifiers\` instead.`, {
    minimum: 0,
    maximum: 100,
  });
}
