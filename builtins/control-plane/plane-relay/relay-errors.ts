// Defines the errors of the relay for remote sessions.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  SESSION_UNKNOWN: { message: 'The remote session does not exist, has ended, or belongs to another person. Create a new code.', status: 404 },
  CODE_TAKEN: { message: 'Another remote session uses this code. Create a new code.', status: 409 },
  TOO_MANY_SESSIONS: { message: 'You already have {limit} remote sessions on this control plane. End one of them first.', status: 429 },
  CODE_WRONG: { message: 'This link is not valid: it was mistyped, was revoked, or has expired. Ask for a new one.', status: 404 },
  GUEST_TAKEN: { message: 'This page has already joined the remote session. Reload the page to join again.', status: 409 },
  TOO_MANY_GUESTS: { message: 'This remote session already has the maximum of {limit} viewers. Try again after one of them has left.', status: 429 },
  GUESTS_ONLY: { message: 'This request requires the token of a guest, which is issued on joining a remote session.', status: 403 },
  INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
  TOO_LARGE: { message: 'The encrypted message is {bytes} bytes long; the relay accepts at most {limit}.', status: 413 },
  BUSY: {
    message: 'The relay of this control plane has no free memory. Try again later, connect over the local network, or ask the operator to raise HUB_RELAY_MB.',
    status: 503,
  },
  NOT_BUILT: { message: "The page is not built. Run 'npm run build' in the package folder of the control plane, then reload the page.", status: 503 },
  NOT_FOUND: { message: "The page has no file '{name}'.", status: 404 },
} as const;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
