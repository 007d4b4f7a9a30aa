// Which revision is in force, as the control plane tells it.
import { useEffect, useState } from 'react';
import { openLive } from '../../base/open-live.ts';

/** `undefined` until it was told. */
export function useNewestRevision(kind: 'policy' | 'fleet'): number | undefined {
  const [revision, setRevision] = useState<number>();
  useEffect(
    () =>
      openLive({
        address: () => '/api/team/changes',
        onMessage(data) {
          const told = (JSON.parse(data) as Readonly<Record<string, unknown>>)[kind];
          if (typeof told === 'number') setRevision(told);
        },
      }),
    [kind],
  );
  return revision;
}
