// Defines the errors of licenses.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  TOKEN_EXPIRED: { message: 'The license ran out. Renew it with POST /api/license/renew, or sign in again.', status: 401 },
  TOKEN_REVOKED: { message: 'The license was revoked: signed out, or removed from the organisation. Sign in again.', status: 401 },
  TOKEN_INVALID: { message: 'This is no license of this control plane. Sign in again.', status: 401 },
  SEATS: { message: "All {seats} seats of '{org}' are taken. Remove a member, or ask its owner to add seats.", status: 409 },
  BEYOND_PLAN: { message: "'{org}' has the plan '{plan}', so no license of tier '{tier}' can be issued in it. Raise the plan first.", status: 409 },
  NOT_MEMBER: { message: 'A license is for a member of the organisation, and this person is none.', status: 409 },
  NOT_FOUND: { message: 'There is no such license.', status: 404 },
  WRONG_USE: { message: '{why}', status: 400 },
} as const;

export type LicenseFault = keyof typeof errors;
export type MakeError = (reason: LicenseFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
