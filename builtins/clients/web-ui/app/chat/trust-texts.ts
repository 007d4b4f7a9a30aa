// Describes the untrusted content of a folder, and stores which notices were dismissed.
import { jsonOf } from '#lib/values';
import { t } from '../kit/t.ts';
import { listOf } from '../kit/short-texts.ts';

export interface UntrustedItem {
  readonly name: string;
  readonly title: string;
  readonly digest: string;
  readonly isTrusted: boolean;
  readonly isListedOnly?: boolean;
}

const key = 'trust-line-read';
/** Maximum number of stored digests; beyond it, the oldest are dropped. */
const maxDigests = 100;

/** Returns a notice such as `This folder has 2 files with instructions and 1 MCP server. Not used until you trust it.` */
export function trustTexts(waiting: readonly Pick<UntrustedItem, 'title'>[]): string {
  const titles = waiting.map(({ title }) => title);
  return t('This folder has {list}. Not used until you trust it.', { list: listOf(titles) });
}

/** Returns the digests of dismissed notices; changed content has a new digest. */
export function readDigests(): readonly string[] {
  const kept = jsonOf(localStorage.getItem(key) ?? '[]');
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
}

/** Stores the digests. Returns all stored digests. */
export function keepRead(waiting: readonly Pick<UntrustedItem, 'digest'>[]): readonly string[] {
  const kept = [...readDigests(), ...waiting.map(({ digest }) => digest)].slice(-maxDigests);
  localStorage.setItem(key, JSON.stringify(kept));
  return kept;
}

export function unreadOf<T extends Pick<UntrustedItem, 'digest' | 'isTrusted' | 'isListedOnly'>>(subjects: readonly T[], read: readonly string[]): T[] {
  return subjects.filter(({ isTrusted, isListedOnly, digest }) => !isTrusted && isListedOnly !== true && !read.includes(digest));
}
