// Who comes to the door, where somebody is signed in already.
import { useEffect, useState } from 'react';
import type { Me } from '../base/me.ts';
import { call } from '../base/plane.ts';

/** `undefined` until it is known; `null` for somebody who is not signed in. */
export function useVisitor(): Me | null | undefined {
  const [visitor, setVisitor] = useState<Me | null>();
  useEffect(() => {
    const gone = new AbortController();
    call('GET /api/account/me', { signal: gone.signal }).then(setVisitor, () => gone.signal.aborted || setVisitor(null));
    return () => gone.abort();
  }, []);
  return visitor;
}
