// Whether what is unlocked does something on this server: which plugins wait for it, and how they are. Pure.

export interface PluginState {
  readonly name: string;
  readonly state: string;
  readonly entitlement?: string;
  readonly reason?: string;
}

/** Nothing where all is as it should be. */
export function troubleOf(entitlement: string, plugins: readonly PluginState[]): string | undefined {
  const stopped = plugins.filter((one) => one.entitlement === entitlement && one.state !== 'active' && one.state !== 'locked');
  if (stopped.length === 0) return undefined;
  return stopped
    .map(({ name, state, reason }) => `${name} ${state === 'disabled' ? 'is switched off' : `does not run${reason === undefined ? '' : `: ${reason}`}`}`)
    .join('; ');
}
