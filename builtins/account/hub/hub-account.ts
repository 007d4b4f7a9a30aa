// Signing in through the hosted site, signing out, and what the account is worth.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { isLoopback } from 'agent-harness/lib/hosts';
import type { Account, LicenseState, Tier } from 'agent-harness/plugins/licensing';
import type { InferenceStatus } from './contract.ts';
import { createSignInStates } from './sign-in-states.ts';
import type { manifest } from './manifest.ts';

export interface HubAccount {
  read(): Promise<LicenseState & { connected: boolean; account: Account | null; licensed: boolean; entitlements: string[] }>;
  begin(): { connectUrl: string; state: string };
  /** Rejects with `forbidden` for a bad state and a peer on another machine, and with what the license says about the token. */
  finish(handOver: { readonly token: string; readonly state: string }, peer: string): Promise<Tier>;
  signOut(): Promise<void>;
  /** Rejects with `turn_in_progress`. */
  reconnect(): Promise<void>;
  inference(): Promise<InferenceStatus>;
  /** Whether that is the origin of the hosted site. */
  isHubOrigin(origin: string): boolean;
}

export function createHubAccount(registry: Registry<typeof manifest>, emitter: Emitter): HubAccount {
  const { services, config } = registry;
  const states = createSignInStates();
  const currentState = (): Promise<LicenseState> => services.license.ready().then(() => services.license.state());

  return {
    async read() {
      const state = await currentState();
      const account = services.license.account();
      return { ...state, entitlements: [...state.entitlements], connected: account !== null, account, licensed: isLicensed(state) };
    },

    begin() {
      const address = services.http.address();
      if (!address) throw registry.error('NOT_SERVING');
      const state = states.begin();
      const redirect = `http://127.0.0.1:${address.port}/api/hub/auth/callback`;
      const query = new URLSearchParams({ state, redirect_uri: redirect });
      return { connectUrl: `${config.siteUrl.replace(/\/+$/, '')}/connect/harness?${query.toString()}`, state };
    },

    async finish({ token, state }, peer) {
      if (!isLoopback(peer)) throw registry.error('FORBIDDEN', { why: 'a sign-in can be finished only on this machine.' });
      if (!states.use(state)) throw registry.error('FORBIDDEN', { why: 'this sign-in is unknown, finished or older than 5 minutes. Begin again.' });
      const { tier } = await services.license.apply(token, 'browser');
      return tier;
    },

    async signOut() {
      await services.license.clear();
    },

    async reconnect() {
      if (services.turns?.statuses().some((chat) => chat.busy)) throw registry.error('TURN_IN_PROGRESS');
      await services.license.refresh();
      await emitter.call('hub.reconnect', []);
    },

    async inference() {
      const state = await currentState();
      const status: InferenceStatus = {
        configured: false,
        entitled: state.entitlements.includes('pro.managed_inference'),
        remaining: null,
        cap: null,
        used: null,
        periodEnd: null,
      };
      return services.license.account() === null ? status : emitter.call('hub.inference', [status]);
    },

    isHubOrigin: (origin) => URL.canParse(config.siteUrl) && new URL(config.siteUrl).origin === origin,
  };
}

function isLicensed(state: LicenseState): boolean {
  return state.status === 'active' || state.status === 'grace';
}
