// Registers the safety judge, which automatically approves commands that rules consider harmless and a model considers safe.
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
        'Lets a model approve commands instead of you if fixed rules consider them harmless: they only read files of the workspace. All other commands still need your approval. In mode auto, the safety judge is always on.',
      apply: 'live',
    }),
    model: Type.String({
      default: '',
      maxLength: 200,
      env: 'AGENT_SAFETY_JUDGE_MODEL',
      tab: 'safety',
      title: 'Model of the safety judge',
      description: 'Name of the judging model; default: the fast model. It must answer with one word within 4 seconds; otherwise you are asked.',
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
    // External content that the turn read may have caused the command.
    if (!commandReading || call.turn.isTainted) return undefined;
    if (!registry.config.isOn && (await chats.get(call.turn.chatId)).mode !== 'auto') return undefined;
    const { isHarmlessCall } = await import('./rule-pass.ts');
    if (!(await isHarmlessCall(call, commandReading)) || !(await (await judge())(call))) return undefined;
    // Another call may have read external content in the meantime.
    if (call.turn.isTainted) return undefined;
    return { verdict: 'approve', reason: 'The command only reads the workspace, according to the rules and the judge.' };
  });
}
