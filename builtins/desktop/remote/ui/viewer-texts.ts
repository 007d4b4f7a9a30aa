// Formats texts about guests and remote codes. Pure.
import type { Code, Guest } from './use-remote.ts';
import { t } from '#page/kit/t.ts';
import { listOf } from '#page/kit/short-texts.ts';

/** Describes in one sentence which guests watch or control. */
export function barText(guests: readonly Pick<Guest, 'name' | 'mayControl'>[]): string {
  const [first, ...others] = guests;
  if (!first) return '';
  const steering = guests.filter(({ mayControl }) => mayControl).map(({ name }) => name);
  if (others.length === 0)
    return steering.length > 0 ? t('{name} sees this window and may control it', { name: first.name }) : t('{name} sees this window', { name: first.name });
  const all = t('{count} viewers see this window', { count: guests.length });
  return steering.length > 0 ? t('{watching}; {names} may control it', { watching: all, names: listOf(steering) }) : all;
}

export function roleText({ role, mayControl, mayDecide }: Pick<Guest, 'role' | 'mayControl' | 'mayDecide'>): string {
  if (role === 'view') return t('watches');
  if (!mayControl) return t('watches, may ask to control');
  return mayDecide ? t('may control and decide') : t('may control');
}

/** Splits a code into groups of four for reading aloud. */
export function groupedCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ');
}

export function wayText(transport: Code['transport']): string {
  return transport === 'lan' ? t('in the same network') : t('from anywhere, encrypted through the relay');
}

export function remainingText(expiresAt: string, now: number): string {
  const minutes = Math.ceil((Date.parse(expiresAt) - now) / 60_000);
  if (!(minutes > 0)) return t('The code has expired.');
  if (minutes < 100) return t('Valid for another {minutes} min.', { minutes });
  return t('Valid for another {hours} h.', { hours: Math.round(minutes / 60) });
}
