// Provides the signed-in user. Redirects other visitors to the sign-in page, and back afterwards.
import { useEffect } from 'react';
import type { Me } from '../base/me.ts';
import { goToSignIn } from '../base/plane.ts';
import { useVisitor } from './use-visitor.ts';

/** Returns `undefined` until the user is known, and during a redirect. */
export function useSignedIn(): Me | undefined {
  const visitor = useVisitor();
  useEffect(() => {
    if (visitor === null) goToSignIn();
  }, [visitor]);
  return visitor ?? undefined;
}
