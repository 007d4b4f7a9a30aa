// Files: reading, searching, writing and editing, with the code on first use.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/trust';
import { createDecisions } from './paths/decisions.ts';
import { filesFamily } from './family.ts';
import type { FilePorts } from './ports.ts';
import { whySteers } from './paths/steering-files.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

export const manifest = {
  name: 'files',
  requires: ['product', 'exactFiles'],
  optional: ['checkpoints', 'trust', 'attachments', 'artifacts'],
  provides: ['steeringFiles', 'workspaceFiles'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product, exactFiles } = registry.services;
  const { home } = product;
  const ports: FilePorts = {
    home,
    exactFiles,
    decisions: createDecisions({ home }),
    hasUndo: 'checkpoints' in registry.services,
    attachments: () => registry.services.attachments,
    artifacts: () => registry.services.artifacts,
    checkpoints: () => registry.services.checkpoints,
  };
  registry.provide('steeringFiles', () => ({ why: whySteers }));
  registry.provide('workspaceFiles', () => createWorkspaceFiles(ports));
  registry.add('tool_family', filesFamily(ports));
  registry.add('approval_rule', {
    name: 'trusted-files',
    async decide({ callId, tool, args, turn }) {
      const { trust } = registry.services;
      if (!trust || tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whyTrustedAsks } = await import('./trusted-content.ts');
      const reason = await whyTrustedAsks(String(args['path']), { callId, workspaceRoot: turn.workspaceRoot }, trust, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  registry.add('approval_rule', {
    name: 'steering-files',
    async decide({ callId, tool, args, turn }) {
      if (tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whySteeringAsks } = await import('./approval.ts');
      const reason = whySteeringAsks(String(args['path']), { callId, workspaceRoot: turn.workspaceRoot }, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  emitter.tap('attachment.read', async ({ name, bytes, signal }) => {
    const { readDocument } = await import('./documents/read-document.ts');
    const { type, ...found } = await readDocument(bytes, name, signal);
    return { mimeType: type, ...found };
  });
  emitter.tap('tool.after', (_, { callId }) => ports.decisions.forget(callId));
}
