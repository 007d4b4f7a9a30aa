// Registers the browser tools, which let the model operate a separate browser per turn through the accessibility tree.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import { normalizeHosts } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/ui';
import { createBrowsers } from './browsers.ts';
import { browserFamily } from './family.ts';
import { findPanel } from './panel.ts';
import { listRoute, pictureRoute } from './watch-routes.ts';

export const manifest = {
  name: 'browser',
  requires: ['product', 'artifacts', 'chats'],
  optional: ['workspaceFiles'],
  config: Type.Object({
    program: Type.String({
      default: '',
      env: 'AGENT_BROWSER_PATH',
      words: 'chrome chromium edge executable',
      tab: 'web_research',
      title: 'Browser program',
      description: 'Absolute path of the Chromium, Chrome or Edge program for the browser tools. Empty: the usual locations of this system are searched.',
      apply: 'live',
    }),
    allowedHosts: Type.String({
      default: '',
      env: 'AGENT_BROWSER_ALLOWED_HOSTS',
      mustFit: true,
      normalize: normalizeHosts,
      words: 'localhost intranet lan',
      tab: 'web_research',
      title: 'Private hosts for the browser',
      description: 'Comma-separated private, loopback or link-local hosts (name or name:port) that pages may access. Empty: none.',
      apply: 'live',
    }),
  }),
  errors: {
    TAB_NOT_FOUND: { message: "This chat has no open page '{tabId}'. Pages are closed when their turn ends.", status: 404 },
    PAGE_SILENT: { message: "The page '{tabId}' did not render in time; its scripts may be busy. Try again.", status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product, artifacts, chats } = registry.services;
  const recordFolder = registry.plugin.dataDir;
  const browsers = createBrowsers({ recordFolder, productName: product.name, config: registry.config, warn: (message) => registry.log.warn(message) });
  registry.add(
    'tool_family',
    browserFamily({ browsers, artifacts, allowedHosts: () => registry.config.allowedHosts, workspaceFiles: () => registry.services.workspaceFiles }),
  );
  registry.add('approval_rule', {
    name: 'acting-on-pages',
    async decide({ tool, args, turn }) {
      if (tool.plugin !== 'browser' || tool.name !== 'browser_act' || !turn.isTainted) return undefined;
      const { whyActingAsks } = await import('./acting.ts');
      const reason = whyActingAsks(args, turn.chatId, browsers);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  const loadWatch = lazy(() => import('./watch.ts').then(({ createWatch }) => createWatch(browsers)));
  const ports = { chats, loadWatch, makeError: registry.error.bind(registry) };
  registry.add('route', listRoute(ports));
  registry.add('route', pictureRoute(ports));
  const panel = findPanel(import.meta.dirname);
  if (panel) registry.add('ui.panel', panel);
  emitter.tap('app.start', () => browsers.removeLeftovers());
  emitter.tap('tool.after', (_, { tool, turn }) => {
    if (tool.plugin === 'browser') browsers.endWithTurn(turn);
    return undefined;
  });
  emitter.tap('turn.after', (turn) => browsers.endTurn(turn.turnId));
  emitter.tap('session.reset', ({ chatId }) => browsers.endAll(chatId));
  emitter.tap('chat.close', (chatId) => browsers.endAll(chatId));
  emitter.tap('app.stop', () => browsers.endAll());
  registry.defer(() => browsers.endAll(), 'browsers');
}
