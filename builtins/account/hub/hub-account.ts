// Implements sign-in through the hosted site, sign-out, and the state of the account.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { sentencesOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import type { Account, LicenseState, Tier } from 'agent-harness/plugins/licensing';
import type { HubSite, InferenceStatus } from './contract.ts';
import type { DeviceSignIn, DeviceSignInState } from './device-sign-in.ts';
import { createSignInStates, type SignInOutcome } from './sign-in-states.ts';
import type { manifest } from './manifest.ts';

export interface HubAccount {
  read(): Promise<LicenseState & { connected: boolean; account: Account | null; licensed: boolean; entitlements: string[] }>;
  begin(): { connectUrl: string; state: string };
  /**
   * Finishes a sign-in; resolves with the tier. Rejects with `forbidden` for an invalid state or a request from another machine, and with the license error for
   * an invalid token.
   */
  finish(handOver: { readonly token: string; readonly state: string }, peer: string): Promise<Tier>;
  /** Returns the outcome of a started sign-in. */
  outcome(state: string): SignInOutcome;
  /** Starts a sign-in with a code that the user confirms on another machine. Rejects with `plane_unreachable` and `plane_refused`. */
  beginDevice(): Promise<DeviceSignInState>;
  device(): DeviceSignInState;
  cancelDevice(): void;
  signOut(): Promise<SignedOut>;
  /** Renews the license to apply the current plan. Rejects with `turn_in_progress`. */
  reconnect(): Promise<void>;
  inference(): Promise<InferenceStatus>;
  /** Returns whether the origin is that of the hosted site. */
  isHubOrigin(origin: string): boolean;
}

export interface SignedOut {
  /** Whether the control plane revoked the license. */
  readonly revoked: boolean;
  /** Reason why the revocation failed; the license may still be valid in that case. */
  readonly message?: string;
}

export interface AccountParts {
  readonly hubSite: HubSite;
  readonly renew: (signal: AbortSignal) => Promise<void>;
  /** Aborts all requests of the account. */
  readonly signal: AbortSignal;
}

/** Timeouts of the revocation and the renewal of a license, in milliseconds. */
const revokeMs = 5_000;
const renewMs = 5_000;

export function createHubAccount(registry: Registry<typeof manifest>, emitter: Emitter, { hubSite, renew, signal }: AccountParts): HubAccount {
  const { services, config } = registry;
  let deviceSignIn: DeviceSignIn | undefined;
  const states = createSignInStates();
  const currentState = (): Promise<LicenseState> => services.license.ready().then(() => services.license.state());

  /** Best effort: the user is signed out locally even if the revocation fails. */
  async function revoke(token: string): Promise<SignedOut> {
    const { postToPlane } = await import('./post-to-plane.ts');
    const { status, code, why } = await postToPlane({ plane: hubSite.controlPlane(), path: '/api/license/revoke', token, signal, timeoutMs: revokeMs });
    if (status === 200 || code === 'token_revoked') return { revoked: true };
    return { revoked: false, message: `The control plane could not be notified, so it accepts the license until it expires: ${why ?? 'no response'}` };
  }

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
      if (!isLoopback(peer)) throw registry.error('FORBIDDEN', { why: "a sign-in can be finished only on the server's computer." });
      if (!states.use(state)) throw registry.error('FORBIDDEN', { why: 'this sign-in is unknown, finished or older than 5 minutes. Start again.' });
      try {
        const { tier } = await services.license.apply(token, 'browser');
        states.settle(state, { state: 'signed_in' });
        return tier;
      } catch (fault) {
        states.settle(state, { state: 'failed', message: sentencesOf(fault) });
        throw fault;
      }
    },

    outcome: (state) => states.outcome(state),

    async beginDevice() {
      const { createDeviceSignIn } = await import('./device-sign-in.ts');
      deviceSignIn ??= createDeviceSignIn({
        hubSite,
        apply: async (token) => void (await services.license.apply(token, 'browser')),
        makeError: registry.error.bind(registry),
        signal,
      });
      return deviceSignIn.begin();
    },
    device: () => deviceSignIn?.state() ?? { state: 'none' },
    cancelDevice: () => deviceSignIn?.cancel(),

    async signOut() {
      const token = services.license.account()?.source === 'browser' ? await services.license.token() : undefined;
      await services.license.clear();
      return token === undefined ? { revoked: false } : revoke(token);
    },

    async reconnect() {
      if (services.turns?.statuses().some((chat) => chat.busy)) throw registry.error('TURN_IN_PROGRESS');
      await services.license.refresh();
      if (services.license.account()?.source === 'browser') await renew(AbortSignal.any([signal, AbortSignal.timeout(renewMs)]));
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

    isHubOrigin(origin) {
      try {
        return new URL(config.siteUrl).origin === origin;
      } catch {
        return false; // AGENT_HUB_SITE_URL is invalid.
      }
    },
  };
}

function isLicensed(state: LicenseState): boolean {
  return state.status === 'active' || state.status === 'grace';
}
