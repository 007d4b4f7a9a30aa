// A kernel with the real commands plugin and minimal stand-ins for its dependencies.
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Kernel, LoadReport, PluginModule } from 'agent-harness/kernel';
import type { Turn } from 'agent-harness/plugins/agent';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { Route } from 'agent-harness/plugins/http';
import * as commands from '../../../../plugins/commands/index.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

type Modules = Record<string, PluginModule<never>>;

export interface CommandsKernel {
  readonly kernel: Kernel;
  readonly report: LoadReport;
  readonly routes: Map<string, Route<any>>;
  /** Returns the command reply to a message, or `undefined` if it is meant for the model. */
  readonly intercept: (text: string, turn?: Partial<Turn>) => Promise<string | undefined>;
}

export async function startCommands(modules: Modules = {}): Promise<CommandsKernel> {
  const routes = new Map<string, Route<any>>();
  const product = { name: 'app', title: 'Test Program', version: '1.2.3', home: '/nowhere', startFolder: '/nowhere' };
  const chats = { get: async (chatId = 'chat_active') => ({ chatId, workspaceRoot: `/work/${chatId}` }) };
  const kernel = createKernel({ services: { product, chats } as never, log: () => undefined });
  const neighbours: Modules = {
    neighbours: {
      register(registry, emitter) {
        emitter.hook('turn.intercept', 'bail');
        registry.point('route', { added: (route) => void routes.set(route.key, route), removed: (route) => void routes.delete(route.key) });
      },
    },
  };
  closeAfterTest(() => kernel.close());
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: { commands: commands as unknown as PluginModule<never>, ...neighbours } },
      { origin: 'user', modules },
    ],
  });
  return {
    kernel,
    report,
    routes,
    async intercept(text, turn = {}) {
      const message = { text, chatId: 'chat_1', workspaceRoot: '/work/one', isRoot: true, kept: () => Promise.resolve() };
      const reply = await kernel.emitter.call('turn.intercept', [{ ...message, ...turn } as Turn]);
      return reply && ('text' in reply ? reply.text : JSON.stringify(reply.calls));
    },
  };
}

export interface RecordedOutput extends CliOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export function recordOutput(input: readonly string[] = []): RecordedOutput {
  let stdout = '';
  let stderr = '';
  return {
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    async *lines() {
      yield* input;
    },
    isTerminal: false,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
  };
}
