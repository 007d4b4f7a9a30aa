// Identifies the device that created a remote code.
import type { Principal } from 'agent-harness/plugins/http';

/** Returns the paired device of a request; all windows and terminals on this machine count as one device. */
export function deviceOf(principal: Principal | undefined): string {
  return principal?.kind === 'device' ? `device ${principal.id}` : 'host';
}
