// Shows the page if it is authenticated, otherwise the sign-in form.
import { useState, type ReactNode } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { SignIn } from './sign-in.tsx';

type Stand = 'unknown' | 'in' | 'out';

/** `isKnown`: whether the page has a token and is therefore shown before the server has responded. */
export function Gate({ isKnown, children }: { readonly isKnown: boolean; readonly children: ReactNode }) {
  const connection = useStore(useClient().connection);
  const [stand, setStand] = useState<Stand>(isKnown ? 'in' : 'unknown');
  const isRefused = connection.stream === 'refused' || connection.rest === 'refused';
  // The form stays until the token is accepted, because the form must be able to show a rejection.
  const next: Stand = isRefused ? 'out' : connection.stream === 'open' || (stand === 'unknown' && connection.rest === 'down') ? 'in' : stand;
  if (next !== stand) setStand(next);
  if (next === 'out') return <SignIn connection={connection} />;
  return next === 'in' ? children : null;
}
