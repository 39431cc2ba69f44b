/** What search engines and networks are told of an item, and what they will show. */
import { useEffect, useId, useState } from 'preact/hooks';
import { ask, namespace } from './api.ts';
import type { Values } from './changes.ts';
import { fieldName } from './fields.ts';
import { LibraryDialog } from './media.tsx';
import { type Item, localAddress, type Medium, thumbnail } from './records.ts';
import type { SearchName } from './search-meta.ts';
import { say } from './words.ts';

/** As far as it is shown. */
interface Head {
  readonly title?: string;
  readonly description?: string;
  readonly canonical?: string;
  readonly robots?: { readonly index?: string };
  readonly og_title?: string;
  readonly og_description?: string;
  readonly og_site_name?: string;
  readonly og_image?: readonly { readonly url: string }[];
}

interface MetadataProps {
  /** As the server has it, and its values there. */
  readonly item: Item;
  readonly stored: Values;
  readonly values: Values;
  readonly mayUpload: boolean;
  set(name: string, value: string): void;
}

/** Characters after which search engines cut: `cms validate` has the same for descriptions. */
const shownLengths = { title: 60, description: 160 } as const;
const lengthOf = (text: string): number => [...text].length;
const cut = (text: string, most: number): string =>
  lengthOf(text) > most ? `${[...text].slice(0, most).join('').trimEnd()}…` : text;

/** What cannot be read stays as it is written. */
function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

