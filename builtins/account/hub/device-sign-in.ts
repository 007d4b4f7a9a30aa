// Implements sign-in without a local browser by the device flow (RFC 8628): the user confirms a code on another machine, then the license is fetched.
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { KernelError } from 'agent-harness/kernel';
import { sentencesOf } from '#lib/errors';
import { textStart } from '#lib/text';
import type { HubSite } from './contract.ts';
import { postToPlane, type PlaneAnswer } from './post-to-plane.ts';

export interface DeviceSignInState {
  /** `none`: no sign-in was started. */
  readonly state: 'none' | 'waiting' | 'signed_in' | 'refused' | 'expired' | 'failed';
  /** Code that the user enters at `verificationUrl`. */
  readonly userCode?: string;
  readonly verificationUrl?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Error message; in the state `waiting`: the problem that currently delays the sign-in. */
  readonly message?: string;
}

export interface DeviceSignIn {
  state(): DeviceSignInState;
  /** Starts a sign-in and replaces a running one. Rejects with `PLANE_UNREACHABLE` and `PLANE_REFUSED`. */
  begin(): Promise<DeviceSignInState>;
  cancel(): void;
}

export interface DeviceSignInParts {
  readonly hubSite: HubSite;
  /** Activates a license. Rejects with an error whose message instructs the user. */
  readonly apply: (token: string) => Promise<void>;
  readonly makeError: (reason: 'PLANE_UNREACHABLE' | 'PLANE_REFUSED', details: Readonly<Record<string, unknown>>) => KernelError;
  /** Aborts every sign-in. */
  readonly signal: AbortSignal;
}

interface Begun {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  /** Polling interval in seconds. */
  readonly interval: number;
  /** Lifetime of the code in seconds. */
  readonly expiresIn: number;
}

/** Maximum duration that is accepted from the control plane, in seconds. */
const longestSeconds = 3_600;

export function createDeviceSignIn({ hubSite, apply, makeError, signal }: DeviceSignInParts): DeviceSignIn {
  let current: DeviceSignInState = { state: 'none' };
  let ending = new AbortController();

  const post = (path: `/${string}`, body: object, over: AbortSignal): Promise<PlaneAnswer> =>
    postToPlane({ plane: hubSite.controlPlane(), path, body, signal: over });

  async function follow(begun: Begun, over: AbortSignal): Promise<void> {
    const { userCode, verificationUrl, expiresAt = '' } = current;
    const shown = { userCode, verificationUrl, expiresAt } as DeviceSignInState;
    let { interval } = begun;
    while (!over.aborted) {
      await delay(interval * 1_000, undefined, { signal: over, ref: false }).catch(() => undefined);
      if (over.aborted) return;
      const answer = await post('/api/device/token', { deviceCode: begun.deviceCode }, over);
      if (over.aborted) return;
      if (answer.code === 'slow_down') interval = secondsIn(answer.details?.['interval'], interval + 5);
      const next = await stateAfter(answer);
      current = { ...shown, ...next };
      if (next.state !== 'waiting') return;
      if (Date.now() > Date.parse(expiresAt)) {
        current = { ...shown, state: 'expired', message: 'The code expired before it was confirmed. Start again.' };
        return;
      }
    }
  }

  async function stateAfter({ status, code, body, why }: PlaneAnswer): Promise<DeviceSignInState> {
    if (status === 200 && typeof body['token'] === 'string') {
      return apply(body['token']).then(
        () => ({ state: 'signed_in' }),
        (fault: unknown) => ({ state: 'failed', message: sentencesOf(fault) }),
      );
    }
    if (code === 'authorization_pending' || code === 'slow_down') return { state: 'waiting' };
    if (code === 'access_denied') return { state: 'refused', message: 'The sign-in was denied.' };
    if (code === 'expired_token') return { state: 'expired', message: 'The code expired before it was confirmed. Start again.' };
    const isFinal = status !== undefined && status < 500 && status !== 429 && status !== 408;
    return { state: isFinal ? 'failed' : 'waiting', ...(why === undefined ? {} : { message: why }) };
  }

  return {
    state: () => current,
    async begin() {
      ending.abort();
      ending = new AbortController();
      const over = AbortSignal.any([ending.signal, signal]);
      const answer = await post('/api/device/code', { device: textStart(hostname(), 200) }, over);
      const begun = readBegun(answer.body);
      if (answer.status !== 200 || !begun) {
        const { status, code = 'unknown', why = 'the response of the control plane contains no valid device code' } = answer;
        throw status === undefined || status >= 500 || status === 200
          ? makeError('PLANE_UNREACHABLE', { why })
          : makeError('PLANE_REFUSED', { status, code, message: why });
      }
      const { userCode, verificationUrl, expiresIn } = begun;
      current = { state: 'waiting', userCode, verificationUrl, expiresAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
      void follow(begun, over);
      return current;
    },
    cancel() {
      ending.abort();
      current = { state: 'none' };
    },
  };
}

/** Reads the control plane's response to the start of a sign-in; `undefined` if it is invalid. */
function readBegun({ deviceCode, userCode, verificationUrl, interval, expiresIn }: Readonly<Record<string, unknown>>): Begun | undefined {
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 2_000;
  if (!isText(deviceCode) || !isText(userCode) || !isText(verificationUrl) || !/^[A-Z0-9-]{4,20}$/.test(userCode)) return undefined;
  if (!/^https?:\/\/\S+$/.test(verificationUrl) || !URL.canParse(verificationUrl)) return undefined;
  return { deviceCode, userCode, verificationUrl: new URL(verificationUrl).href, interval: secondsIn(interval, 5), expiresIn: secondsIn(expiresIn, 600) };
}

function secondsIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 1 && value <= longestSeconds ? value : otherwise;
}
