// Registers the safety judge: auto-approves commands that rules consider harmless and a model considers safe.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/shell';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/policy';

export const manifest = {
  name: 'safety-judge',
  requires: ['chats', 'models'],
  optional: ['commandReading'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_SAFETY_JUDGE',
      mustFit: true,
      words: 'auto approve permissions stop asking fewer questions confirm',
      tab: 'safety',
      title: 'Safety judge',
      description:
        'Lets a model approve commands in place of a person, where fixed rules already call them harmless: they read files of the workspace and do nothing else. Everything else still asks. A chat in the mode auto has it on in any case.',
      apply: 'live',
    }),
    model: Type.String({
      default: '',
      maxLength: 200,
      env: 'AGENT_SAFETY_JUDGE_MODEL',
      tab: 'safety',
      title: 'Model of the safety judge',
      description: 'Which model judges; the fast model when empty. It has 4 seconds and one word; when it fails, the person is asked.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { chats, models, commandReading } = registry.services;
  const judge = lazy(() =>
    import('./ask-judge.ts').then(({ createJudge }) => createJudge({ models, modelName: () => registry.config.model, signal: registry.signal })),
  );

  emitter.tap('approval.judge', async (call) => {
    // The external content that the turn read may have caused the command.
    if (!commandReading || call.turn.isTainted) return undefined;
    if (!registry.config.isOn && (await chats.get(call.turn.chatId)).mode !== 'auto') return undefined;
    const { isHarmlessCall } = await import('./rule-pass.ts');
    if (!(await isHarmlessCall(call, commandReading)) || !(await (await judge())(call))) return undefined;
    // Another call may have read external content meanwhile.
    if (call.turn.isTainted) return undefined;
    return { verdict: 'approve', reason: 'The command only reads the workspace, by the rules and by the judge.' };
  });
}
