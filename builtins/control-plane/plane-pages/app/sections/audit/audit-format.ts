// Formats lines of the audit log for display. Pure.
import { formatCount } from '#page/kit/page/format.ts';
import { isRecord } from '#lib/values';
import { creditText } from '../plan/credit-text.ts';

/** Returns the title of an event kind: `role_changed` → `Role changed`. */
export function titleOf(kind: string): string {
  const words = kind.replaceAll(/[_.]/g, ' ').replace(/\bsso\b/, 'single sign-on');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the name of a field without its unit: `walletCapMicro` → `wallet cap`. */
function nameOf(key: string): string {
  if (key === 'ms') return 'duration';
  return key
    .replace(/(?<=.)(Micro|Ms)$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function textOf(key: string, value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'number' && key.endsWith('Micro')) return creditText(value);
  if (typeof value === 'number' && /^ms$|Ms$/.test(key)) return `${formatCount(value)} ms`;
  if (typeof value === 'number') return formatCount(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Returns the details of an event; the old and the new value of a changed field form one detail. */
export function factsOf(metrics: unknown): Fact[] {
  if (!isRecord(metrics)) return [];
  const { from, to, ...others } = metrics;
  const isChange = isRecord(from) && isRecord(to);
  const plain = Object.entries(isChange ? others : metrics).map(([key, value]) => ({ name: nameOf(key), text: textOf(key, value) }));
  if (!isChange) return plain;
  const changed = Object.entries(to)
    .filter(([key, value]) => JSON.stringify(from[key]) !== JSON.stringify(value))
    .map(([key, value]) => ({ name: nameOf(key), text: key in from ? `${textOf(key, from[key])} → ${textOf(key, value)}` : textOf(key, value) }));
  return [...plain, ...changed];
}
