// Lets the page in, or asks for a token first.
import { useState, type ReactNode } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { SignIn } from './sign-in.tsx';

type Stand = 'unknown' | 'in' | 'out';

/** `isKnown`: the page brought a token, so it is shown before the server answered. */
export function Gate({ isKnown, children }: { readonly isKnown: boolean; readonly children: ReactNode }) {
  const connection = useStore(useClient().connection);
  const [stand, setStand] = useState<Stand>(isKnown ? 'in' : 'unknown');
  const isRefused = connection.stream === 'refused' || connection.rest === 'refused';
  // The form stays until the token proved itself, so that it can say when it did not.
  const next: Stand = isRefused ? 'out' : connection.stream === 'open' || (stand === 'unknown' && connection.rest === 'down') ? 'in' : stand;
  if (next !== stand) setStand(next);
  if (next === 'out') return <SignIn connection={connection} />;
  return next === 'in' ? children : null;
}
