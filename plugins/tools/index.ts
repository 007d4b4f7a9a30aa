// Registers tools: accepts contributed tools, adds everyday tools to requests, checks arguments, and runs calls within limits.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/patterns';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import { createArgumentCheck } from './argument-check.ts';
import { createArtifactStore } from './artifact-store.ts';
import { createExposure } from './exposure.ts';
import { createFamiliesSection } from './families-section.ts';
import { createGatePoint } from './gate-point.ts';
import { createRunner } from './run-tool.ts';
import { createToolRegistry } from './tool-registry.ts';
import { createToolService } from './tool-service.ts';
import { listToolsRoute } from './tool-routes.ts';

export const manifest = {
  name: 'tools',
  requires: ['kernel', 'storage', 'chats', 'limitedPatterns'],
  optional: ['views'],
  provides: ['tools', 'artifacts'],
  config: Type.Object({
    lazy: Type.Boolean({
      default: true,
      env: 'AGENT_TOOL_LAZY',
      words: 'hide functions fewer tokens',
      tab: 'harness',
      title: 'Describe tools on demand',
      description: 'Sends the model the everyday tools and a list of the other families. A family is described in full after one of its tools was called.',
      apply: 'live',
    }),
    profile: Type.Union([Type.Literal('balanced'), Type.Literal('knowledge_first'), Type.Literal('max_autonomy')], {
      default: 'balanced',
      env: 'AGENT_ALWAYS_TOOLS_PROFILE',
      tab: 'harness',
      title: 'Tools that are always described',
      description:
        'Tools that are described from the beginning if tools are described on demand. balanced: the everyday tools. knowledge_first: also search and memory tools. max_autonomy: all tools.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config } = registry;
  const tools = createToolRegistry();
  const exposure = createExposure(tools, config);
  const gate = createGatePoint();

  emitter.hook('tool.run', 'waterfall', { onError: 'throw' });
  registry.point('tool', tools.toolPoint);
  registry.point('tool_family', tools.familyPoint);
  registry.point('tool_gate', gate.point);
  const artifacts = createArtifactStore(services);
  registry.provide('artifacts', () => artifacts);
  registry.provide('tools', () =>
    createToolService(
      tools,
      exposure,
      createArgumentCheck(tools, services.limitedPatterns),
      gate.redeem,
      createRunner(artifacts, () => tools.nameWith('reads_artifacts'), registry),
      (bare, call) => emitter.call('tool.run', [bare, call]),
    ),
  );
  registry.add('route', listToolsRoute({ rows: (chatId) => exposure.rows(chatId), find: (name) => tools.find(name) }, services));

  const addFamilies = createFamiliesSection();
  emitter.tap('prompt.build', (prompt) => addFamilies(prompt, exposure.families()));
  emitter.tap('session.reset', ({ chatId }) => exposure.forget(chatId));
  emitter.tap('chat.close', (chatId) => exposure.forget(chatId));
}
