// Tracks the newest revision of a document through notifications from the control plane.
import { useEffect, useState } from 'react';
import { openLive } from '../../base/open-live.ts';

/** Returns `undefined` until the control plane has reported a revision. */
export function useNewestRevision(kind: 'policy' | 'fleet'): number | undefined {
  const [revision, setRevision] = useState<number>();
  useEffect(
    () =>
      openLive({
        address: () => '/api/team/changes',
        onMessage(data) {
          const reported = (JSON.parse(data) as Readonly<Record<string, unknown>>)[kind];
          if (typeof reported === 'number') setRevision(reported);
        },
      }),
    [kind],
  );
  return revision;
}
