// Selects the language of the page: the one chosen on this device, otherwise the browser's first language that is available.
import { withLatinDigits } from './page/format.ts';
import { speak, type Messages } from './t.ts';
import { createValue } from './value-store.ts';

/** Loads the messages of each language except English, by tag: `de`, `zh`. */
export type Catalogues = Readonly<Record<string, () => Promise<Messages>>>;
/** Loads translations of the server's plugins. Rejects if the server does not respond soon. */
export type AddedMessages = (language: string) => Promise<Messages>;

const key = 'language';
let known: Catalogues = {};
let added: AddedMessages = async () => ({});
let isJustChosen = false;

/** Holds the tag of the current language. Components that show text rerender when it changes. */
export const language = createValue('en');

/** Returns the language chosen on this device; `undefined` for the browser's language. */
export const chosenLanguage = (): string | undefined => localStorage.getItem(key) ?? undefined;

/** Returns the built-in languages; excludes languages that only plugins provide. */
export const stockLanguages = (): readonly string[] => ['en', ...Object.keys(known)];

/** Returns the native name of a language: `Deutsch`. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Returns the first requested language that is available, with the requested region. Pure. */
export function matchLanguage(wanted: readonly string[], there: readonly string[]): { readonly tag: string; readonly locale: string } {
  for (const locale of wanted) {
    const tag = there.find((one) => one === locale) ?? there.find((one) => one === locale.split('-', 1)[0]);
    // Dates and numbers in English have the same format in every region.
    if (tag !== undefined) return { tag, locale: tag === 'en' ? tag : locale };
  }
  return { tag: 'en', locale: 'en' };
}

/** Selects the language and loads its messages. Resolves when the first rendering may start. */
export async function startLanguage(catalogues: Catalogues, addedMessages: AddedMessages): Promise<void> {
  known = catalogues;
  added = addedMessages;
  await put();
}

/** @param tag `undefined` for the browser's language. The choice is stored on this device. */
export async function chooseLanguage(tag: string | undefined): Promise<void> {
  if (tag === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, tag);
  isJustChosen = true;
  await put();
}

/** Returns whether the language was just changed; the rerendered control then restores the focus. Returns true only once. */
export function wasJustChosen(): boolean {
  const was = isJustChosen;
  isJustChosen = false;
  return was;
}

async function put(): Promise<void> {
  const chosen = chosenLanguage();
  const { tag, locale } = chosen === undefined ? matchLanguage(navigator.languages, stockLanguages()) : ownLocale(chosen);
  // If a language cannot be loaded, English is used, with a notice.
  const messages = tag === 'en' ? undefined : await load(tag);
  speak(messages && { locale: withLatinDigits(locale), messages });
  const spoken = messages ? tag : 'en';
  const { documentElement } = document;
  documentElement.lang = messages ? locale : 'en';
  documentElement.dir = isRightToLeft(spoken) ? 'rtl' : 'ltr';
  language.set(spoken);
}

/** Returns the locale of a chosen language, with the browser's region for it. */
function ownLocale(tag: string): { readonly tag: string; readonly locale: string } {
  const [found] = navigator.languages.filter((one) => one.split('-', 1)[0] === tag && tag !== 'en');
  return { tag, locale: found ?? tag };
}

async function load(tag: string): Promise<Messages | undefined> {
  const [stock, ofPlugins] = await Promise.all([known[tag]?.().catch(() => undefined), added(tag).catch(() => ({}))]);
  return stock || Object.keys(ofPlugins).length > 0 ? { ...stock, ...ofPlugins } : undefined;
}

/** Returns whether a language is written from right to left. */
export const isRightToLeft = (tag: string): boolean => /^(ar|fa|he|ur|ps|yi|dv|ug|sd|ckb)\b/.test(tag);
