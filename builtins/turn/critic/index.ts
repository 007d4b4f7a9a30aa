// Registers the critic, which checks answers about files and code, and the tool `verify_result`, with which the model can request the same check.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from './contract.ts';
import { criticConfig } from './critic-config.ts';
import { describeVerdict } from './describe-verdict.ts';
import { createEvidenceStore } from './evidence.ts';
import type { AnswerCritic } from './judge-answer.ts';

export const manifest = {
  name: 'critic',
  requires: ['product', 'models', 'turns'],
  events: ['critic_verdict'],
  config: criticConfig,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, services } = registry;
  const evidence = createEvidenceStore();
  const critic: AnswerCritic = {
    ...{ config, evidence, signal: registry.signal },
    ...{ models: services.models, turns: services.turns, home: services.product.home },
    showsEvidence: () => config.showsEvidence,
    announce: (verdict) => emitter.emit('critic_verdict', verdict),
  };

  registry.add('tool_family', {
    name: 'critic',
    description: 'Check a claim against files and tool results.',
    tools: [
      {
        name: 'verify_result',
        description:
          'Checks a claim before you rely on it or report it: whether the named files exist, whether they contain the quoted code, and whether a second model agrees.',
        input: Type.Object(
          {
            claim: Type.String({ minLength: 1, maxLength: 20_000, description: 'The claim, with the paths and code it relies on.' }),
            paths: Type.Optional(
              Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: 40, description: 'Other workspace files that must exist.' }),
            ),
          },
          { additionalProperties: false },
        ),
        effects: ['read'],
        replay: 'pure',
        timeoutMs: 30_000,
      },
    ],
    load: async () => ({ verify_result: (await import('./verify-result.ts')).createVerifyResult(critic) }),
  });
  registry.add('wire_event', {
    name: 'critic_verdict',
    description: 'An answer was checked before its turn ended. `isSentBack`: the model was asked to answer again.',
    permission: 'chats.read',
    schema: Type.Object({
      ...{ chatId: Type.String(), turnId: Type.String(), ok: Type.Boolean() },
      ...{ problems: Type.Array(Type.String()), isSentBack: Type.Boolean() },
    }),
    shows: describeVerdict,
  });
  emitter.tap('tool.after', (outcome, call) => void evidence.note(outcome, call));
  emitter.tap('turn.finalize', async (answer, turn) => {
    if (!config.isOn) return undefined;
    const { judgeAnswer } = await import('./judge-answer.ts');
    return judgeAnswer(answer, turn, critic);
  });
  emitter.tap('turn.after', (turn) => evidence.forget(turn.turnId));
}
