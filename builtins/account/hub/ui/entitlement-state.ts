// Describes whether the plugins of an entitlement work on this server. Pure.
import { t } from '#page/kit/t.ts';
import { rowOf } from '#page/kit/short-texts.ts';

export interface PluginState {
  readonly name: string;
  readonly state: string;
  readonly entitlement?: string;
  readonly reason?: string;
}

/** Returns `undefined` if all plugins of the entitlement work. */
export function troubleOf(entitlement: string, plugins: readonly PluginState[]): string | undefined {
  const stopped = plugins.filter((one) => one.entitlement === entitlement && one.state !== 'active' && one.state !== 'locked');
  if (stopped.length === 0) return undefined;
  return rowOf(
    stopped.map(({ name, state, reason }) => {
      if (state === 'disabled') return t('{name} is switched off', { name });
      return reason === undefined ? t('{name} does not run', { name }) : t('{name} does not run: {reason}', { name, reason });
    }),
  );
}
