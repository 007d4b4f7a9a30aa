// Starts the guest's app with any transport to the host.
import './guest.css';
import { showJoin } from './join-screen.ts';
import { showMirror } from './mirror-screen.ts';
import type { GuestTransport, Joined } from './transport.ts';

/** Shows the join screen if there is no token, then the window; returns to the join screen afterwards. */
export function startGuest(root: HTMLElement, way: GuestTransport): void {
  const resumed = way.resume();
  if (resumed) mirror(resumed);
  else join();

  function join(notice?: string): void {
    showJoin(root, { way, ...(notice === undefined ? {} : { notice }), onJoined: mirror });
  }

  function mirror(joined: Joined): void {
    showMirror(root, { way, joined, onLeave: join });
  }
}
