// Defines the context through which a sign-in method delivers its token.
import { createContext, use } from 'react';
import { t } from '../kit/t.ts';

export interface SigningIn {
  /** Stores the token and tries it. */
  take(token: string): void;
  /** Reports why no token was obtained, as a sentence. */
  refuse(problem: string): void;
}

export const SignInContext = createContext<SigningIn | undefined>(undefined);

/** Returns the sign-in functions. For components in the slot `sign-in`. */
export function useSigningIn(): SigningIn {
  const signingIn = use(SignInContext);
  if (!signingIn) throw new Error(t('a sign-in method is outside of the sign-in page'));
  return signingIn;
}
