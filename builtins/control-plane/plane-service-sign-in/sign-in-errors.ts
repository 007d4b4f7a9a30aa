// Defines the errors of the service sign-in. Those of the device flow have the codes of RFC 8628.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  REDIRECT: {
    message: 'A license is handed over to the server on your own machine alone, and this address is none of it. Begin the sign-in again there.',
    status: 400,
  },
  STATE_USED: { message: 'This sign-in was confirmed already. Begin again on the device that you want to sign in.', status: 409 },
  SESSION_NEEDED: { message: 'Only a person who is signed in to these pages can confirm that.', status: 403 },
  CODE_UNKNOWN: { message: 'There is no such code, or it ran out. Look at the screen that shows it, or begin there again.', status: 404 },
  AUTHORIZATION_PENDING: { message: 'The code is not confirmed yet. Ask again in {interval} seconds.', status: 400 },
  SLOW_DOWN: { message: 'That was too soon. Ask again in {interval} seconds.', status: 400 },
  ACCESS_DENIED: { message: 'The sign-in was refused.', status: 400 },
  EXPIRED_TOKEN: { message: 'The code ran out, or was used. Begin again.', status: 400 },
} as const;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
