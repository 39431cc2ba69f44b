/** What tests ask of the reference page, in the page. */

/** @param ids  of entries; a number: so many of the first */
export function open(ids) {
  const all = [...document.querySelectorAll('details')];
  for (const one of typeof ids === 'number' ? all.slice(0, ids) : all.filter(({ id }) => ids.includes(id))) one.open = true;
}

export function state() {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const links = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1));
  return {
    fits: document.documentElement.scrollWidth <= innerWidth,
    background: getComputedStyle(document.body).backgroundColor,
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    lost: links.filter((id) => !ids.includes(id)),
  };
}

/** What axe-core finds, in words; it has been put into the page. */
export async function findings() {
  const { violations } = await globalThis.axe.run();
  return violations.map((one) => `${one.id}: ${one.nodes[0].html}`);
}
