// Registers the tool `ask_user`, which lets the model ask the user a question and waits for the answer.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/tools';
import { createAskUser } from './ask-user.ts';

export const manifest = { name: 'ask-user', requires: ['approvals'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool', {
    name: 'ask_user',
    display: { icon: 'question', subject: ({ prompt }: { prompt: string }) => prompt.replace(/\*\*|`/g, '') },
    description: 'Asks the user a question that only they can decide or answer.',
    input: Type.Object(
      {
        prompt: Type.String({ minLength: 1, maxLength: 10_000 }),
        options: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 12, description: 'Choices.' })),
      },
      { additionalProperties: false },
    ),
    effects: ['read'],
    replay: 'ask',
    timeoutMs: 0,
    isEveryday: true,
    run: createAskUser(registry.services),
  });
}
