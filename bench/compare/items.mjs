/** Item by item: what a source holds beside what the interface answers. */

/** Statuses that mean another here, as `docs/import.md` has them. */
const approvals = new Map([
  ['1', 'approved'],
  ['approve', 'approved'],
  ['0', 'hold'],
  ['hold', 'hold'],
  ['spam', 'spam'],
  ['trash', 'trash'],
  ['post-trashed', 'trash'],
]);

/** Types of a source that become no items. */
const ofThemes = new Set(['nav_menu', 'post_format', 'wp_theme', 'wp_template_part_area', 'wp_pattern_category']);
const passed = new Set(['revision', 'customize_changeset', 'oembed_cache', 'user_request', 'wp_global_styles']);

/**
 * @param held      what `readWxr` or `readFolder` found
 * @param answered  `{items, terms, comments, taxonomies, users}` of the interface
 * @returns  a row for each thing that is compared: `{what, held, same, differ, first}`
 */
export function compare(held, answered) {
  const rows = new Map();
  const note = (what, place, wanted, got) => {
    const row = rows.get(what) ?? { what, held: 0, same: 0, differ: 0, first: [] };
    rows.set(what, row);
    row.held++;
    if (wanted === got) row.same++;
    else {
      row.differ++;
      row.first.push(`${place}: ${difference(wanted, got)}`);
    }
  };
  const items = held.items.filter(({ type }) => type !== 'nav_menu_item' && !passed.has(type));
  const pairs = pair(items, answered.items);
  comparePosts(held, answered, pairs, note);
  compareTerms(held, answered, note);
  for (const { login, name, description } of held.users) {
    const user = answered.users.find((one) => one.username === login || one.slug === login.toLowerCase());
    note('users', login, true, user !== undefined);
    if (!user) continue;
    note('users: name', login, name, user.name);
    note('users: description', login, even(description), even(user.description));
  }
  compareComments(held, answered, pairs, note);
  compareMenus(held, answered, pairs, note);
  return [...rows.values()];
}

/** Each item of the source and what answers for it: by id, else by type and slug. */
function pair(items, answered) {
  const found = new Map();
  const left = new Set(answered);
  for (const item of items) {
    const one =
      answered.find(({ id, type }) => id === item.id && type === item.type) ??
      [...left].find(({ type, slug }) => type === item.type && decoded(slug) === decoded(item.slug)) ??
      [...left].find(({ type, title }) => type === item.type && title?.raw === item.title);
    if (one) {
      found.set(item, one);
      left.delete(one);
    }
  }
  return found;
}

/** Menu items by id, and those whose id another had first by menu and place in it. */
function pairLinks(held, answered, terms) {
  const links = answered.filter(({ type }) => type === 'nav_menu_item');
  const menuOf = ({ menus }) => terms.find(({ id, taxonomy }) => id === menus && taxonomy === 'nav_menu')?.slug;
  const left = new Set(links);
  const found = new Map();
  for (const item of held) {
    if (item.type !== 'nav_menu_item') continue;
    const menu = item.terms.find(({ taxonomy }) => taxonomy === 'nav_menu')?.slug;
    const isHere = (one) => menuOf(one) === menu;
    const one =
      links.find((link) => left.has(link) && link.id === item.id && isHere(link)) ??
      links.find((link) => left.has(link) && isHere(link) && link.menu_order === item.order);
    if (one) found.set(item, one);
    left.delete(one);
  }
  return found;
}

