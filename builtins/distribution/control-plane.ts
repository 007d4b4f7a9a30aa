// Defines the control plane's distribution: the same kernel with its own plugins, none of which is in the stock server.
import type { Distribution } from './distribution.ts';

const platform = [
  'storage', // few files: the secret, the notice of a running server
  'patterns', // time-limited matching of external patterns
  'processes', // child processes are tracked and ended
  'schedule', // recurring clean-up
  'http', // routes, checks, streams
  'commands', // command line
] as const;

export const controlPlaneBuiltins = [
  'plane-database', // the database
  'plane-signals', // notifies readers, also on other nodes
  'plane-keys', // signing and sealing keys
  'plane-people', // accounts and permissions
  'plane-licenses', // licenses that services present
  'plane-service-sign-in', // licenses for services: by a form, or by a code
  'plane-package', // plugins for services of paid tiers
  'plane-inference', // model calls, paid from a wallet
  'plane-sso', // sign-in by an organisation's identity provider
  'plane-audit-log', // tamper-evident audit log
  'plane-audit', // reports of services, for admins
  'plane-policy', // an organisation's policy for its services
  'plane-bus', // messages between members' agents
  'plane-history', // stored chats of members, searchable
  'plane-notes', // members' notes, synchronized across machines, and team notes
  'plane-connect', // accounts at other services, by the operator's OAuth clients
  'plane-relay', // remote sessions, end-to-end encrypted
  'plane-pages', // the web pages
  'plane-serve', // the program: serves, prints the key
] as const satisfies readonly string[];

/** Wrong bearer tokens allowed per password attempt. */
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

/** Returns an empty text for an invalid address. */
function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '';
}
