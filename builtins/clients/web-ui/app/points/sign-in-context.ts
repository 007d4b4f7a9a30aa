// Defines the context by which a sign-in method delivers its token.
import { createContext, use } from 'react';
import { t } from '../kit/t.ts';

export interface SigningIn {
  /** Stores the token and tries it. */
  take(token: string): void;
  /** Reports why there is none, as a sentence. */
  refuse(problem: string): void;
}

export const SignInContext = createContext<SigningIn | undefined>(undefined);

/** Returns the sign-in functions. For parts of the slot `sign-in`. */
export function useSigningIn(): SigningIn {
  const signingIn = use(SignInContext);
  if (!signingIn) throw new Error(t('a sign-in method is outside of the sign-in page'));
  return signingIn;
}
