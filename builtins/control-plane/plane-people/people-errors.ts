// Defines the errors of people.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  FORBIDDEN: { message: 'You are no member of an organisation that may do this.', status: 403 },
  SIGNED_OUT: { message: 'You are not signed in.', status: 401 },
  SESSION_NEEDED: {
    message: 'This needs a browser session: sign in to the control plane in a browser. A license or service token is not accepted here.',
    status: 403,
  },
  SESSION_BOUND: { message: 'You came by the single sign-on of one organisation. Sign in with your password to do this.', status: 403 },
  EMAIL_INVALID: { message: 'This is no e-mail address.', status: 400 },
  EMAIL_TAKEN: { message: 'An account with this e-mail address exists already. Sign in instead.', status: 409 },
  PASSWORD_WEAK: { message: 'A password has 8 to 200 characters.', status: 400 },
  PASSWORD_WRONG: { message: 'That is not the password of this account.', status: 403 },
  SIGN_IN_WRONG: { message: 'E-mail address or password is wrong.', status: 401 },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts. Try again in {retryAfter} seconds.', status: 429 },
  BUSY: { message: 'Too many people are signing in at this moment. Try again in {retryAfter} seconds.', status: 503 },
  SEATS_TAKEN: { message: 'All {seats} seats of the organisation are taken.', status: 409 },
  LAST_OWNER: { message: 'An organisation needs an owner: make another member an owner first.', status: 409 },
  SIGN_UP_CLOSED: { message: 'This control plane lets people in by invitation alone. Ask an admin of your organisation for one.', status: 403 },
  SET_UP_DONE: { message: 'This control plane has an owner already. Sign in, or ask them for an invitation.', status: 409 },
  MAIL: { message: 'The mail server of SMTP_URL did not take the mail.', status: 502 },
  LINK_INVALID: { message: 'This link is wrong, was used, or has run out. Ask for a new one.', status: 403 },
  INVITE_FOR_OTHER: { message: 'This invitation is for another e-mail address than {email}.', status: 403 },
  OWNER_NEEDED: { message: 'Only an owner can do this with an owner.', status: 403 },
  OPERATOR_NEEDED: { message: 'Only owners of the organisation that runs this control plane can do this.', status: 403 },
  NOT_FOUND: { message: 'There is no such {what}.', status: 404 },
} as const;

export type PeopleFault = keyof typeof errors;
export type MakeError = (reason: PeopleFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
