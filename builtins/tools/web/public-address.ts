// Connections of this plugin: to public addresses, and to hosts that a person allowed.
import { createGuardedAgents, isPublicAddress, type GuardedAgents } from 'agent-harness/lib/net';
import { addressRefusedCode } from './web-fault.ts';

export interface Agents {
  /** Rejects for an address in place of a name that is not public. @param mayBePrivate the host was allowed by a person */
  agentFor(url: URL, mayBePrivate: boolean): ReturnType<GuardedAgents['agentFor']>;
  /** Ends every connection. */
  destroy(): void;
}

/** Whoever makes them destroys them. */
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
