/** The text of an item: visual where it is Markdown, in a block editor where it is blocks and there is one, or its source. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { BlocksText, blockEditor, isBlocks } from './blocks.tsx';
import { LibraryDialog, upload } from './media.tsx';
import { Dialog } from './dialog.tsx';
import { type Medium, localAddress } from './records.ts';
import type { TextPlace } from './places.ts';
import type { Source } from './source.ts';
import type { Visual } from './visual.ts';
import { say } from './words.ts';

export interface BodyHandle {
  text(): string;
  /** Absent where it begins anew with another text. */
  readonly replace?: (text: string) => void;
}

interface BodyProps {
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly mayUpload: boolean;
  readonly label: string;
  readonly handle: { current: BodyHandle | null };
  /** Where to begin. */
  readonly at?: TextPlace | null;
  onChange(): void;
  tell(sentence: string): void;
}

export function Body(props: BodyProps) {
  const { text, isMarkdown, handle } = props;
  const hasVisual = isMarkdown || (blockEditor !== null && isBlocks(text));
  // Marks on pages of the site lead to words, which the source finds.
  const [isSource, setSource] = useState(!hasVisual || (!isMarkdown && props.at?.block !== undefined));
  const [shown, setShown] = useState(text);
  const [isPreview, setPreview] = useState(false);
  // Once: whoever goes to the source and back is somewhere else.
  const [at, setAt] = useState(props.at ?? null);
  const toggle = (): void => {
    setAt(null);
    setShown(handle.current?.text() ?? shown);
    setPreview(false);
    setSource(!isSource);
  };
  return (
    <div class="body">
      <div class="bar">
        {hasVisual && (
          <button type="button" aria-pressed={isSource} onClick={toggle}>
            {say('Source')}
          </button>
        )}
        {!isMarkdown && isSource && (
          <button
            type="button"
            aria-pressed={isPreview}
            onClick={() => {
              setShown(handle.current?.text() ?? shown);
              setPreview(!isPreview);
            }}
          >
            {say('Preview')}
          </button>
        )}
      </div>
      {isSource ? (
        <SourceText {...props} at={at} text={shown} isHidden={isPreview} />
      ) : isMarkdown ? (
        <VisualText {...props} at={at} text={shown} />
      ) : (
        <BlocksText {...props} text={shown} />
      )}
      {isPreview && (
        // Nothing of it runs, whoever wrote it.
        <iframe
          class="preview"
          sandbox=""
          title={say('Preview')}
          srcdoc={`<!doctype html><meta charset="utf-8"><base target="_blank">${shown}`}
        />
      )}
    </div>
  );
}

/** Of an editor that goes its text stays, until another is there. */
function leave(handle: BodyProps['handle']): void {
  const text = handle.current?.text();
  if (text !== undefined) handle.current = { text: () => text };
}

function SourceText({ text, label, isMarkdown, handle, onChange, at, isHidden }: BodyProps & { readonly isHidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let source: Source | null = null;
    let isGone = false;
    void import('./source.ts').then(({ createSource }) => {
      if (isGone || !place.current) return;
      place.current.hidden = false;
      source = createSource(place.current, { text, label, isMarkdown, changed: onChange });
      const { text: now, replace, goTo } = source;
      handle.current = { text: now, replace };
      setThere(true);
      if (at) goTo(at);
    });
    return () => {
      isGone = true;
      leave(handle);
      source?.destroy();
    };
  }, []);
  return (
    <>
      {!isThere && <p role="status">{say('Loading…')}</p>}
      <div ref={place} class="source" hidden={isHidden || !isThere} />
    </>
  );
}