export function Metadata({ item, stored, values, mayUpload, set }: MetadataProps) {
  const id = useId();
  const [isChoosing, setChoosing] = useState(false);
  const head = (item.seo_head_json ?? {}) as Head;
  const textOf = (name: SearchName, from = values): string => String(from[`meta:${name}`] ?? '');
  const change = (name: SearchName, value: string): void => set(`meta:${name}`, value);
  const isStored = (...names: readonly SearchName[]): boolean => names.every((name) => textOf(name) === textOf(name, stored));
  /** The server fills in more names than these. */
  const filled = (text: string): string =>
    text.replaceAll('%%title%%', () => String(values.title ?? '')).replaceAll('%%sitename%%', () => head.og_site_name ?? '');
  /**
   * @param names  what says it, and what it depends on
   * @param now  what the server makes of what it has
   * @param otherwise  what is shown if nothing says it
   * @returns undefined: what the site makes of it is known once it is saved
   */
  const shownOf = (
    names: readonly [SearchName, ...SearchName[]],
    now: string | undefined,
    otherwise?: string,
  ): string | undefined => {
    const own = textOf(names[0]);
    if (isStored(...names) || (own !== '' && isStored(names[0]))) return now;
    return own === '' ? otherwise : filled(own);
  };
  const title = shownOf(['_seo_title'], head.title);
  const description = shownOf(['_seo_metadesc'], head.description ?? '');
  const socialTitle = shownOf(['_seo_opengraph-title', '_seo_title'], head.og_title, title);
  const socialDescription = shownOf(
    ['_seo_opengraph-description', '_seo_metadesc'],
    head.og_description ?? '',
    description || undefined,
  );
  const address =
    isStored('_seo_canonical') && head.canonical ? head.canonical : absolute(textOf('_seo_canonical') || item.link, item.link);
  const isKeptOut = isStored('_seo_meta-robots-noindex')
    ? head.robots?.index === 'noindex'
    : textOf('_seo_meta-robots-noindex') === '1';
  const made = say('Site default');
  const [picture, pictureId] = [textOf('_seo_opengraph-image'), textOf('_seo_opengraph-image-id')];
  const hasPicture = picture !== '' || pictureId !== '';
  const shared = usePicture(
    pictureId,
    isStored('_seo_opengraph-image', '_seo_opengraph-image-id') ? (head.og_image?.[0]?.url ?? picture) : picture,
  );

  const line = (name: SearchName, isLong = false, length?: { shown: string; most: number }): preact.ComponentChildren => {
    const common = {
      id: `${id}${name}`,
      value: textOf(name),
      dir: name === '_seo_canonical' ? ('ltr' as const) : ('auto' as const),
      'aria-describedby': length ? `${id}${name}-length` : undefined,
    };
    return (
      <div class="field">
        <label for={common.id}>{fieldName(`meta:${name}`)}</label>
        {isLong ? (
          <textarea {...common} rows={3} onInput={({ currentTarget }) => change(name, currentTarget.value)} />
        ) : (
          <input {...common} onInput={({ currentTarget }) => change(name, currentTarget.value)} />
        )}
        {length && (
          <p id={`${id}${name}-length`} class="note">
            {say('{count} characters; search engines show about {most}.', { count: lengthOf(length.shown), most: length.most })}
          </p>
        )}
        {length && (
          <p role="status">
            {lengthOf(length.shown) > length.most &&
              say('Too long: search engines will cut it ({field}).', { field: fieldName(`meta:${name}`) })}
          </p>
        )}
      </div>
    );
  };
  return (
    <>
      {line('_seo_title', false, { shown: title ?? '', most: shownLengths.title })}
      {line('_seo_metadesc', true, { shown: description ?? '', most: shownLengths.description })}
      {line('_seo_canonical')}
      <div class="field">
        <label for={`${id}n`}>{fieldName('meta:_seo_meta-robots-noindex')}</label>
        <select
          id={`${id}n`}
          value={textOf('_seo_meta-robots-noindex')}
          onChange={({ currentTarget }) => change('_seo_meta-robots-noindex', currentTarget.value)}
        >
          <option value="">{say('Default template')}</option>
          <option value="2">{say('Show')}</option>
          <option value="1">{say('Hide')}</option>
        </select>
      </div>
      <p class="note">{say('The site fills in names such as %%title%%, %%sep%% and %%sitename%%.')}</p>
      <figure class="shown">
        <figcaption>{say('The search result')}</figcaption>
        <p class="note" dir="ltr">
          {address}
        </p>
        <p class="name" dir="auto">
          {title === undefined ? made : cut(title, shownLengths.title)}
        </p>
        <p dir="auto">
          {description === undefined
            ? made
            : cut(description, shownLengths.description) || say('Search engines choose words of the page.')}
        </p>
        {isKeptOut && <p>{say('Search engines are told not to show it.')}</p>}
      </figure>
      {line('_seo_opengraph-title')}
      {line('_seo_opengraph-description', true)}
      <fieldset>
        <legend>{fieldName('meta:_seo_opengraph-image-id')}</legend>
        <button type="button" onClick={() => setChoosing(true)}>
          {hasPicture ? say('Choose another image') : say('Choose an image')}
        </button>
        {hasPicture && (
          <button
            type="button"
            onClick={() => {
              change('_seo_opengraph-image', '');
              change('_seo_opengraph-image-id', '');
            }}
          >
            {say('Remove')}
          </button>
        )}
      </fieldset>
      {isChoosing && (
        <LibraryDialog
          images
          mayUpload={mayUpload}
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            change('_seo_opengraph-image', '');
            change('_seo_opengraph-image-id', String(chosen.id));
            setChoosing(false);
          }}
        />
      )}
      <figure class="shown">
        <figcaption>{say('The card on social networks')}</figcaption>
        {shared && <SharedPicture {...shared} />}
        <p class="note" dir="ltr">
          {/^https?:\/\/([^/]+)/.exec(address)?.[1]}
        </p>
        <p class="name" dir="auto">
          {socialTitle ?? made}
        </p>
        <p dir="auto">{socialDescription ?? made}</p>
      </figure>
    </>
  );
}

interface Picture {
  readonly address: string;
  readonly alt: string;
}

/** The picture that is chosen, or that of an address. */
function usePicture(chosen: string, address: string): Picture | null {
  const [medium, setMedium] = useState<Medium | null>(null);
  useEffect(() => {
    if (chosen === '') return;
    void ask<Medium>(`${namespace}/media/${chosen}`).then(
      ({ data }) => setMedium(data),
      () => setMedium(null),
    );
  }, [chosen]);
  if (chosen === '') return address === '' ? null : { address: localAddress(address), alt: '' };
  return medium && String(medium.id) === chosen ? { address: thumbnail(medium), alt: medium.alt_text } : null;
}

/** The page asks nothing of other hosts. */
function SharedPicture({ address, alt }: Picture) {
  const isHere = absolute(address, location.origin).startsWith(`${location.origin}/`);
  return isHere ? <img src={address} alt={alt} /> : <p dir="ltr">{address}</p>;
}
