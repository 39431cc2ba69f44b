/** Menus as trees: links are added, named, moved by pointer or by buttons, and saved together. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiError, ask, askAll, namespace } from './api.ts';
import { Button } from './button.tsx';
import { changesOf, type Value, type Values } from './changes.ts';
import { Conflicts } from './conflicts.tsx';
import { fieldName } from './fields.ts';
import { type Move, moved, movedBefore, type Node, parentsOf, type Tree, treeOf, without } from './menu-tree.ts';
import { Picker, routesOf } from './picker.tsx';
import { plain, type Site, type Text } from './records.ts';
import { useOnce } from './once.ts';
import { go, useGuard, useShown } from './router.tsx';
import { isUndecided, saveMerged, type Stored, type Undecided } from './saving.ts';
import { say } from './words.ts';

interface Menu {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly locations: readonly string[];
  readonly auto_add: boolean;
}

interface MenuItem {
  readonly id: number;
  readonly title: Text;
  readonly type: string;
  readonly object: string;
  readonly object_id: number;
  readonly url: string;
  readonly description: string;
  readonly parent: number;
  readonly menu_order: number;
}

export function Menus({ site, place }: { site: Site; place: string }) {
  const [menus, setMenus] = useState<readonly Menu[] | null>(null);
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const load = (): Promise<void> =>
    askAll<Menu>(`${namespace}/menus`, { context: 'edit' }).then(setMenus, (error: Error) => setFault(error.message));
  useEffect(() => void load(), []);
  const menu = menus?.find(({ id }) => String(id) === place) ?? menus?.[0];
  const [isBusy, once] = useOnce();
  const isShown = useShown();
  const add = async (): Promise<void> => {
    try {
      const { data } = await ask<Menu>(`${namespace}/menus`, { method: 'POST', body: { name } });
      setName('');
      if (isShown()) go({ menus: String(data.id) });
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <>
      <div class="head">
        <h1>{say('Menus')}</h1>
      </div>
      <div class="bar">
        {menus && menus.length > 0 && (
          <>
            <label for="menu">{say('Menu')}</label>
            <select id="menu" value={String(menu?.id ?? '')} onChange={({ currentTarget }) => go({ menus: currentTarget.value })}>
              {menus.map((one) => (
                <option key={one.id} value={String(one.id)}>
                  {plain(one.name)}
                </option>
              ))}
            </select>
          </>
        )}
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            void once(add);
          }}
        >
          <label for="menu-new">{say('Name of a new menu')}</label>
          <input id="menu-new" required dir="auto" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
          <Button isOff={isBusy}>{say('Add')}</Button>
        </form>
      </div>
      {fault !== '' && <p role="alert">{fault}</p>}
      {menus?.length === 0 && <p>{say('None yet.')}</p>}
      {menu && <EditMenu key={menu.id} site={site} menu={menu} onSaved={load} />}
    </>
  );
}

function EditMenu({ site, menu, onSaved }: { site: Site; menu: Menu; onSaved: () => Promise<void> }) {
  const id = useId();
  const [stored, setStored] = useState<StoredMenu | null>(null);
  const [merged, setMerged] = useState<Undecided<StoredMenu> | null>(null);
  const [tree, setTree] = useState<Tree>([]);
  const [facts, setFacts] = useState(factsOf(menu));
  const [locations, setLocations] = useState<readonly { name: string; description: string }[]>([]);
  const [told, setTold] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  const isShown = useShown();
  const values = valuesOf(facts, tree);
  useGuard(() => stored !== null && Object.keys(changesOf(stored.values, values)).length > 0);
  const self = `${namespace}/menus/${menu.id}`;
  /** The state first: what changes after it is one that a write does not find. */
  const load = async (): Promise<StoredMenu> => {
    const { data, headers } = await ask<Menu>(self, { query: { context: 'edit' } });
    const items = await askAll<MenuItem>(`${namespace}/menu-items`, { context: 'edit', menus: menu.id });
    const links = treeOf(items.map((item) => ({ ...nodeOf(item), parent: item.parent, order: item.menu_order })));
    return { etag: headers.get('ETag') ?? '', items, values: valuesOf(factsOf(data), links) };
  };
  const show = (from: StoredMenu, { links, ...others }: Values = from.values): void => {
    const known = new Set(from.items.map((item) => item.id));
    setStored(from);
    setFacts(others as typeof facts);
    // What somebody else has removed is made again.
    setTree(
      (links as unknown as Tree).map((node) => (node.id < 0 || known.has(node.id) ? node : { ...node, id: -gone - node.id })),
    );
  };
  const write = async (from: StoredMenu, { links, ...body }: Values): Promise<StoredMenu> => {
    const { headers } = await ask(self, { method: 'POST', body, headers: { 'If-Match': from.etag } });
    try {
      if (links !== undefined)
        await saveTree(menu.id, links as unknown as Tree, from.items, headers.get('ETag') ?? '', (before, now) =>
          // Were the rest refused, it would be made a second time.
          setTree((all) => all.map((node) => (node.id === before ? { ...node, id: now } : node))),
        );
    } catch (error) {
      // A part of it is stored: to save it again is to merge it with the rest.
      throw (error as ApiError).status === 412
        ? new Error(say('Someone has changed this meanwhile. Your changes are merged when you save.'))
        : error;
    }
    return await load();
  };
  useEffect(() => {
    load().then(show, (error: Error) => setFault(error.message));
    ask<Record<string, { name: string; description: string }>>(`${namespace}/menu-locations`).then(
      ({ data }) => setLocations(Object.values(data)),
      () => {},
    );
  }, []);
  const change = (next: Tree, sentence = ''): void => {
    setTree(next);
    if (sentence !== '') setTold(sentence);
  };
  const set = (at: number, values: Partial<Node>): void =>
    change(tree.map((node, other) => (other === at ? { ...node, ...values } : node)));
  const save = async (): Promise<void> => {
    setFault('');
    if (!stored) return;
    try {
      const saved = await saveMerged(stored, values, { write, load });
      if (isUndecided(saved)) {
        setMerged(saved);
        return setTold(say('Someone else has changed this, too'));
      }
      show(saved);
      await onSaved();
      setTold(say('Saved.'));
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const remove = async (): Promise<void> => {
    if (!confirm(say('Delete “{title}” permanently?', { title: plain(menu.name) }))) return;
    try {
      await ask(self, { method: 'DELETE', query: { force: 'true' }, headers: { 'If-Match': stored?.etag ?? '' } });
      if (isShown()) go({ menus: '' }, { isSure: true });
    } catch (error) {
      const { status, message } = error as ApiError;
      setFault(status === 412 ? say('Someone has changed this meanwhile. Look at it before you remove it.') : message);
    }
  };
  return (
    <>
      {/* What is being saved stays as it is until it comes back. */}
      <div inert={isBusy || merged !== null}>
        <fieldset class="facts">
          <legend>{say('Menu')}</legend>
          <label for={`${id}n`}>{say('Name')}</label>
          <input
            id={`${id}n`}
            dir="auto"
            value={facts.name}
            onInput={({ currentTarget }) => setFacts({ ...facts, name: currentTarget.value })}
          />
          {locations.map(({ name, description }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={facts.locations.includes(name)}
                onChange={({ currentTarget }) => {
                  const others = facts.locations.filter((one) => one !== name);
                  setFacts({ ...facts, locations: (currentTarget.checked ? [...others, name] : others).sort() });
                }}
              />
              {say('Shown at: {place}', { place: description || name })}
            </label>
          ))}
          <label class="check">
            <input
              type="checkbox"
              checked={facts.auto_add}
              onChange={({ currentTarget }) => setFacts({ ...facts, auto_add: currentTarget.checked })}
            />
            {say('Automatically add new top-level pages')}
          </label>
        </fieldset>
        <Links tree={tree} onChange={change} onSet={set} />
        <AddLinks
          site={site}
          onAdd={(node) => change([...tree, node], say('Added: {name}', { name: node.title || node.target }))}
        />
      </div>
      <p role="status">{told}</p>
      {fault !== '' && <p role="alert">{fault}</p>}
      {merged && (
        <Conflicts
          merged={merged.merge}
          nameOf={partName}
          textOf={(name, value) => partText(name, value, locations)}
          onDecide={(choices) => {
            show(merged.fresh, merged.merge.resolve(choices));
            setMerged(null);
            setTold(say('Review it, then save.'));
            document.getElementById('content')?.focus();
          }}
        />
      )}
      <div class="row">
        <Button class="main" isOff={isBusy || stored === null || merged !== null} onClick={() => void once(save)}>
          {say('Save')}
        </Button>
        <Button class="danger" isOff={isBusy || stored === null} onClick={() => void once(remove)}>
          {say('Delete the menu')}
        </Button>
      </div>
    </>
  );
}

interface StoredMenu extends Stored {
  readonly items: readonly MenuItem[];
}

/** Ids of links that are made again are below those of new ones. */
const gone = 1_000_000;

const factsOf = ({ name, locations, auto_add }: Menu) => ({
  name: plain(name),
  locations: [...(locations ?? [])].sort(),
  auto_add: auto_add ?? false,
});

const valuesOf = (facts: ReturnType<typeof factsOf>, tree: Tree): Values => ({ ...facts, links: tree as unknown as Value });

const linkName = ({ title, target, url }: Node): string => title || target || url;

function partName(part: string): string {
  const names: Readonly<Record<string, string>> = {
    name: say('Name'),
    locations: say('Shown at'),
    auto_add: say('Automatically add new top-level pages'),
    links: say('Links'),
  };
  return names[part] ?? part;
}

function partText(part: string, value: Value, all: readonly { name: string; description: string }[]): string | undefined {
  const known = (name: string) => all.find((one) => one.name === name)?.description || name;
  if (part === 'locations') return (value as readonly string[]).map(known).join('\n');
  const indented = (node: Node) => `${'  '.repeat(node.depth)}${linkName(node)}`;
  return part === 'links' ? (value as unknown as Tree).map(indented).join('\n') : undefined;
}

function nodeOf(item: MenuItem): Omit<Node, 'depth'> {
  const { id, title, type, object, object_id, url, description } = item;
  return { id, title: title.raw ?? '', target: plain(title.rendered), type, object, object_id, url, description };
}

/**
 * New ones first, so that what is below them can name them; then what has changed; then what is gone.
 *
 * @param etag  of the menu, as it is to be
 * @throws ApiError 412 when somebody else is at it, too
 */
async function saveTree(
  menu: number,
  tree: Tree,
  stored: readonly MenuItem[],
  etag: string,
  made: (from: number, id: number) => void,
): Promise<void> {
  // All are in one file: each write makes the state of the next one.
  let state = etag;
  const seen = () => ({ 'If-Match': state });
  const ids = new Map<number, number>();
  const parents = parentsOf(tree);
  for (const [at, node] of tree.entries()) {
    const parent = parents[at] ?? 0;
    const place = { parent: ids.get(parent) ?? parent, menu_order: at + 1 };
    const { title, description, url, type, object, object_id } = node;
    if (node.id < 0) {
      const target = type === 'custom' ? { url } : { object, object_id };
      const body = { menus: menu, status: 'publish', type, title, description, ...target, ...place };
      const { data, headers } = await ask<MenuItem>(`${namespace}/menu-items`, { method: 'POST', body });
      const { id } = data;
      state = headers.get('ETag') ?? '';
      ids.set(node.id, id);
      made(node.id, id);
      continue;
    }
    const before = stored.find(({ id }) => id === node.id);
    const wanted: Readonly<Record<string, unknown>> = {
      title,
      description,
      ...place,
      ...(type === 'custom' ? { url } : {}),
    };
    const known: Readonly<Record<string, unknown>> = { ...before, title: before?.title.raw };
    const changes = Object.entries(wanted).filter(([name, value]) => known[name] !== value);
    if (changes.length === 0) continue;
    const body = Object.fromEntries(changes);
    const { headers } = await ask(`${namespace}/menu-items/${node.id}`, { method: 'POST', body, headers: seen() });
    state = headers.get('ETag') ?? '';
  }
  for (const { id } of stored) {
    if (tree.some((node) => node.id === id)) continue;
    await ask(`${namespace}/menu-items/${id}`, { method: 'DELETE', query: { force: 'true' }, headers: seen() });
    state = (await ask(`${namespace}/menus/${menu}`, { method: 'HEAD' })).headers.get('ETag') ?? '';
  }
}

interface LinksProps {
  readonly tree: Tree;
  onChange(tree: Tree, sentence: string): void;
  onSet(at: number, values: Partial<Node>): void;
}

function Links({ tree, onChange, onSet }: LinksProps) {
  const own = useId();
  const list = useRef<HTMLOListElement>(null);
  /** While a pointer drags: which, and before which it would be. */
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const names: Readonly<Record<Move, string>> = {
    up: say('Move up'),
    down: say('Move down'),
    in: say('Move under the previous'),
    out: say('Move out'),
  };
  const move = (at: number, way: Move): void => {
    const next = moved(tree, at, way);
    const node = tree[at] as Node;
    if (next) onChange(next, say('{name}: link {at} of {count}, level {level}.', placeIn(next, node)));
  };
  const placeIn = (next: Tree, { id }: Node) => {
    const at = next.findIndex((one) => one.id === id);
    const node = next[at] as Node;
    return { name: linkName(node), at: at + 1, count: next.length, level: node.depth + 1 };
  };
  const under = (y: number): number =>
    [...(list.current?.children ?? [])].findIndex((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return y >= top && y < bottom;
    });
  return (
    <ol class="tree" ref={list}>
      {tree.map((node, at) => (
        <li key={node.id} data-depth={Math.min(node.depth, 4)} class={drag && drag.to === at && drag.from !== at ? 'target' : ''}>
          <div class="row">
            {/* By pointer alone; the buttons do the same for everybody. */}
            <span
              class="handle button"
              aria-hidden="true"
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDrag({ from: at, to: at });
              }}
              onPointerMove={({ clientY }) => {
                const to = under(clientY);
                if (drag && to >= 0 && to !== drag.to) setDrag({ ...drag, to });
              }}
              onPointerCancel={() => setDrag(null)}
              onPointerUp={() => {
                setDrag(null);
                const next = drag && movedBefore(tree, drag.from, drag.to);
                if (next) onChange(next, say('{name}: link {at} of {count}, level {level}.', placeIn(next, node)));
              }}
            >
              <span class="sign" data-sign="⠿" />
            </span>
            <span class="name" dir="auto">
              {linkName(node)}
            </span>
            {(['up', 'down', 'in', 'out'] as const).map((way) => (
              <Button
                key={way}
                title={names[way]}
                aria-label={`${names[way]}: ${linkName(node)}`}
                isOff={moved(tree, at, way) === null}
                onClick={() => move(at, way)}
              >
                <span class="sign" data-sign={{ up: '↑', down: '↓', in: '⇥', out: '⇤' }[way]} />
              </Button>
            ))}
          </div>
          <details>
            <summary>{say('Text and description of {name}', { name: linkName(node) })}</summary>
            <div class="field">
              <label for={`${own}t${node.id}`}>{say('Link text')}</label>
              <input
                id={`${own}t${node.id}`}
                dir="auto"
                value={node.title}
                placeholder={node.target}
                onInput={({ currentTarget }) => onSet(at, { title: currentTarget.value })}
              />
              {node.type === 'custom' && (
                <>
                  <label for={`${own}u${node.id}`}>{say('Link address')}</label>
                  <input
                    id={`${own}u${node.id}`}
                    dir="ltr"
                    value={node.url}
                    onInput={({ currentTarget }) => onSet(at, { url: currentTarget.value })}
                  />
                </>
              )}
              <label for={`${own}d${node.id}`}>{say('Description')}</label>
              <textarea
                id={`${own}d${node.id}`}
                dir="auto"
                rows={2}
                value={node.description}
                onInput={({ currentTarget }) => onSet(at, { description: currentTarget.value })}
              />
              <button
                type="button"
                class="danger"
                onClick={() => {
                  onChange(without(tree, at), say('{name} was removed from the menu.', { name: linkName(node) }));
                  document.getElementById('content')?.focus();
                }}
              >
                {say('Remove {name}', { name: linkName(node) })}
              </button>
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function AddLinks({ site, onAdd }: { site: Site; onAdd: (node: Node) => void }) {
  const id = useId();
  const count = useRef(0);
  const [kind, setKind] = useState('');
  const [link, setLink] = useState({ url: '', title: '' });
  const kinds = [
    ...site.types.filter(({ viewable }) => viewable !== false).map((one) => ({ ...one, family: 'post_type' })),
    ...Object.values(site.taxonomies)
      .filter(({ slug }) => !slug.startsWith('cms_') && slug !== 'nav_menu')
      .map((one) => ({ ...one, family: 'taxonomy' })),
  ];
  const chosen = kinds.find(({ slug }) => slug === kind) ?? null;
  const fresh = (): Node => {
    count.current++;
    return {
      ...{ id: -count.current, depth: 0, title: '', target: '', type: 'custom', object: 'custom', object_id: 0 },
      ...{ url: '', description: '' },
    };
  };
  return (
    <fieldset>
      <legend>{say('Add a link')}</legend>
      <label for={`${id}k`}>{say('Links to')}</label>
      <select id={`${id}k`} value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
        <option value="">{fieldName('slug')}</option>
        {kinds.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {say(name)}
          </option>
        ))}
      </select>
      {chosen ? (
        <Picker
          key={chosen.slug}
          label={say(chosen.name)}
          routes={routesOf([chosen.slug], kinds)}
          ids={[]}
          onChange={([object_id = 0], name = '') =>
            onAdd({ ...fresh(), type: chosen.family, object: chosen.slug, object_id, target: name })
          }
        />
      ) : (
        <form
          class="facts"
          onSubmit={(event) => {
            event.preventDefault();
            onAdd({ ...fresh(), ...link });
            setLink({ url: '', title: '' });
          }}
        >
          <label for={`${id}a`}>{say('Link address')}</label>
          <input
            id={`${id}a`}
            dir="ltr"
            required
            value={link.url}
            onInput={({ currentTarget }) => setLink({ ...link, url: currentTarget.value })}
          />
          <label for={`${id}x`}>{say('Link text')}</label>
          <input
            id={`${id}x`}
            dir="auto"
            required
            value={link.title}
            onInput={({ currentTarget }) => setLink({ ...link, title: currentTarget.value })}
          />
          <button type="submit">{say('Add')}</button>
        </form>
      )}
    </fieldset>
  );
}
