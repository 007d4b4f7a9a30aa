declare module 'all-plugins' {
  import type { PluginModule } from 'agent-harness/kernel';

  type Modules = Readonly<Record<string, PluginModule<never>>>;
  export const platform: Modules;
  export const builtins: Modules;
}
