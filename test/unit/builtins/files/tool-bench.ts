// Runs tools in a small kernel: contributed families are called directly, without agent and policy.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { ContributionPoints, Emitter, Kernel, PluginModule, Services } from 'agent-harness/kernel';
import { codeOf, isFailure } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import { createExactFiles } from '../../../../plugins/exact-files/exact-files.ts';
import type { ToolContext, ToolFamily, ToolOutcome } from 'agent-harness/plugins/tools';
import { thrownOutcome } from '../../../../plugins/tools/run-tool.ts';
import * as processes from '../../../../plugins/processes/index.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';
import { configOf } from '../../../helpers/config-of.ts';

export interface ToolBench {
  readonly kernel: Kernel;
  readonly home: string;
  readonly workspace: string;
  readonly progress: string[];
  readonly logs: string[];
  readonly items: { readonly [P in keyof ContributionPoints]?: ContributionPoints[P][] };
  /** The emitter of the plugin that owns hooks and points. */
  readonly owner: Emitter;
  family(name: string): ToolFamily;
  descriptor(name: string): ToolFamily['tools'][number];
  /** Evaluates the approval of the call, runs it whatever the result, and calls `tool.after`. */
  run(name: string, args: object, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  output(name: string, args: object, context?: Partial<ToolContext>): Promise<string>;
  error(name: string, args: object, context?: Partial<ToolContext>): Promise<string>;
  asks(name: string, args: object, callId?: string): Promise<string | undefined>;
  rules(name: string, args: object, turn?: { readonly workspaceRoot: string }): Promise<string[]>;
  close(): Promise<readonly unknown[]>;
}

const points = ['tool_family', 'approval_rule', 'route', 'slash_command', 'wire_event'] as const;
const hooks = [
  ['chat.close', 'series'],
  ['session.reset', 'series'],
  ['turn.before', 'series'],
  ['round.before', 'series'],
  ['turn.after', 'series'],
  ['tool.after', 'waterfall'],
  ['prompt.build', 'waterfall'],
] as const;

export interface BenchOptions {
  readonly modules: Readonly<Record<string, object>>;
  readonly services?: Partial<Services>;
  readonly hooks?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Closed with the test, unless it was opened for several tests: then the caller closes it. */
export async function openToolBench(options: BenchOptions): Promise<ToolBench> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
  const home = join(base, 'home');
  const workspace = join(base, 'work');
  await mkdir(home);
  await mkdir(workspace);
  const items: Record<string, any[]> = {};
  const logs: string[] = [];
  let owner: Emitter | undefined;
  const host: PluginModule<never> = {
    register(registry, emitter) {
      owner = emitter;
      for (const [name, kind] of hooks) emitter.hook(name, kind);
      for (const point of points) {
        const list: unknown[] = [];
        items[point] = list;
        registry.point(point, { added: (item) => void list.push(item), removed: (item) => void list.splice(list.indexOf(item), 1) });
      }
    },
  };
  const product = { name: 'app', title: 'App', version: '0', home, startFolder: workspace };
  const kernel = createKernel({
    dataDir: join(home, 'plugin-data'),
    services: { product, exactFiles: createExactFiles(), ...options.services },
    config: configOf({ environment: options.environment ?? {} }),
    log: (level, plugin, message) => void logs.push(`${level} ${plugin}: ${message}`),
  });
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      {
        origin: 'builtin',
        modules: { host, processes: processes as unknown as PluginModule<never>, ...(options.modules as Record<string, PluginModule<never>>) },
      },
    ],
  });
  const broken = report.plugins.find((plugin) => plugin.state !== 'active');
  if (broken) throw new Error(`${broken.name} is ${broken.state}: ${broken.reason}`);

  let isOpen = true;
  const progress: string[] = [];
  let asked = 1000;
  const place = { chatId: 'chat_1', workspaceRoot: workspace };
  const ownerOf = (): Emitter => {
    if (!owner) throw new Error('the host did not load');
    return owner;
  };
  const families = (): ToolFamily[] => items['tool_family'] ?? [];
  const familyOf = (tool: string): ToolFamily => {
    const family = families().find((one) => one.tools.some(({ name }) => name === tool));
    if (!family) throw new Error(`no tool ${tool}`);
    return family;
  };
  const bench: ToolBench = {
    kernel,
    home,
    workspace,
    progress,
    logs,
    items,
    owner: ownerOf(),
    family: (name) => families().find((one) => one.name === name) as ToolFamily,
    descriptor: (name) => familyOf(name).tools.find((tool) => tool.name === name) as ToolFamily['tools'][number],
    async run(name, args, context) {
      const code = (await familyOf(name).load())[name];
      const signal = new AbortController().signal;
      const said = { signal, progress: (note: string) => void progress.push(note), waiting: () => () => undefined };
      const full: ToolContext = { ...place, turnId: 'turn_1', callId: `call_${asked++}`, ...said, ...context };
      const { needsApproval } = bench.descriptor(name);
      if (typeof needsApproval === 'function') await needsApproval(args as never, full);
      try {
        const outcome = await code?.(args as never, full);
        return typeof outcome === 'string' ? { ok: true, output: outcome } : (outcome as ToolOutcome);
      } catch (thrown) {
        // Converts errors as `tools.run` does. An unexpected error of the tool fails the test.
        if (!isFailure(thrown) && !codeOf(thrown)?.includes('_ERR_')) throw thrown;
        return thrownOutcome(name, thrown);
      } finally {
        await bench.owner.call('tool.after', [{ ok: true, output: '' }, { callId: full.callId } as ToolCall]);
      }
    },
    async output(name, args, context) {
      const outcome = await bench.run(name, args, context);
      if (!outcome.ok) throw new Error(`${name} failed: ${outcome.error}`);
      return outcome.output;
    },
    async error(name, args, context) {
      const outcome = await bench.run(name, args, context);
      if (outcome.ok) throw new Error(`${name} did not fail: ${outcome.output}`);
      return `${outcome.error}\n${outcome.hint ?? ''}`;
    },
    async asks(name, args, callId = `call_${asked++}`) {
      const { needsApproval } = bench.descriptor(name);
      return typeof needsApproval === 'function' ? needsApproval(args as never, { ...place, callId }) : needsApproval === true ? 'always' : undefined;
    },
    async rules(name, args, turn) {
      const call = {
        callId: `call_${asked++}`,
        tool: { ...bench.descriptor(name), family: familyOf(name).name, plugin: familyOf(name).name },
        args,
        turn: { ...place, ...turn },
      };
      const verdicts = await Promise.all(((items['approval_rule'] ?? []) as ApprovalRule[]).map(async (rule) => rule.decide(call as never)));
      return verdicts.flatMap((verdict) => (verdict ? [verdict.verdict] : []));
    },
    async close() {
      const faults = isOpen ? await kernel.close() : [];
      isOpen = false;
      await rm(base, { recursive: true, force: true });
      return faults;
    },
  };
  closeAfterTest(() => bench.close());
  return bench;
}
