// What a way to sign in does with the token that it got, before the server lets anybody in.
import { createContext, use } from 'react';
import { t } from '../kit/t.ts';

export interface SigningIn {
  /** Keeps the token and tries it. */
  take(token: string): void;
  /** Says why there is none, as a sentence. */
  refuse(problem: string): void;
}

export const SignInContext = createContext<SigningIn | undefined>(undefined);

/** For parts of the slot `sign-in`. */
export function useSigningIn(): SigningIn {
  const signingIn = use(SignInContext);
  if (!signingIn) throw new Error(t('a way to sign in stands outside of the sign-in'));
  return signingIn;
}
