// Marks elements that only the local user may press. The server refuses input from remote viewers there.
import type { ReactNode } from 'react';

/** Attribute for the element itself. The server checks it before it forwards a remote viewer's click or key. */
export const hostOnly = { 'data-guest': 'refuse' } as const;

/** Wraps components whose elements are created elsewhere; has no effect on the layout. */
export function HostOnly({ isOff = false, children }: { /** Allows remote viewers. */ readonly isOff?: boolean; readonly children: ReactNode }) {
  if (isOff) return children;
  return (
    <div className="host-only" {...hostOnly}>
      {children}
    </div>
  );
}
