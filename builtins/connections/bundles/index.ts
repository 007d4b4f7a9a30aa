// Registers bundles: skills, commands, hooks and MCP servers in other agents' formats, from the plugin folder and from trusted `.claude` folders of workspaces.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { createSerialQueue, lazy } from '#lib/async';
import type {} from 'agent-harness/builtins/connections/mcp';
import type {} from 'agent-harness/builtins/tools/shell';
import type {} from 'agent-harness/builtins/tools/skills';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/trust';
import { bundlesCommand } from './bundles-command.ts';
import { createBundlesRoute } from './bundles-route.ts';
import { tapHooks } from './hook-taps.ts';
import { createOffers } from './offers.ts';
import { subjectName } from './subject-name.ts';

export const manifest = {
  name: 'bundles',
  requires: ['chats', 'commands', 'commandRunner'],
  optional: ['trust', 'userPlugins'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const trust = (): typeof services.trust => services.trust;
  const live = lazy(() => import('./live-bundles.ts').then((loaded) => loaded.createLiveBundles(services.userPlugins?.dir, trust)));
  const warn = (line: string): void => registry.log.warn(line);
  const taken = (name: string, workspaceRoot?: string): boolean => services.commands.isTaken(name, workspaceRoot);
  const offers = createOffers((point, item) => registry.add(point, item), taken, warn);

  /** Changes run one after the other, because a name becomes free only when its former owner has been removed. */
  const queue = createSerialQueue();
  const offer = (workspaceRoot: string): Promise<void> => queue.run(() => offerNow(workspaceRoot));

  async function offerNow(workspaceRoot: string): Promise<void> {
    const counted = await (await live()).trusted(workspaceRoot);
    const own = counted.filter(({ isOwn }) => isOwn);
    await offers.set(own, { root: workspaceRoot, bundle: counted.find(({ isOwn }) => !isOwn) });
  }

  registry.add('trust_subject', {
    name: subjectName,
    async find(root) {
      const found = await (await live()).at(root);
      if (found === undefined || typeof found === 'string') return undefined;
      const { describeBundle, titleOf } = await import('./describe-bundle.ts');
      const files = [...found.files.keys()].map((path) => `${found.root}/${path}`);
      return { title: titleOf(found), detail: describeBundle(found), digest: found.digest, files };
    },
  });
  registry.add('slash_command', bundlesCommand(live, trust));
  registry.add('route', createBundlesRoute(live));
  registry.add(
    'approval_rule',
    tapHooks(emitter, { runner: services.commandRunner, trusted: async (workspaceRoot) => (await live()).trusted(workspaceRoot), warn }),
  );
  emitter.tap('server.idle', async () => void (await live()));
  // Updates the bundles before a message is read, because their servers must exist by then. Only in a process that runs turns; otherwise, a CLI command would
  // also start servers.
  emitter.tap('message.before', async ({ chatId }) => {
    const { workspaceRoot } = await services.chats.peek(chatId);
    await offer(workspaceRoot);
  });
  emitter.tap('commands.list', ({ workspaceRoot }) => (workspaceRoot === undefined ? undefined : offer(workspaceRoot)));
  emitter.tap('trust.changed', ({ workspaceRoot, subject }) => (subject === subjectName ? offer(workspaceRoot) : undefined));
}
