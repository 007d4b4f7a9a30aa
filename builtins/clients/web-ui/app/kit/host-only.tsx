// What only the person at this machine may press: whoever steers the page from afar is refused there by the server.
import type { ReactNode } from 'react';

/** For the element itself. The server looks for it before it passes on a click or a key of a guest. */
export const hostOnly = { 'data-guest': 'refuse' } as const;

/** Around parts whose elements it does not make itself; the layout knows nothing of it. */
export function HostOnly({ isOff = false, children }: { /** Guests may. */ readonly isOff?: boolean; readonly children: ReactNode }) {
  if (isOff) return children;
  return (
    <div className="host-only" {...hostOnly}>
      {children}
    </div>
  );
}
