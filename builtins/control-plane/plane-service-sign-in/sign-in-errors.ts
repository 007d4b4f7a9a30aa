// Defines the errors for signing in services. Errors of the device flow use the codes of RFC 8628.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  REDIRECT: {
    message: 'The callback address is not a server on your own machine, so it cannot receive a license. Start the sign-in again on that server.',
    status: 400,
  },
  STATE_USED: { message: 'This sign-in was already confirmed. Start again on the device that you want to sign in.', status: 409 },
  SESSION_NEEDED: { message: 'Only a person who is signed in to the pages of the control plane can confirm a sign-in.', status: 403 },
  CODE_UNKNOWN: { message: 'The code does not exist or has expired. Check the code on the device, or start the sign-in there again.', status: 404 },
  AUTHORIZATION_PENDING: { message: 'The code is not confirmed yet. Poll again in {interval} seconds.', status: 400 },
  SLOW_DOWN: { message: 'The request came too soon. Poll again in {interval} seconds.', status: 400 },
  ACCESS_DENIED: { message: 'The sign-in was denied.', status: 400 },
  EXPIRED_TOKEN: { message: 'The code has expired or was already used. Start the sign-in again.', status: 400 },
} as const;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
