/** What tests ask of a page inside a browser: each function goes there as text, and knows nothing from outside itself. */

/** @returns {string[]} */
export function faults() {
  const faults = [];
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (from) => {
    for (let at = from; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const { documentElement } = document;
  if (documentElement.scrollWidth > innerWidth) faults.push('it is wider than the screen');
  if (documentElement.lang === '') faults.push('its language is not said');
  if (document.querySelectorAll('h1').length !== 1) faults.push('it has not one heading');
  if (document.querySelectorAll('script:not([src="/cms-admin/passkeys.js"])').length > 0) faults.push('it has a script');
  for (const one of document.querySelectorAll('main *')) {
    const { color, borderTopColor } = getComputedStyle(one);
    const says = one.textContent?.trim().slice(0, 40);
    if (says && contrast(color, ground(one)) < 4.5) faults.push(`"${says}" is too pale`);
    if (!one.matches('input:not([type=hidden], [hidden]), button')) continue;
    const name = one.id || says;
    // What belongs to a label is touched by it.
    const { height, width } = (one.type === 'checkbox' ? one.closest('label') : one).getBoundingClientRect();
    if (height < 44 || width < 44) faults.push(`"${name}" is too small to touch`);
    if (contrast(borderTopColor, ground(one.parentElement)) < 3) faults.push(`"${name}" is hard to tell from the ground`);
    if (one.matches('input') && !one.labels?.length) faults.push(`"${name}" has no label`);
  }
  return faults;
}

/** Lets the form of the page lead elsewhere. */
export function leadAway(address) {
  document.querySelector('form').action = address;
}

/** @returns {Promise<{ named: number, unnamed: number }>} */
export async function askAsEditor() {
  const { root, nonce } = await (await fetch('/cms-admin/api-settings.json')).json();
  const ask = (headers) => fetch(`${new URL(root).pathname}cms/v2/users/me`, { headers });
  const { id } = await (await ask({ 'X-CMS-Nonce': nonce })).json();
  return { named: id, unnamed: (await ask({})).status };
}

/** @returns {{ name: string, isSeen: boolean } | null} */
export function focused() {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const name = one.labels?.[0]?.textContent ?? one.textContent ?? '';
  return { name: name.trim(), isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 };
}

/**
 * Puts each text into the page as a front end does, and lets what is in it act.
 * @param {readonly string[]} texts
 * @returns {Promise<string[]>} what would run, in words
 */
export async function showAll(texts) {
  const found = [];
  const isRunning = (address) =>
    /^(?:javascript:|vbscript:|data:text\/html|data:image\/svg)/.test(address.replace(/[\s\p{C}]/gu, '').toLowerCase());
  const look = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.localName === 'script' && one.type !== 'application/ld+json') found.push(one.outerHTML);
      for (const { name, value } of one.attributes)
        if (/^on/.test(name) || name === 'srcdoc' || isRunning(value)) found.push(one.outerHTML.slice(0, 200));
      if (one.content instanceof DocumentFragment) look(one.content);
    }
  };
  for (const text of texts) {
    look(new DOMParser().parseFromString(text, 'text/html'));
    const place = document.createElement('div');
    document.body.append(place);
    place.innerHTML = text;
    for (const one of place.querySelectorAll('a, button, [tabindex], input'))
      for (const event of ['mouseover', 'focus', 'pointerenter']) one.dispatchEvent(new Event(event, { bubbles: true }));
  }
  await new Promise((done) => setTimeout(done, 300));
  return found;
}

/** Computed styles of the first element that a selector finds. */
export function computed([selector, names]) {
  const style = getComputedStyle(document.querySelector(selector));
  return names.map((name) => style.getPropertyValue(name));
}

/** Where the elements stand that a selector finds: [left, top, width]. */
export function boxes(selector) {
  return [...document.querySelectorAll(selector)].map((element) => {
    const { left, top, width } = element.getBoundingClientRect();
    return [left, top, width].map(Math.round);
  });
}
