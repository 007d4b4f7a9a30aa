// What a folder brings with it, as a sentence; and what of it a person has already been told.
import { jsonOf } from 'agent-harness/lib/values';
import { t } from '../kit/t.ts';
import { listOf } from '../kit/words.ts';

export interface Brought {
  readonly title: string;
  readonly digest: string;
  readonly isTrusted: boolean;
  readonly isListedOnly?: boolean;
}

const key = 'trust-line-read';
/** The newest that are remembered. */
const maxKept = 100;

/** `This folder brings 2 files with instructions and 1 MCP server that wait for your trust.` */
export function broughtWords(waiting: readonly Pick<Brought, 'title'>[]): string {
  const titles = waiting.map(({ title }) => title);
  const list = titles.length === 0 ? t('nothing') : listOf(titles);
  const isOne = titles.length === 1 && /^1\b/.test(titles[0] ?? '');
  return isOne ? t('This folder brings {list} that waits for your trust.', { list }) : t('This folder brings {list} that wait for your trust.', { list });
}

/** Digests that were dismissed; what changes has another one. */
export function readDigests(): readonly string[] {
  const kept = jsonOf(localStorage.getItem(key) ?? '[]');
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
}

/** Answers all that are remembered now. */
export function keepRead(waiting: readonly Pick<Brought, 'digest'>[]): readonly string[] {
  const kept = [...readDigests(), ...waiting.map(({ digest }) => digest)].slice(-maxKept);
  localStorage.setItem(key, JSON.stringify(kept));
  return kept;
}

export function unreadOf<T extends Brought>(subjects: readonly T[], read: readonly string[]): T[] {
  return subjects.filter(({ isTrusted, isListedOnly, digest }) => !isTrusted && isListedOnly !== true && !read.includes(digest));
}
