// Which language the page speaks: the one chosen on this device, else the first of the browser's that there is.
import { withLatinDigits } from './page/format.ts';
import { speak, type Messages } from './t.ts';
import { createValue } from './value-store.ts';

/** Loads the messages of each language but English, by its tag: `de`, `zh`. */
export type Catalogues = Readonly<Record<string, () => Promise<Messages>>>;
/** What plugins of the server add for a language; rejects where the server does not answer soon. */
export type AddedMessages = (language: string) => Promise<Messages>;

const key = 'language';
let known: Catalogues = {};
let added: AddedMessages = async () => ({});
let isJustChosen = false;

/** The tag of what the page speaks. Whatever shows words is drawn anew when it changes. */
export const language = createValue('en');

/** What was chosen on this device; `undefined`: as the browser says. */
export const chosenLanguage = (): string | undefined => localStorage.getItem(key) ?? undefined;

/** The languages that the page brings; those that only plugins bring are not among them. */
export const stockLanguages = (): readonly string[] => ['en', ...Object.keys(known)];

/** As whoever speaks it calls it: `Deutsch`. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** The first of the wanted that there is, with the region that is wanted of it. Pure. */
export function matchLanguage(wanted: readonly string[], there: readonly string[]): { readonly tag: string; readonly locale: string } {
  for (const locale of wanted) {
    const tag = there.find((one) => one === locale) ?? there.find((one) => one === locale.split('-', 1)[0]);
    // Dates and numbers of English are written in one way.
    if (tag !== undefined) return { tag, locale: tag === 'en' ? tag : locale };
  }
  return { tag: 'en', locale: 'en' };
}

/** Resolves when the page may be drawn for the first time. */
export async function startLanguage(catalogues: Catalogues, addedMessages: AddedMessages): Promise<void> {
  known = catalogues;
  added = addedMessages;
  await put();
}

/** @param tag `undefined`: as the browser says. Kept on this device. */
export async function chooseLanguage(tag: string | undefined): Promise<void> {
  if (tag === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, tag);
  isJustChosen = true;
  await put();
}

/** Whether it was chosen just now, so that whoever is drawn anew takes the focus back. Answers yes once. */
export function wasJustChosen(): boolean {
  const was = isJustChosen;
  isJustChosen = false;
  return was;
}

async function put(): Promise<void> {
  const chosen = chosenLanguage();
  const { tag, locale } = chosen === undefined ? matchLanguage(navigator.languages, stockLanguages()) : ownLocale(chosen);
  // A language whose file cannot be had is English, and says so.
  const messages = tag === 'en' ? undefined : await load(tag);
  speak(messages && { locale: withLatinDigits(locale), messages });
  const spoken = messages ? tag : 'en';
  const { documentElement } = document;
  documentElement.lang = messages ? locale : 'en';
  documentElement.dir = isRightToLeft(spoken) ? 'rtl' : 'ltr';
  language.set(spoken);
}

/** A language that was chosen has the region that the browser names for it. */
function ownLocale(tag: string): { readonly tag: string; readonly locale: string } {
  const [found] = navigator.languages.filter((one) => one.split('-', 1)[0] === tag && tag !== 'en');
  return { tag, locale: found ?? tag };
}

async function load(tag: string): Promise<Messages | undefined> {
  const [stock, ofPlugins] = await Promise.all([known[tag]?.().catch(() => undefined), added(tag).catch(() => ({}))]);
  return stock || Object.keys(ofPlugins).length > 0 ? { ...stock, ...ofPlugins } : undefined;
}

/** Whether a language is written from the right. */
export const isRightToLeft = (tag: string): boolean => /^(ar|fa|he|ur|ps|yi|dv|ug|sd|ckb)\b/.test(tag);
