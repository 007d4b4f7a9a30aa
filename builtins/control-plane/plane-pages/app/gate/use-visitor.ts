// Provides the signed-in user on a sign-in page, if a session exists.
import { useEffect, useState } from 'react';
import type { Me } from '../base/me.ts';
import { call } from '../base/plane.ts';

/** Returns `undefined` until the user is known; `null` if the visitor is not signed in. */
export function useVisitor(): Me | null | undefined {
  const [visitor, setVisitor] = useState<Me | null>();
  useEffect(() => {
    const gone = new AbortController();
    call('GET /api/account/me', { signal: gone.signal }).then(setVisitor, () => gone.signal.aborted || setVisitor(null));
    return () => gone.abort();
  }, []);
  return visitor;
}
