// Creates the connections of the web tools, which are allowed only to public addresses and to hosts that the user allows.
import { createGuardedAgents, isPublicAddress, type GuardedAgents } from '#lib/net';
import { addressRefusedCode } from './web-fault.ts';

export interface Agents {
  /** Returns the agent for a URL. Throws for a literal address that is not public. @param mayBePrivate whether the user allowed the host */
  agentFor(url: URL, mayBePrivate: boolean): ReturnType<GuardedAgents['agentFor']>;
  destroy(): void;
}

/** Creates the agents, which the caller must destroy. */
export function createAgents(): Agents {
  const open = createGuardedAgents(() => undefined);
  const guarded = createGuardedAgents((address) =>
    isPublicAddress(address) ? undefined : Object.assign(new Error(`${address} is not public.`), { code: addressRefusedCode }),
  );
  return {
    agentFor: (url, mayBePrivate) => (mayBePrivate ? open : guarded).agentFor(url),
    destroy() {
      open.destroy();
      guarded.destroy();
    },
  };
}
