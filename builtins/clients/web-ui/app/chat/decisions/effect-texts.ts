// Describes the effects of a tool and which of them are irreversible. Pure.
import type { Approval } from 'agent-harness/client';
import { t, table } from '../../kit/t.ts';

export interface EffectTexts {
  readonly effect: string;
  readonly does: string;
  /** The irreversible part of the effect; omitted if there is none. */
  readonly stays?: string;
}

const words: Readonly<Record<string, Omit<EffectTexts, 'effect'>>> = table({
  read: { does: 'Reads' },
  write: { does: 'Changes files', stays: 'Only files in the workspace can be restored.' },
  execute: { does: 'Runs a program', stays: 'The effects of the program cannot be undone.' },
  network: { does: 'Uses the network', stays: 'Sent data cannot be recalled.' },
  external: { does: 'Has effects outside this computer', stays: 'Effects on other systems cannot be undone.' },
});

const [unknown] = table([{ effect: 'unknown', does: 'Does not declare its effects', stays: 'Assume that it cannot be undone.' }]);

/** Describes the effects in order of importance: irreversible effects first. */
export function describeEffects(effects: readonly string[]): EffectTexts[] {
  if (effects.length === 0) return [unknown];
  const described = [...new Set(effects)].map((effect) => ({ effect, ...(words[effect] ?? foreign(effect)) }));
  return [...described.filter(({ stays }) => stays !== undefined), ...described.filter(({ stays }) => stays === undefined)];
}

/** Returns whether approving applies the changes of the preview. After a failed preview, or if the call was edited, it runs the call. */
export function appliesPreview({ rehearsal }: Pick<Approval, 'rehearsal'>, isEdited: boolean): boolean {
  return !isEdited && rehearsal?.state === 'ready' && rehearsal.ok !== false;
}

/** Returns whether undo can restore everything that the call may change; a preview is applied exactly as shown. */
export function canUndo(approval: Pick<Approval, 'rehearsal' | 'effects'>, isEdited: boolean): boolean {
  const { effects } = approval;
  return appliesPreview(approval, isEdited) || (effects.length > 0 && effects.every((effect) => effect === 'read' || effect === 'write'));
}

/** Describes an effect that a newer server reports and this page does not recognise. */
function foreign(effect: string): Omit<EffectTexts, 'effect'> {
  return { does: t('Effect “{effect}”', { effect }), stays: t('It may be impossible to undo.') };
}
