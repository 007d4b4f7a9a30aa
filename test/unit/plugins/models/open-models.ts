// A kernel with the models plugin, both wires, a scripted provider and stand-ins for other services.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins, type ConfigField, type Kernel, type PluginModule } from 'agent-harness/kernel';
import type { ModelReply, ModelRequest, Models, ModelToolCall } from 'agent-harness/plugins/models';
import type { Route } from 'agent-harness/plugins/http';
import * as chatCompletions from '../../../../builtins/models/model-chat-completions/index.ts';
import * as messages from '../../../../builtins/models/model-messages/index.ts';
import { createJournalFiles } from '../../../../plugins/storage/journal-files.ts';
import * as modelsPlugin from '../../../../plugins/models/index.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../helpers/scripted-model.ts';
import { takeSections } from '../../../helpers/take-sections.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

export interface OpenedModels {
  readonly kernel: Kernel;
  readonly models: Models;
  readonly model: ScriptedModel;
  readonly home: string;
  readonly routes: Route<any>[];
  readonly events: { readonly name: string; readonly payload: any }[];
  readonly ask: (request?: Partial<ModelRequest>, signal?: AbortSignal) => Promise<ModelReply>;
  readonly seen: Seen;
  fields(): readonly ConfigField[];
  readonly section: (route: string) => Promise<object>;
  close(): Promise<readonly unknown[]>;
}

/** Casts modules of different manifests to one list type. */
export const asModule = (module: unknown): PluginModule<never> => module as PluginModule<never>;

export interface Seen {
  text: string;
  reasoning: string;
  calls: ModelToolCall[];
  deltas: number;
  retries: { attempt: number; of: number; reason: string; delayMs: number }[];
}

export async function openModels(
  script: Script,
  options: { readonly environment?: Record<string, string | undefined>; readonly modules?: Record<string, PluginModule<never>>; readonly home?: string } = {},
): Promise<OpenedModels> {
  const model = await startScriptedModel(script);
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'models-home-')));
  const routes: Route<any>[] = [];
  const events: { name: string; payload: any }[] = [];
  const logs: string[] = [];
  let ids = 0;
  let section: OpenedModels['section'] = () => Promise.resolve({});
  const around: PluginModule = {
    register(registry, emitter) {
      registry.point('route', { added: (route) => void routes.push(route), removed: () => undefined });
      registry.point('wire_event', { added: () => undefined, removed: () => undefined });
      emitter.hook('settings.provider', 'waterfall', { onError: 'throw' });
      section = takeSections(registry);
      emitter.on('usage', (payload) => void events.push({ name: 'usage', payload }));
      emitter.on('provider_retry', (payload) => void events.push({ name: 'provider_retry', payload }));
    },
  };
  const kernel = createKernel({
    config: configOf({ environment: { ...model.environment, ...options.environment } }),
    services: {
      product: { name: 'app', title: 'App', version: '1.0.0', home, startFolder: home },
      storage: { createId: (prefix: string) => `${prefix}_${ids++}`, readJson: async () => undefined, updateJson: async () => undefined } as never,
      journals: createJournalFiles(),
    },
    log: (level, plugin, message) => logs.push(`${level} ${plugin} ${message}`),
  });
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: { around: asModule(around), models: asModule(modelsPlugin) } },
      { origin: 'builtin', modules: { 'model-chat-completions': asModule(chatCompletions), 'model-messages': asModule(messages), ...options.modules } },
    ],
  });
  const broken = report.plugins.filter((plugin) => plugin.state !== 'active' && !(options.modules && plugin.name in options.modules));
  if (broken.length > 0) throw new Error(JSON.stringify([broken, logs]));
  const models = kernel.resolve('models');
  const seen: Seen = { text: '', reasoning: '', calls: [], deltas: 0, retries: [] };

  let isOpen = true;
  const opened: OpenedModels = {
    kernel,
    models,
    model,
    home,
    routes,
    events,
    section,
    seen,
    ask: (request = {}, signal = new AbortController().signal) =>
      models.stream(
        { system: 'Be short.', messages: [{ role: 'user', text: 'Hello' }], tools: [], maxTokens: 100, purpose: 'chat', ...request },
        collect(seen),
        signal,
      ),
    fields: () => kernel.control.fields(),
    async close() {
      if (!isOpen) return [];
      isOpen = false;
      const faults = await kernel.close();
      await model.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
      return faults;
    },
  };
  closeAfterTest(() => opened.close());
  return opened;
}

function collect(seen: Seen): Parameters<Models['stream']>[1] {
  return {
    text: (delta) => {
      seen.text += delta;
      seen.deltas++;
    },
    reasoning: (delta) => void (seen.reasoning += delta),
    toolCall: (index, id, name) => void (seen.calls[index] = { id, name, argsText: '' }),
    toolArgs: (index, delta) => {
      const call = seen.calls[index];
      if (call) seen.calls[index] = { ...call, argsText: call.argsText + delta };
    },
    retry: (notice) => {
      seen.retries.push({ ...notice });
      Object.assign(seen, { text: '', reasoning: '', calls: [], deltas: 0 });
    },
  };
}
