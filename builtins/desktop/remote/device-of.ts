// Identifies the device that created a code.
import type { Principal } from 'agent-harness/plugins/http';

/** A paired device, or the machine of the server with all of its windows and terminals. */
export function deviceOf(principal: Principal | undefined): string {
  return principal?.kind === 'device' ? `device ${principal.id}` : 'host';
}
