// Registers reflexion: after a round of failed calls, the model is asked to find the cause; after the turn, a lesson is stored.
import { createUnderWay } from '#lib/async';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type { Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/models';
import { withCorrection } from './correction.ts';
import { trackRounds } from './track-rounds.ts';

export const manifest = {
  name: 'reflexion',
  requires: ['models', 'turns'],
  optional: ['notes'],
  config: Type.Object({
    isSemantic: Type.Boolean({
      default: true,
      env: 'AGENT_REFLEXION_SEMANTIC',
      tab: 'harness',
      title: 'Lessons from failures',
      description:
        'If all tool calls of a round failed, the fast model writes a lesson with cause and remedy after the turn and stores it as a note. Off: the model is only asked to find the cause.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { models, notes, turns } = registry.services;
  const rounds = trackRounds(emitter);
  const writing = createUnderWay();

  async function learn(turn: Turn, end: TurnEnd): Promise<void> {
    const history = rounds.take(turn.turnId);
    // A turn that was aborted or exceeded its budget causes no further model call.
    if (!history || !notes || !registry.config.isSemantic || end.reason === 'aborted' || end.reason === 'budget') return;
    const { writeLesson } = await import('./write-lesson.ts');
    await writeLesson(history, turn, end, { models, notes, turns }, registry.signal);
  }

  emitter.tap('prompt.build', (prompt, turn) => {
    const failed = rounds.failedBefore(turn);
    return failed ? withCorrection(prompt, failed) : undefined;
  });
  // Runs in the background, so that the turn does not wait for the lesson.
  emitter.tap('turn.after', (turn, end) => {
    void writing.add(learn(turn, end).catch((fault: unknown) => registry.log.debug(`no lesson was stored: ${messageOf(fault)}`)));
  });
  registry.defer(() => writing.idle(), 'lessons');
}
