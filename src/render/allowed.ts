/**
 * What markup of users without `unfiltered_html` may contain: elements and their attributes, by set.
 * Source: observed behaviour of the reference (6.9).
 */
import { table } from '../kernel/model/maps.ts';

/** `post`: content and excerpts. `comment`: comments and titles. `description`: of terms and users. `strip`: no elements at all. */
export type FilterSet = 'post' | 'comment' | 'description' | 'strip';

/** Element → attributes. An element without attributes is written bare. */
export type Allowed = ReadonlyMap<string, ReadonlySet<string>>;

const cell = 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width';
const rows = 'align char charoff valign';

/** On every element of posts; `data-` stands for all names that begin so. */
const global =
  'aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby aria-live class ' +
  'data- dir hidden id lang style title role xml:lang';

const plain =
  'address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s samp search small strike ' +
  'strong sub sup title tt u var wbr';
const aligned =
  'article aside caption figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup legend main nav p section span summary';

const post = elementsWith(
  [
    ...plain.split(' ').map((name): [string, string] => [name, '']),
    ...aligned.split(' ').map((name): [string, string] => [name, 'align']),
    ['a', 'href rel rev name target download'],
    ['area', 'alt coords href nohref shape target'],
    ['audio', 'autoplay controls loop muted preload src'],
    ['blockquote', 'cite'],
    ['button', 'disabled name type value popovertarget popovertargetaction aria-haspopup'],
    ['col', `${rows} span width`],
    ['colgroup', `${rows} span width`],
    ['data', 'value'],
    ['del', 'datetime'],
    ['details', 'align open name'],
    ['dialog', 'closedby open popover'],
    ['div', 'align popover'],
    ['font', 'color face size'],
    ['hr', 'align noshade size width'],
    ['img', 'alt align border height hspace loading longdesc vspace src usemap width'],
    ['ins', 'datetime cite'],
    ['label', 'for'],
    ['li', 'align value'],
    ['map', 'name'],
    ['menu', 'type'],
    ['meter', 'high low max min optimum value'],
    ['object', 'data type'],
    ['pre', 'width'],
    ['progress', 'max value'],
    ['q', 'cite'],
    ['table', 'align bgcolor border cellpadding cellspacing rules summary width'],
    ['tbody', rows],
    ['td', cell],
    ['textarea', 'cols rows disabled name readonly'],
    ['tfoot', rows],
    ['th', cell],
    ['thead', rows],
    ['time', 'datetime'],
    ['tr', `${rows} bgcolor`],
    ['track', 'default kind label src srclang'],
    ['ul', 'type popover'],
    ['ol', 'start type reversed'],
    ['video', 'autoplay controls height loop muted playsinline poster preload src width'],
  ],
  global,
);

/** MathML Core, and what formulas are made of elsewhere. Each has these attributes, and those named. */
const mathGlobal = 'displaystyle scriptlevel mathbackground mathcolor mathsize class data- dir id style';
const columns = 'columnalign rowalign';
const formulas = elementsWith(
  [
    ...'mtext mn ms mrow msqrt mroot mstyle merror mphantom msub msup msubsup mmultiscripts mprescripts semantics'
      .split(' ')
      .map((name): [string, string] => [name, '']),
    ...['munder', 'mover', 'munderover'].map((name): [string, string] => [name, 'accentunder accent']),
    ['math', 'display'],
    ['mi', 'mathvariant'],
    ['mo', 'form fence separator lspace rspace stretchy symmetric maxsize minsize largeop movablelimits'],
    ['mspace', 'width height depth'],
    ['mfrac', 'linethickness'],
    ['mpadded', 'width height depth lspace voffset'],
    ['mtable', `${columns} rowspacing columnspacing align columnlines rowlines frame framespacing width`],
    ['mtr', columns],
    ['mtd', `${columns} columnspan rowspan`],
    ['annotation', 'encoding'],
    ['menclose', 'notation'],
  ],
  mathGlobal,
);

const small: [string, string][] = [
  ['a', 'href title'],
  ['abbr', 'title'],
  ['acronym', 'title'],
  ['blockquote', 'cite'],
  ['del', 'datetime'],
  ['q', 'cite'],
  ...'b cite code em i s strike strong'.split(' ').map((name): [string, string] => [name, '']),
];

export const allowed: Readonly<Record<FilterSet, Allowed>> = table({
  post: new Map([...post, ...formulas]),
  comment: elementsWith(small, ''),
  description: elementsWith([...small, ['a', 'href title rel target']], ''),
  strip: new Map(),
});

/** Attributes that hold an address. */
export const urlAttributes: ReadonlySet<string> = new Set(
  'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src usemap xmlns'.split(
    ' ',
  ),
);

function elementsWith(entries: readonly [string, string][], everywhere: string): Allowed {
  return new Map(
    entries.map(([name, attributes]) => [name, new Set(`${attributes} ${everywhere}`.split(' ').filter((word) => word !== ''))]),
  );
}