function comparePosts(held, { terms, taxonomies, users }, pairs, note) {
  const bases = new Map(taxonomies.map(({ slug, rest_base: base }) => [slug, base]));
  const authors = new Map(users.map(({ id, username, slug }) => [id, username ?? slug]));
  const byId = new Map(held.items.map((item) => [item.id, item]));
  const answeredAs = (id) => (id > 0 && byId.has(id) ? (pairs.get(byId.get(id))?.id ?? 0) : 0);
  for (const item of held.items) {
    if (item.type === 'nav_menu_item' || passed.has(item.type)) continue;
    const place = `${item.place} ${item.type} ${shown(item.title ?? item.slug)}`;
    const kind = `${item.type}s`;
    const one = pairs.get(item);
    note(kind, place, true, one !== undefined);
    if (!one) continue;
    const isMedia = item.type === 'attachment';
    if (item.title !== null) note(`${kind}: title`, place, even(item.title), even(one.title.raw));
    const isSecond = pairsBefore(held.items, item);
    if (item.slug !== '')
      note(`${kind}: slug`, place, decoded(item.slug), isSecond ? decoded(one.slug).replace(/-\d+$/, '') : decoded(one.slug));
    note(`${kind}: status`, place, isMedia ? 'inherit' : item.status, one.status);
    if (item.date !== null) note(`${kind}: date`, place, momentOf(item.date, one.date), one.date);
    if (item.author !== null && item.author !== '') note(`${kind}: author`, place, item.author, authors.get(one.author));
    if (item.parent !== undefined) note(`${kind}: parent`, place, answeredAs(item.parent), one.parent ?? one.post ?? 0);
    if (item.order !== undefined && one.menu_order !== undefined) note(`${kind}: order`, place, item.order, one.menu_order);
    if (item.sticky) note(`${kind}: sticky`, place, true, one.sticky);
    if (item.password) note(`${kind}: password`, place, item.password, one.password);
    if (item.comments && one.comment_status) note(`${kind}: comments open`, place, item.comments, one.comment_status);
    if (item.pings && one.ping_status) note(`${kind}: pings open`, place, item.pings, one.ping_status);
    if (item.picture) note(`${kind}: picture`, place, answeredAs(item.picture), one.featured_media);
    if (item.guid && one.guid) note(`${kind}: guid`, place, item.guid, one.guid.raw);
    if (item.language) note(`${kind}: language`, place, item.language, one.lang);
    if (item.group) note(`${kind}: translations`, place, groupOf(held.items, item, answeredAs), groupNow(one));
    if (isMedia) {
      note(`${kind}: alternative text`, place, even(item.alt), even(one.alt_text));
      note(`${kind}: caption`, place, text(item.excerpt, held), text(one.caption?.raw, held));
      note(`${kind}: description`, place, text(item.content, held), text(one.description?.raw, held));
    } else {
      if (item.excerpt !== null) note(`${kind}: excerpt`, place, text(item.excerpt, held), text(one.excerpt?.raw, held));
      const wanted = moved(text(item.content, held), held, pairs);
      const got = text(one.content?.raw, held);
      if (isProgram.test(item.content)) note(`${kind}: content beside tags`, place, '', missing(wanted, got));
      else note(`${kind}: content`, place, inFolder(wanted, held), inFolder(got, held));
    }
    for (const { taxonomy, slug, name } of item.terms) {
      if (taxonomy === 'post_format') {
        note(`${kind}: format`, place, slug.replace('post-format-', ''), one.format);
        continue;
      }
      const ids = one[bases.get(taxonomy)] ?? [];
      const has = terms.some(
        (term) =>
          term.taxonomy === taxonomy &&
          ids.includes(term.id) &&
          (slug === undefined ? term.name === name : decoded(term.slug) === decoded(slug)),
      );
      note(`${kind}: terms`, `${place} ${taxonomy} ${slug ?? name}`, true, has);
    }
  }
}

/** Ids of an item in all languages, as the source groups them, and as they are answered. */
function groupOf(items, { type, group }, answeredAs) {
  const members = items.filter((one) => one.type === type && one.group === group);
  return members
    .map(({ id }) => answeredAs(id))
    .sort()
    .join();
}

function groupNow({ translations = {} }) {
  return Object.values(translations).sort().join();
}

/** Whether an item before this one has its slug, so that this one gets a number. */
function pairsBefore(items, item) {
  return items.findIndex(({ type, slug }) => type === item.type && slug === item.slug) !== items.indexOf(item);
}

function compareTerms(held, { terms }, note) {
  for (const { taxonomy, slug, name, parent, description } of held.terms) {
    if (ofThemes.has(taxonomy)) continue;
    const place = `${taxonomy} ${slug}`;
    const find = (wanted) => terms.find((term) => term.taxonomy === taxonomy && decoded(term.slug) === decoded(wanted));
    const one = find(slug);
    note('terms', place, true, one !== undefined);
    if (!one) continue;
    note('terms: name', place, even(name), even(one.name));
    note('terms: description', place, even(description), even(one.description));
    note('terms: parent', place, parent === '' ? 0 : (find(parent)?.id ?? -1), one.parent ?? 0);
  }
}

function compareComments(held, { comments }, pairs, note) {
  for (const item of held.items) {
    for (const remark of item.remarks) {
      const place = `comment ${remark.id} of ${item.place}`;
      const one = comments.find(({ id }) => id === remark.id);
      note('comments', place, true, one !== undefined);
      if (!one) continue;
      note('comments: post', place, pairs.get(item)?.id, one.post);
      note('comments: status', place, approvals.get(remark.approved), one.status);
      note('comments: author', place, even(remark.author), even(one.author_name));
      note('comments: date', place, momentOf(remark.date, one.date), one.date);
      note('comments: parent', place, remark.parent, one.parent);
      note('comments: content', place, text(remark.content, held), text(one.content.raw, held));
      note('comments: type', place, remark.type || 'comment', one.type);
    }
  }
}

