// The words of the page: the English sentence is the name of a message, and what stands for it in the language in use is looked up as it is shown.
import { createElement, Fragment, type ReactNode } from 'react';

/**
 * What stands for the English sentences in one language. A sentence with a number has a text for each form that `Intl.PluralRules` tells apart
 * there, under the English sentence for one; `other` is always there.
 */
export type Messages = Readonly<Record<string, Message>>;
export type Message = string | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string });

interface InUse {
  /** BCP 47: `de`, `zh-Hans`, with the region where the browser names one. */
  readonly locale: string;
  readonly messages: ReadonlyMap<string, Message>;
  readonly plurals: Intl.PluralRules;
}

const english: InUse = { locale: 'en', messages: new Map(), plurals: new Intl.PluralRules('en') };
// One for the page: a sentence is asked for wherever one is shown, and all of them change together.
let inUse = english;

/** From now on the page speaks this language; `undefined`: English. Whatever is shown already is drawn anew by whoever calls. */
export function speak(language?: { readonly locale: string; readonly messages: Messages }): void {
  if (!language) inUse = english;
  else inUse = { locale: language.locale, messages: new Map(Object.entries(language.messages)), plurals: new Intl.PluralRules(language.locale) };
}

/** What dates, numbers and lists are written by. */
export const localeNow = (): string => inUse.locale;

/**
 * A sentence in the language of the page; English where that has none for it.
 * @param id the English sentence, with `{name}` where a value stands. What follows `##` tells two of the same words apart and is not shown
 */
export function t(id: string, values?: Readonly<Record<string, string | number>>): string {
  const text = textOf(id, inUse.messages.get(id));
  return values ? fill(text, values) : text;
}

/** A sentence with a number, which stands in it as `{count}`. @param one the English sentence for one @param many for more and for none */
export function tn(count: number, one: string, many: string, values?: Readonly<Record<string, string | number>>): string {
  const message = inUse.messages.get(one);
  const form =
    message === undefined ? (count === 1 ? one : many) : typeof message === 'string' ? message : (message[inUse.plurals.select(count)] ?? message.other);
  return fill(form, { count: new Intl.NumberFormat(inUse.locale).format(count), ...values });
}

/** As {@link t}, with elements for values: a link, a key. */
export function tx(id: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = textOf(id, inUse.messages.get(id)).split(placeholder);
  return parts.map((part, at) => (at % 2 === 0 ? part : createElement(Fragment, { key: at }, values[part])));
}

/**
 * English words that a module keeps in a table, looked up whenever one is read: all texts of the table itself and of lists in it, and of objects in
 * it those fields. `{ ok: 'Done' }`, `[{ name: 'dark', label: 'Dark' }]`.
 * @param fields left out: {@link readFields}
 */
export function table<const T extends object>(words: T, ...fields: readonly string[]): T {
  return lookedUp(words, 0, fields.length > 0 ? fields : readFields) as T;
}

const readFields = ['title', 'label', 'text', 'what', 'hint', 'about', 'does', 'stays', 'description', 'prompt'];

function lookedUp(value: object, depth: number, fields: readonly string[]): object {
  const isList = Array.isArray(value);
  // A component or an icon is no table.
  if (!isList && (Object.getPrototypeOf(value) !== Object.prototype || '$$typeof' in value)) return value;
  const made: object = isList ? [] : {};
  for (const [key, one] of Object.entries(value) as [string, unknown][]) {
    const isRead = typeof one === 'string' && (depth === 0 || (isList && depth === 1) || fields.includes(key));
    if (isRead) Object.defineProperty(made, key, { enumerable: true, get: () => t(one) });
    else Object.assign(made, { [key]: one instanceof Object ? lookedUp(one, depth + 1, fields) : one });
  }
  return made;
}

const placeholder = /\{(\w+)\}/g;

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(placeholder, (whole, name: string) => String(values[name] ?? whole));
}

function textOf(id: string, message: Message | undefined): string {
  if (typeof message === 'string') return message;
  const [text = ''] = message ? [message.other] : id.split('##', 1);
  return text;
}
