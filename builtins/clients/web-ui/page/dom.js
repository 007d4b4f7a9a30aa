// Making elements. Text always goes in as text, never as HTML.

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] `on…` are listeners, `data-…`, `aria-…`, `for` and `role` attributes, the rest properties
 * @param {...(Node | string | null | undefined)} children
 * @returns {any} the element; typed loosely on purpose
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (/^(?:data-|aria-|role$|for$)/.test(name)) element.setAttribute(name, value);
    else Object.assign(element, { [name]: value });
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element '${id}'.`);
  return element;
}

/** @param {unknown} value @returns {string} */
export function asText(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
