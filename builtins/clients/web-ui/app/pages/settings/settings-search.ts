// Finds settings and related pages by words that users are likely to type. Pure.
import MiniSearch from 'minisearch';
import { localeNow, t } from '../../kit/t.ts';
import type { SettingField } from './settings-model.ts';

/** A search result that is not a variable. */
export interface Place {
  readonly id: string;
  readonly title: string;
  readonly words?: string | undefined;
}

export interface Found {
  /** The found settings, best first. */
  readonly fields: readonly SettingField[];
  readonly places: readonly string[];
  /** Whether no result matches all words; the results then match most of them. */
  readonly isNear: boolean;
}

/** Stop words. */
const fillers = new Set(
  'a an the my to of in on off for is it how do does can i what where set change turn use enable disable make setting settings'.split(' '),
);

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly words: string;
  readonly key: string;
  readonly group: string;
  readonly about: string;
}

const fieldId = 'field ';
const placeId = 'place ';

/** Builds the search index once for the displayed fields; a search takes less than a millisecond for several hundred settings. */
export function createSearch(fields: readonly SettingField[], places: readonly Place[]): (query: string) => Found {
  const index = new MiniSearch<Entry>({
    fields: ['label', 'words', 'key', 'group', 'about'],
    tokenize: wordsIn,
    processTerm: (term) => (term === '' ? null : stemOf(term)),
  });
  index.addAll([
    ...fields.map(({ key, label, description, group, words = '' }) => ({
      id: fieldId + key,
      label: inBoth(label),
      words,
      key,
      group,
      about: inBoth(description),
    })),
    ...places.map(({ id, title, words = '' }) => ({ id: placeId + id, label: inBoth(title), words: inBoth(words), key: '', group: '', about: '' })),
  ]);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const options = {
    boost: { label: 5, words: 4, key: 3, group: 1, about: 1 },
    prefix: (term: string) => term.length > 1,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.6, fuzzy: 0.2 },
  };

  return (query) => {
    const whole = byKey.get(query.trim().toUpperCase());
    const said = wordsIn(query);
    const meant = said.filter((word) => word !== '' && !fillers.has(word));
    const text = (meant.length > 0 ? meant : said).join(' ');
    const all = index.search(text, { ...options, combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(text, { ...options, combineWith: 'OR' });
    const ids = found.map(({ id }) => String(id));
    const matching = ids.flatMap((id) => byKey.get(id.slice(fieldId.length)) ?? []);
    return {
      fields: whole ? [whole, ...matching.filter((field) => field !== whole)] : matching,
      places: ids.filter((id) => id.startsWith(placeId)).map((id) => id.slice(placeId.length)),
      isNear: all.length === 0,
    };
  };
}

/** Returns a text in English, and in the language of the page. */
function inBoth(text: string): string {
  const shown = t(text);
  return shown === text ? text : `${text} ${shown}`;
}

/** Splits a text into words. Chinese and Japanese have no spaces between words; the browser segments these texts. */
function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => {
      if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return [word];
      return Array.from(new Intl.Segmenter(localeNow(), { granularity: 'word' }).segment(word), ({ segment }) => segment);
    });
}

/** Returns the stem of a term; `colour` then finds `colours`. */
function stemOf(term: string): string {
  return term.length > 3 && term.endsWith('s') && !term.endsWith('ss') ? term.slice(0, -1) : term;
}
