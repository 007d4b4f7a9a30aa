// Defines the errors of single sign-on.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  NOT_SET_UP: { message: 'Single sign-on is not set up here. Sign in with your password.', status: 404 },
  NOT_FOUND: { message: 'There is no such organisation.', status: 404 },
  ISSUER_INVALID: { message: 'The issuer must be an https address, as the identity provider names it.', status: 400 },
  ADDRESS_REFUSED: {
    message:
      'The identity provider, or an address that it names, is in a private network. Only the organisation that runs this control plane can use such an address.',
    status: 403,
  },
  DOMAIN_INVALID: { message: "'{domain}' is no domain of e-mail addresses.", status: 400 },
  DOMAIN_TAKEN: { message: "'{domain}' is proven for another organisation.", status: 409 },
  DOMAIN_UNKNOWN: { message: "The organisation does not name '{domain}' in its single sign-on, so there is nothing to prove.", status: 404 },
  STATE_INVALID: { message: 'This sign-in was begun in another browser, was used, or took too long. Begin again.', status: 403 },
  PROVIDER_UNREACHABLE: { message: 'The identity provider cannot be reached, or is out of order. Try again in a moment.', status: 502 },
  PROVIDER_REFUSED: { message: 'The identity provider did not confirm who you are: {why}', status: 403 },
  LINK_NEEDED: {
    message: 'There is an account with this e-mail address already. Sign in with its password, then connect single sign-on under "Your account".',
    status: 409,
  },
  LINK_TAKEN: {
    message:
      'Who the identity provider says you are is connected with another account here. Sign out at the provider, sign in there as yourself, and begin again.',
    status: 409,
  },
  NOT_LINKED: { message: 'Single sign-on of this organisation is not connected with your account.', status: 404 },
  NOT_INVITED: { message: 'You are no member of this organisation. Ask one of its admins for an invitation.', status: 403 },
} as const;

export type SsoFault = keyof typeof errors;
export type MakeError = (reason: SsoFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
