// The control plane: the same kernel with other plugins. None of its own is part of the stock server.
import type { Distribution } from './distribution.ts';

const platform = [
  'storage', // its own few files: the secret, the notice of a running server
  'patterns', // a pattern from outside cannot keep the server busy
  'processes', // what was started is found again and ended
  'schedule', // what has to be swept, and when
  'http', // routes, checks, streams
  'commands', // its command line
] as const;

export const controlPlaneBuiltins = [
  'plane-database', // the truth
  'plane-signals', // wakes readers, on other nodes too
  'plane-keys', // what is signed and what is sealed
  'plane-people', // who may do what
  'plane-licenses', // what services show to be let in
  'plane-service-sign-in', // how a service gets a license: by a form, or by a code
  'plane-package', // plugins that services of paid tiers load
  'plane-inference', // calls of models, paid from a wallet
  'plane-sso', // who comes by the identity provider of their organisation
  'plane-audit-log', // what happened, in an order that nobody changes unseen
  'plane-audit', // services report to it, admins read it
  'plane-policy', // what an organisation lays down for its services
  'plane-bus', // what members' agents tell each other
  'plane-history', // chats that members keep, found by their words
  'plane-notes', // what members remember, alike on all their machines, and what a team knows
  'plane-connect', // accounts at other services, by the operator's clients
  'plane-relay', // remote sessions, sealed from end to end
  'plane-pages', // what people see of it in a browser
  'plane-serve', // the program: serves, prints the key
] as const satisfies readonly string[];

/** Wrong bearer tokens for each attempt at a password. */
const tokensPerAttempt = 30;

export const controlPlane: Distribution = {
  name: 'hub',
  title: 'Control Plane',
  command: 'app control-plane',
  homeFolder: '.app-hub',
  platform,
  builtins: controlPlaneBuiltins,
  defaults: (environment) => ({
    AGENT_WEB_ALLOWED_HOSTS: hostOf(environment['HUB_PUBLIC_URL']),
    AGENT_WEB_ATTEMPTS_PER_MINUTE: String(tokensPerAttempt * (Number(environment['HUB_ATTEMPTS_PER_MINUTE']) || 10)),
  }),
  setBy: { AGENT_WEB_ALLOWED_HOSTS: 'HUB_PUBLIC_URL', AGENT_WEB_ATTEMPTS_PER_MINUTE: 'HUB_ATTEMPTS_PER_MINUTE' },
};

/** Empty where there is none, or none that can be read. */
function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '';
}
