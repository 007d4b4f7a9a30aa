// Takes notes out of the model's answer, which may be anything.
import { answeredJson, isRecord } from 'agent-harness/lib/values';

export interface ExtractedNote {
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly scope: 'workspace' | 'global';
}

const maxNotes = 5;
/** UTF-16 units; what is longer was not picked but copied. */
const maxValue = 2_000;
/** Looks like a key, a token or a password: never kept unasked. */
const secret =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|rk|ghp|gho|ghs|xox[abp]|glpat)[-_][A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b|\beyJ[\w-]{10,}\.[\w-]{10,}|\b(?:password|passwd|secret|api[ _-]?key|token)\s*(?:is|:|=)\s*\S{6,}/i;

/** At most five; empty where the answer makes no sense. */
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
  if (!isFit || secret.test(value)) return undefined;
  return { type, key: name, value, scope: scope === 'global' ? 'global' : 'workspace' };
}
