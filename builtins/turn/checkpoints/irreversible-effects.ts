// Records the effects of calls that cannot be undone, and reports them in the result of an undo.
import { firstLine } from '#lib/text';
import type { GrantedCall } from 'agent-harness/plugins/tools';
import type { LogRecord } from './checkpoint-log.ts';
import type { OutsideEffect } from './contract.ts';
import { carriedOut } from './plan-undo.ts';

/** Maximum length of a call's description in UTF-16 code units. */
const longestLine = 200;
/** Effects whose changes are tracked completely. A program may always have other effects. */
const keptEffects: ReadonlySet<string> = new Set(['read', 'write']);
/** Maximum number of effects per turn; further ones are ignored. */
export const maxIrreversibleEffects = 200;

/** Returns the effect of a call; `undefined` if the call only reads, locally or on the web, or if its changes are tracked. */
export function effectOf({ callId, tool, args }: GrantedCall): OutsideEffect | undefined {
  const { effects = [], undo } = tool;
  const isQuiet = effects.length > 0 && effects.every((effect) => effect === 'read' || (effect === 'network' && effects.includes('read')));
  if (isQuiet || undo === 'checkpoint') return undefined;
  return { callId, tool: tool.name, what: subjectOf(tool, args), effects: [...effects] };
}

function subjectOf({ display }: GrantedCall['tool'], args: GrantedCall['args']): string {
  try {
    const said: unknown = display?.subject?.(args as never);
    if (typeof said === 'string') return firstLine(said, longestLine);
  } catch {
    // If the subject of a tool cannot be computed, the tool is shown without a subject.
  }
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  return texts.length === 1 ? firstLine(texts[0] ?? '', longestLine) : '';
}

/** Returns the effects of the given turns in order, without calls that reached nothing external or wrote only tracked content. */
export function irreversibleEffectsOf(records: readonly LogRecord[], turnIds: ReadonlySet<string>): OutsideEffect[] {
  const kept = new Set(carriedOut(records).map(({ callId }) => callId));
  const contained = new Set(records.flatMap((record) => (record.kind === 'contained' ? [keyOf(record)] : [])));
  const partial = new Set(records.flatMap((record) => (record.kind === 'outside' && record.isPartial ? [keyOf(record)] : [])));
  return records
    .flatMap((record): OutsideEffect[] => {
      if (record.kind !== 'outside' || record.isPartial || !turnIds.has(record.turnId)) return [];
      const key = keyOf(record);
      if (contained.has(key) && !partial.has(key)) return [];
      const { callId, tool, what, effects } = record;
      const isOwn = kept.has(callId) && effects.length > 0 && effects.every((effect) => keptEffects.has(effect));
      return isOwn ? [] : [{ callId, tool, what, effects }];
    })
    .slice(0, maxIrreversibleEffects);
}

const keyOf = ({ turnId, callId }: { readonly turnId: string; readonly callId: string }): string => `${turnId} ${callId}`;
