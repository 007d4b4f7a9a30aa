// Creates DOM elements in a shorter notation.

type Tag = keyof HTMLElementTagNameMap;
type Child = Node | string;

/** Creates an element. Attributes are given by name; `true` sets an empty attribute, `false` sets none. */
export function element<T extends Tag>(tag: T, attributes: Readonly<Record<string, string | boolean>> = {}, ...children: Child[]): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value === true ? '' : value);
  made.append(...children);
  return made;
}

/** Sets a text. Keeps an equal text unchanged, so that screen readers do not repeat it. */
export function setText(target: Node, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export function button(label: string, attributes: Readonly<Record<string, string | boolean>>, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}
