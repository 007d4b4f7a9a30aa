// Translates the texts of the page. The English sentence is the message id and is looked up when the text is shown.
import { createElement, Fragment, type ReactNode } from 'react';

/**
 * Translations for one language by English sentence. A sentence with a number has a text for each plural form of `Intl.PluralRules`, listed under the English
 * singular; `other` is always present.
 */
export type Messages = Readonly<Record<string, Message>>;
export type Message = string | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string });

interface InUse {
  /** BCP 47: `de`, `zh-Hans`, with the browser's region if there is one. */
  readonly locale: string;
  readonly messages: ReadonlyMap<string, Message>;
  readonly plurals: Intl.PluralRules;
}

const english: InUse = { locale: 'en', messages: new Map(), plurals: new Intl.PluralRules('en') };
// Global to the page, because texts are looked up everywhere and change together.
let inUse = english;

/** Sets the language of the page; `undefined` means English. The caller must rerender displayed texts. */
export function speak(language?: { readonly locale: string; readonly messages: Messages }): void {
  if (!language) inUse = english;
  else inUse = { locale: language.locale, messages: new Map(Object.entries(language.messages)), plurals: new Intl.PluralRules(language.locale) };
}

/** Returns the locale for dates, numbers and lists. */
export const localeNow = (): string => inUse.locale;

/**
 * Translates a sentence; English if there is no translation.
 * @param id the English sentence, with `{name}` as placeholder. Text after `##` distinguishes equal sentences and is not shown
 */
export function t(id: string, values?: Readonly<Record<string, string | number>>): string {
  const text = textOf(id, inUse.messages.get(id));
  return values ? fill(text, values) : text;
}

/** Translates a sentence that contains a number as `{count}`. @param one the English singular @param many the English plural, also used for zero */
export function tn(count: number, one: string, many: string, values?: Readonly<Record<string, string | number>>): string {
  const message = inUse.messages.get(one);
  const form =
    message === undefined ? (count === 1 ? one : many) : typeof message === 'string' ? message : (message[inUse.plurals.select(count)] ?? message.other);
  return fill(form, { count: new Intl.NumberFormat(inUse.locale).format(count), ...values });
}

/** Like {@link t}, with elements as values, such as a link or a key. */
export function tx(id: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = textOf(id, inUse.messages.get(id)).split(placeholder);
  return parts.map((part, at) => (at % 2 === 0 ? part : createElement(Fragment, { key: at }, values[part])));
}

/**
 * Returns a table of English texts that are translated on each read: all texts in the table itself, in its lists, and in the given fields of its objects.
 * Examples: `{ ok: 'Done' }`, `[{ name: 'dark', label: 'Dark' }]`.
 * @param fields names of the translated fields; default: {@link readFields}
 */
export function table<const T extends object>(words: T, ...fields: readonly string[]): T {
  return lookedUp(words, 0, fields.length > 0 ? fields : readFields) as T;
}

const readFields = ['title', 'label', 'text', 'what', 'hint', 'about', 'does', 'stays', 'description', 'prompt'];

function lookedUp(value: object, depth: number, fields: readonly string[]): object {
  const isList = Array.isArray(value);
  // React components and icons are not tables.
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
