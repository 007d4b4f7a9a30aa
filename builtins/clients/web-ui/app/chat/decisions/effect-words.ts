// What a tool touches, and what of it cannot be undone, in words. Pure.
import { t, table } from '../../kit/t.ts';

export interface EffectWords {
  readonly effect: string;
  readonly does: string;
  /** What stays; left out where nothing does. */
  readonly stays?: string;
}

const words: Readonly<Record<string, Omit<EffectWords, 'effect'>>> = table({
  read: { does: 'Reads' },
  write: { does: 'Changes files', stays: 'Undo reaches files of the workspace only.' },
  execute: { does: 'Runs a program', stays: 'What the program does cannot be undone.' },
  network: { does: 'Uses the network', stays: 'What was sent cannot be called back.' },
  external: { does: 'Acts outside of this computer', stays: 'What reaches others cannot be undone.' },
});

const [unknown] = table([{ effect: 'unknown', does: 'Does not say what it touches', stays: 'Assume that nothing of it can be undone.' }]);

/** In the order in which a person wants to know: what stays comes first. */
export function describeEffects(effects: readonly string[]): EffectWords[] {
  if (effects.length === 0) return [unknown];
  const described = [...new Set(effects)].map((effect) => ({ effect, ...(words[effect] ?? foreign(effect)) }));
  return [...described.filter(({ stays }) => stays !== undefined), ...described.filter(({ stays }) => stays === undefined)];
}

/** An effect that a newer server knows. */
function foreign(effect: string): Omit<EffectWords, 'effect'> {
  return { does: t('Effect “{effect}”', { effect }), stays: t('It may be impossible to undo.') };
}
