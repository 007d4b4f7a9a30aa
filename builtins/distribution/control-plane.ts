// Defines the distribution of the control plane: the same kernel with other plugins, none of which is in the stock server.
import type { Distribution } from './distribution.ts';

const platform = [
  'storage', // a few files: the secret, the marker file of a running server
  'patterns', // time-limited matching of external patterns
  'processes', // tracks and ends child processes
  'schedule', // recurring clean-up
  'http', // routes, checks, streams
  'commands', // command line
] as const;

export const controlPlaneBuiltins = [
  'plane-database', // the database
  'plane-signals', // publishes events to the streams of all nodes
  'plane-keys', // signing and sealing keys
  'plane-people', // accounts and permissions
  'plane-licenses', // licenses that services present
  'plane-service-sign-in', // licenses for services: by a form, or by a code
  'plane-package', // plugins for services of paid tiers
  'plane-inference', // model calls, paid from a credit wallet
  'plane-sso', // sign-in by an organisation's identity provider
  'plane-audit-log', // tamper-evident audit log
  'plane-audit', // reports that services send, for administrators
  'plane-policy', // an organisation's policy for its services
  'plane-bus', // messages between members' agents
  'plane-history', // stored chats of members, searchable
  'plane-notes', // members' notes, synchronized across machines, and team notes
  'plane-connect', // accounts at other services, through the operator's OAuth clients
  'plane-relay', // remote sessions, end-to-end encrypted
  'plane-pages', // the web pages
  'plane-serve', // the server program; prints the key
] as const satisfies readonly string[];

/** Number of wrong bearer tokens that are allowed for each allowed password attempt. */
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

/** Returns the host of a URL; '' for an invalid one. */
function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '';
}