function VisualText({ text, label, mayUpload, handle, onChange, at, tell }: BodyProps) {
  const place = useRef<HTMLDivElement>(null);
  const visual = useRef<Visual | null>(null);
  const [kit, setKit] = useState<typeof import('./visual.ts') | null>(null);
  const [, setMoves] = useState(0);
  const [asks, setAsks] = useState<'link' | 'picture' | null>(null);
  useEffect(() => {
    let isGone = false;
    void import('./visual.ts').then((loaded) => {
      if (isGone || !place.current) return;
      visual.current = loaded.createVisual(place.current, {
        text,
        label,
        changed: onChange,
        moved: () => setMoves((count) => count + 1),
        async upload(files) {
          if (!mayUpload) return [];
          const done: Medium[] = [];
          for (const file of files) {
            tell(say('Uploading {name}…', { name: file.name }));
            try {
              done.push(await upload(file));
              tell(say('{name} is in the library. Say what it shows: choose it under “Image”.', { name: file.name }));
            } catch (error) {
              tell(`${file.name}: ${(error as Error).message}`);
            }
          }
          return done.map(({ source_url, alt_text }) => ({ src: localAddress(source_url), alt: alt_text }));
        },
      });
      const { text: now, replace } = visual.current;
      handle.current = { text: now, replace };
      setKit(loaded);
      if (at) visual.current.goTo(at);
    });
    return () => {
      isGone = true;
      leave(handle);
      visual.current?.destroy();
    };
  }, []);
  const state = visual.current?.view.state;
  return (
    <>
      {kit && state && (
        <Toolbar label={say('Format')}>
          <select
            aria-label={say('Block type')}
            value={kit.blockAt(state)}
            onChange={(event) => visual.current?.run(kit.setBlock(event.currentTarget.value))}
          >
            <option value="p">{say('Paragraph')}</option>
            {[2, 3, 4, 5, 6].map((level) => (
              <option key={level} value={String(level)}>
                {say('Heading {level}', { level })}
              </option>
            ))}
            <option value="code">{say('Code block')}</option>
            <option value="" hidden />
            <option value="1" hidden>
              {say('Heading {level}', { level: 1 })}
            </option>
          </select>
          {kit.tools.map(({ name, sign, command, isOn }) => (
            <ToolButton
              key={name}
              name={say(name)}
              sign={sign}
              isOn={isOn?.(state)}
              onPress={() => visual.current?.run(command)}
            />
          ))}
          <ToolButton name={say('Link')} sign={say('Link')} isOn={kit.linkAt(state) !== ''} onPress={() => setAsks('link')} />
          <ToolButton name={say('Image')} sign={say('Image')} onPress={() => setAsks('picture')} />
          {kit.isInTable(state) &&
            kit.tableTools.map(({ name, sign, command }) => (
              <ToolButton key={name} name={say(name)} sign={sign} onPress={() => visual.current?.run(command)} />
            ))}
        </Toolbar>
      )}
      <div ref={place} class="visual" />
      {asks === 'link' && kit && state && (
        <LinkDialog
          href={kit.linkAt(state)}
          onClose={() => setAsks(null)}
          onSet={(href) => {
            setAsks(null);
            visual.current?.run(kit.setLink(href));
          }}
        />
      )}
      {asks === 'picture' && kit && (
        <LibraryDialog
          images
          mayUpload={mayUpload}
          onClose={() => setAsks(null)}
          onChoose={({ source_url, alt_text }) => {
            setAsks(null);
            visual.current?.run(kit.insertPicture({ src: source_url, alt: alt_text }));
          }}
        />
      )}
    </>
  );
}

/** One stop of the Tab key; arrows go from button to button. Source: WAI-ARIA Authoring Practices, toolbar. */
function Toolbar({ label, children }: { label: string; children: preact.ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  const stops = (): HTMLElement[] => [...(ref.current?.querySelectorAll<HTMLElement>('button, select') ?? [])];
  const [stop, setStop] = useState(0);
  useEffect(() => {
    stops().forEach((one, at) => {
      one.tabIndex = at === stop ? 0 : -1;
    });
  });
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label={label}
      class="toolbar"
      onKeyDown={(event) => {
        const all = stops();
        const at = all.indexOf(document.activeElement as HTMLElement);
        const isBack = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
        const next =
          event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? all.length - 1
              : /^Arrow(?:Left|Right)$/.test(event.key)
                ? at + (event.key === isBack ? -1 : 1)
                : -1;
        if (at < 0 || next < 0 || next >= all.length) return;
        event.preventDefault();
        setStop(next);
        all[next]?.focus();
      }}
    >
      {children}
    </div>
  );
}

function ToolButton({
  name,
  sign,
  isOn,
  onPress,
}: {
  name: string;
  sign: string;
  isOn?: boolean | undefined;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      aria-pressed={isOn}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <span class="sign" data-sign={sign} />
    </button>
  );
}

function LinkDialog({ href, onSet, onClose }: { href: string; onSet: (href: string) => void; onClose: () => void }) {
  const [value, setValue] = useState(href);
  return (
    <Dialog title={say('Link')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSet(value);
        }}
      >
        <label for="link-address">{say('Address: of another site, or a path of this one')}</label>
        <input id="link-address" value={value} dir="ltr" onInput={(event) => setValue(event.currentTarget.value)} />
        <button type="submit" class="main">
          {say('Save')}
        </button>
        {href !== '' && (
          <button type="button" onClick={() => onSet('')}>
            {say('Remove the link')}
          </button>
        )}
      </form>
    </Dialog>
  );
}
