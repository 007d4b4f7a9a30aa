// Files: reading, searching, writing and editing, with the code on first use.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/trust';
import { filesFamily } from './family.ts';
import type { FilePorts } from './ports.ts';

export const manifest = {
  name: 'files',
  requires: ['product'],
  optional: ['checkpoints', 'trust'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const ports: FilePorts = {
    home: registry.services.product.home,
    hasUndo: 'checkpoints' in registry.services,
    checkpoints: () => registry.services.checkpoints,
  };
  registry.add('tool_family', filesFamily(ports));
  registry.add('approval_rule', {
    name: 'trusted-files',
    async decide({ tool, args, turn }) {
      const { trust } = registry.services;
      if (!trust || tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whyTrustedAsks } = await import('./trusted-content.ts');
      const reason = await whyTrustedAsks(String(args['path']), turn.workspaceRoot, trust, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  registry.add('approval_rule', {
    name: 'steering-files',
    async decide({ tool, args, turn }) {
      if (tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whySteeringAsks } = await import('./approval.ts');
      const reason = whySteeringAsks(String(args['path']), turn.workspaceRoot, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
}
