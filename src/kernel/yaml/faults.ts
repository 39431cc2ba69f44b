/**
 * What people are told of a text that cannot be read, in their own words: the parsers speak of flow maps, scalars and tokens. The first
 * row that fits counts.
 */
interface Told {
  readonly message: string;
  readonly hint: string;
}
type Row = readonly [pattern: RegExp, message: string, hint: string];

const quote = 'If the text has `: ` or ` #` in it, or begins with a sign such as @ * & [ {, put it in quotes.';
const bracket = 'Add the closing `]` or `}`, and indent the lines inside; or put a text that begins with a bracket in quotes.';
const column = 'Lines that belong together begin in the same column.';
const line = 'Write a key, a colon, a space and the value.';

/** Of `yaml`: its code and sentence. */
const inYaml: readonly Row[] = [
  [/Missing closing/, 'A quotation mark is not closed.', 'Add the closing quotation mark at the end of the text.'],
  [/sufficiently indented and end with/, 'A bracket is not closed.', bracket],
  [/Nested mappings/, 'A second `key: value` stands inside a value.', quote],
  [
    /block-seq-ind/,
    'A list begins on the line of its key.',
    'Write each `- item` on a line of its own below the key, or put a text that begins with `- ` in quotes.',
  ],
  [/^BAD_SCALAR_START .*(\S)$/, 'A value begins with $1, which means something else here.', 'Put the value in quotes.'],
  [/^TAB_AS_INDENT/, 'A line is indented with a tab.', 'Indent with spaces.'],
  [
    /lock scalar header/,
    'Something stands on the line behind `|` or `>`.',
    'Begin the text on the next line, indented; or put a text that begins with these signs in quotes.',
  ],
  [
    /lock scalar/,
    'The lines of a long text are not indented alike.',
    'Indent each line of it as the first one, deeper than its key.',
  ],
  [
    /^BAD_DQ_ESCAPE [^\\]*(\\.?)/,
    '$1 means nothing in double quotes.',
    'Write the backslash twice, or put the text in single quotes.',
  ],
  [
    /Unexpected scalar at node end/,
    'More text stands behind a value that has ended.',
    'Put the whole value in quotes: in single quotes, write an apostrophe twice.',
  ],
  [
    /^UNEXPECTED_TOKEN Unexpected (?:,|empty item)/,
    'A comma stands where a value should.',
    'Take it out, or put the value in quotes.',
  ],
  [/Missing (?:,|space)/, 'A comma, or a space behind a colon, is missing inside brackets.', 'Separate the values with commas.'],
  [
    /^BLOCK_IN_FLOW/,
    'A value inside brackets has a list or a second `key: value` in it.',
    'Put it in quotes, or write the list in lines, each with `- `.',
  ],
  [/flow-(?:seq|map)-end/, 'A bracket is closed that was not opened, or whose lines are not indented.', bracket],
  [
    /^TAG_RESOLVE_FAILED [^!]*(!\S*)/,
    'The tag `$1` is unknown here.',
    'Leave it out, or put a text that begins with ! in quotes.',
  ],
  [
    /^TAG_RESOLVE_FAILED|^BAD_COLLECTION_TYPE/,
    'A tag (`!name`) does not fit its value.',
    'Leave it out, or put a text that begins with ! in quotes.',
  ],
  [/^MULTIPLE_TAGS/, 'A value has two tags (`!name`).', 'Leave them out, or put a text that begins with ! in quotes.'],
  [/^MULTIPLE_ANCHORS/, 'A value has two names (`&name`).', 'Leave one out, or put a text that begins with & in quotes.'],
  [
    /^BAD_ALIAS|^ALIAS_PROPS|^BAD_PROP_ORDER|^MISSING_CHAR Tags and anchors/,
    'A value begins with `&`, `*` or `!`, which stand for something else.',
    'Put the value in quotes.',
  ],
  [
    /sequence may not be used as an implicit|^BAD_INDENT|item without - indicator/i,
    'A line begins in another column than those it belongs to.',
    column,
  ],
  [/^KEY_OVER/, 'A key has more than 1024 characters.', line],
  [/^MULTILINE_IMPLICIT_KEY|Implicit map keys|Implicit keys/, 'A line has no colon behind its key.', line],
  [
    /Comments must be separated/,
    '`#` stands right behind a value.',
    'Put a space before a comment, and a text with # in it in quotes.',
  ],
  [
    /^BAD_DIRECTIVE|directive/,
    'A line begins with %, which means something else here.',
    'Remove the line, or put the value in quotes.',
  ],
  [/^RESOURCE_EXHAUSTION/, 'Nested too deeply.', 'Write the values with fewer levels.'],
  [/(?:)/, 'This is no `key: value`.', quote],
];

/** Of `smol-toml`: its sentence. */
const inToml: readonly Row[] = [
  [/redefine/, 'A key or table is there a second time.', 'Keep one of them.'],
  [/of key|in key|key-value: /, 'A line is not `key = value`.', 'Write a key, an equals sign and the value.'],
  [/unfinished string/, 'A quotation mark is not closed.', 'Add the closing quotation mark at the end of the text.'],
  [
    /expected comma|end of structure/,
    'A bracket is not closed, or a comma is missing.',
    'Add the closing bracket, and commas between values.',
  ],
  [
    /end-of-line/,
    'More text stands behind a value that has ended.',
    'Put the whole value in quotes, and each key on a line of its own.',
  ],
  [/date/, 'A date is not one.', 'Write it as 2026-03-05T10:00:00, or put it in quotes.'],
  [/losslessly/, 'A number is too large.', 'Put it in quotes.'],
  [
    /control characters/,
    'A quotation mark is not closed on its line, or a text has a control character in it.',
    'Add the closing quotation mark; write control characters as \\u0007.',
  ],
  [/escape/, 'A backslash in double quotes means nothing there.', 'Write it twice, or put the text in single quotes.'],
  [/(?:)/, 'A value is not one of TOML.', 'Put text in quotes; numbers, true and false stand without.'],
];

const toldBy =
  (rows: readonly Row[]) =>
  (said: string): Told => {
    for (const [pattern, message, hint] of rows) {
      const found = pattern.exec(said);
      if (found) return { message: message.replace('$1', () => found[1] ?? ''), hint };
    }
    throw new TypeError('The last row fits everything.');
  };

export const toldOfYaml = toldBy(inYaml);
export const toldOfToml = toldBy(inToml);
