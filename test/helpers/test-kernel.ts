// Creates a kernel with plugins given as objects and records its output.
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type {
  Emitter,
  ErrorEvent,
  Kernel,
  KernelOptions,
  LoadReport,
  PluginManifest,
  PluginModule,
  PluginOrigin,
  PluginSource,
  Registry,
} from 'agent-harness/kernel';
import type { ConfigTexts } from '../../plugins/settings/config-store.ts';
import { closeAfterTest } from './close-after-test.ts';
import { configOf } from './config-of.ts';

export type TestPlugin = {
  readonly manifest?: Omit<PluginManifest, 'name' | 'requires' | 'optional' | 'provides' | 'events' | 'entitlement'> & {
    readonly requires?: readonly string[];
    readonly optional?: readonly string[];
    readonly provides?: readonly string[];
    readonly events?: readonly string[];
    readonly entitlement?: string;
  };
  /** Untyped on purpose: tests use undeclared services, hooks and contribution points. */
  register?(registry: any, emitter: any): unknown;
};

export interface TestKernel {
  readonly kernel: Kernel;
  readonly report: LoadReport;
  readonly errors: ErrorEvent[];
  readonly logs: string[];
  state(name: string): string | undefined;
  reason(name: string): string | undefined;
  close(): Promise<readonly unknown[]>;
}

/** Loads a kernel. A kernel loaded by a unit test is closed after the test; otherwise, the caller closes it. */
export async function loadTestKernel(
  plugins: Readonly<Record<string, TestPlugin>>,
  options: {
    readonly origin?: PluginOrigin;
    readonly kernel?: KernelOptions & ConfigTexts;
    readonly sources?: readonly PluginSource[];
    readonly timeoutMs?: number;
    readonly disabled?: readonly string[];
  } = {},
): Promise<TestKernel> {
  const logs: string[] = [];
  const errors: ErrorEvent[] = [];
  const kernel = createKernel({
    log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
    config: configOf(options.kernel ?? {}),
    ...options.kernel,
  });
  kernel.emitter.on('error', (error) => errors.push(error));
  const { timeoutMs, disabled } = options;
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [{ origin: options.origin ?? 'builtin', modules: toModules(plugins) }, ...(options.sources ?? [])],
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(disabled === undefined ? {} : { disabled }),
  });
  const row = (name: string) => kernel.control.report().plugins.find((plugin) => plugin.name === name);
  let isOpen = true;
  const close = (): Promise<readonly unknown[]> => {
    isOpen = false;
    return kernel.close();
  };
  closeAfterTest(() => (isOpen ? close() : undefined));
  return { kernel, report, errors, logs, state: (name) => row(name)?.state, reason: (name) => row(name)?.reason, close };
}

export function toModules(plugins: Readonly<Record<string, TestPlugin>>): Record<string, PluginModule<never>> {
  const nothing = (_registry: Registry, _emitter: Emitter): void => undefined;
  return Object.fromEntries(
    Object.entries(plugins).map(([name, plugin]) => [
      name,
      { register: plugin.register ?? nothing, ...(plugin.manifest ? { manifest: { name, ...plugin.manifest } } : {}) } as unknown as PluginModule<never>,
    ]),
  );
}
