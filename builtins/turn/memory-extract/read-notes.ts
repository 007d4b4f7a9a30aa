// Parses notes from the model's answer, which may be any text.
import { hasSecret } from '#lib/secrets';
import { answeredJson, isRecord } from '#lib/values';

export interface ExtractedNote {
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly scope: 'workspace' | 'global';
}

const maxNotes = 5;
/** Maximum length of a note in UTF-16 code units; a longer value is probably copied text and not a fact. */
const maxValue = 2_000;
/** Matches a value that the text itself calls a secret; like known secrets, it is not stored automatically. */
const calledSecret = /\b(?:password|passwd|secret|api[ _-]?key|token)\s*(?:is|:|=)\s*\S{6,}/i;

/** Returns at most five notes; an empty list for an invalid answer. */
export function readNotes(text: string): readonly ExtractedNote[] {
  return rowsIn(text)
    .flatMap((one) => readNote(one) ?? [])
    .slice(0, maxNotes);
}

function rowsIn(text: string): readonly unknown[] {
  const found = answeredJson(text);
  const list = isRecord(found) ? found['notes'] : found;
  return Array.isArray(list) ? list : [];
}

function readNote(one: unknown): ExtractedNote | undefined {
  if (typeof one !== 'object' || one === null) return undefined;
  const { type = 'fact', key, value, scope } = one as Readonly<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof key !== 'string' || typeof value !== 'string') return undefined;
  const name = key.startsWith(`${type}:`) ? key.slice(type.length + 1) : key;
  const isFit =
    /^[a-z][a-z0-9_-]{0,31}$/.test(type) && /^[^\p{C}]{1,200}$/u.test(name) && name.trim() !== '' && value.trim() !== '' && value.length <= maxValue;
  if (!isFit || hasSecret(value) || calledSecret.test(value)) return undefined;
  return { type, key: name, value, scope: scope === 'global' ? 'global' : 'workspace' };
}