function compareMenus(held, { items, terms }, pairs, note) {
  const byId = new Map(held.items.map((item) => [item.id, item]));
  const menus = new Set();
  const links = pairLinks(held.items, items, terms);
  const parentOf = ({ link, terms: of }) => {
    // Where two have one id, the one of the same menu is meant.
    const found = held.items.filter(({ type, id }) => type === 'nav_menu_item' && id === link.parent);
    const menu = of.find(({ taxonomy }) => taxonomy === 'nav_menu')?.slug;
    const above = found.find(({ terms: other }) => other.some(({ slug }) => slug === menu)) ?? found[0];
    return above === undefined ? 0 : (links.get(above)?.id ?? 0);
  };
  const termNow = ({ target, object }) => {
    const term = held.terms.find((one) => one.id === target && one.taxonomy === object);
    return terms.find(({ taxonomy, slug }) => taxonomy === term?.taxonomy && decoded(slug) === decoded(term?.slug))?.id;
  };
  for (const item of held.items) {
    if (item.type !== 'nav_menu_item') continue;
    const menu = item.terms.find(({ taxonomy }) => taxonomy === 'nav_menu');
    const place = `${item.place} menu item of ${shown(menu?.name)}`;
    if (menu) menus.add(menu.slug);
    const one = links.get(item);
    note('menu items', place, true, one !== undefined);
    if (!one) continue;
    note('menu items: title', place, even(item.title), even(item.title === '' ? '' : one.title.raw));
    note('menu items: order', place, item.order, one.menu_order);
    note('menu items: parent', place, parentOf(item), one.parent);
    if (item.link.type === 'custom') note('menu items: address', place, local(item.link.url, held), local(one.url, held));
    if (item.link.type === 'post_type')
      note('menu items: target', place, pairs.get(byId.get(item.link.target))?.id, one.object_id);
    if (item.link.type === 'taxonomy') note('menu items: target', place, termNow(item.link), one.object_id);
    if (menu) note('menu items: menu', place, menu.slug, terms.find(({ id }) => id === one.menus)?.slug);
  }
  for (const slug of menus)
    note(
      'menus',
      slug,
      true,
      terms.some((term) => term.taxonomy === 'nav_menu' && term.slug === slug),
    );
}

// --- what does not count ---

/** White space at ends, and kinds of line ends. */
function even(value) {
  return String(value ?? '')
    .replace(/\r\n?/g, '\n')
    .trim();
}

/** A text whose links to the old site are links to this one, spelled as the interface spells blocks. */
function text(value, held) {
  return local(even(value), held).replaceAll('<!-- cms:', '<!-- wp:').replaceAll('<!-- /cms:', '<!-- /wp:');
}

/** Tags and programs of generators, which an import resolves or leaves. */
const isProgram = /\{[{%]|^import\s/m;

/** The first line without such a tag that is not in the answer; '' where all are. */
function missing(wanted, got) {
  const has = new Set(got.split('\n').map((line) => line.trim()));
  return wanted.split('\n').find((line) => !isProgram.test(line) && !has.has(line.trim())) ?? '';
}

/** Of relative addresses of files their names: the import says where they are. */
function inFolder(value, { format }) {
  return format === 'wxr'
    ? value
    : value.replace(/(?:\.{0,2}\/)?(?:[\w.-]+\/)+([\w.-]+\.(?:png|jpe?g|gif|svg|webp|avif|md))/g, '$1');
}

/** A text whose links to items are their addresses now. */
function moved(value, held, pairs) {
  let text = value;
  for (const [item, one] of pairs) {
    const [before, now] = [local(item.address, held), local(one.link, held)];
    if (before === '' || before === now) continue;
    for (const written of [before, before.replace(/\/$/, '')]) text = text.replaceAll(`"${written}"`, `"${now}"`);
  }
  return text;
}

/** Addresses of the old site and of the new one without their hosts; its files below one folder; its items by what they are. */
function local(value, held) {
  let text = String(value ?? '');
  for (const [from, to] of addressesOf(held)) text = text.replaceAll(from, to);
  return text;
}

const known = new WeakMap();

/** What stands for what in texts, longest first. */
function addressesOf(held) {
  const before = known.get(held);
  if (before) return before;
  const { home, items } = held;
  const bare = (address) => address.replace(/^https?:\/\/(?:www\.)?/, '');
  const pairs = new Map();
  const add = (host, to) => {
    for (const scheme of ['https://', 'http://', 'https://www.', 'http://www.']) pairs.set(scheme + host, to);
  };
  for (const { file = '' } of items) {
    const [, root] = /^(https?:\/\/.+?)\/\d{4}\/\d\d\//.exec(file) ?? [];
    if (root) add(bare(root), '/uploads');
  }
  if (home !== '') {
    add(`${bare(home)}/wp-content/uploads`, '/uploads');
    add(bare(home), '');
  }
  add('new.example', '');
  const all = [...pairs].sort(([one], [other]) => other.length - one.length);
  known.set(held, all);
  return all;
}

function decoded(slug) {
  try {
    return decodeURIComponent(slug ?? '').toLowerCase();
  } catch {
    return String(slug ?? '').toLowerCase();
  }
}

/** A date in the form and to the precision that both have. */
function momentOf(date, got) {
  const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d))?/.exec(date);
  if (form) return form[2] === undefined ? form[1] + String(got).slice(10) : `${form[1]}T${form[2]}`;
  const parsed = new Date(`${date} UTC`);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toISOString().slice(0, 10) + String(got).slice(10);
}

/** Both, from shortly before the place where they part. */
function difference(wanted, got) {
  if (typeof wanted !== 'string' || typeof got !== 'string' || wanted.length < 100) return `${shown(wanted)} is ${shown(got)}`;
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at++;
  const from = Math.max(0, at - 30);
  return `${shown(wanted.slice(from, from + 110))} is ${shown(got.slice(from, from + 110))}`;
}

function shown(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
