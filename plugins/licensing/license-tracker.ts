// Manages the current license: reads it, tracks its expiry, and returns its entitlements.
import type { Disposable, EntitlementSource } from 'agent-harness/kernel';
import { createSerialQueue, lazy } from '#lib/async';
import type { Clock } from './clock.ts';
import type { Account, License, LicenseState } from './contract.ts';
import { communityState, evaluateLicense, invalidState, type Evaluation } from './evaluate-license.ts';
import type { LicenseFiles } from './license-files.ts';
import type { LicenseClaims } from './license-token.ts';
import { adviceFor, type TokenFault } from './refusals.ts';

/** Licensing settings. They may change at run time, so read them at each use. */
export interface LicenseSettings {
  readonly licenseKey: string;
  readonly preferEnv: boolean;
  readonly publicKey: string;
  readonly graceDays: number;
}

export interface LicenseTrackerParts {
  readonly settings: LicenseSettings;
  readonly files: LicenseFiles;
  readonly clock: Clock;
  /** Reads a license token. Rejects if the public key is invalid. */
  readonly readToken: (token: string, publicKey: string) => Promise<LicenseClaims | TokenFault>;
  /** Reads a signed document. Rejects if the public key is invalid. */
  readonly readDocument: (kind: string, document: string, publicKey: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  readonly tokenInvalid: (details: { readonly advice: string }) => Error;
  /** Called on each state change; not called if the first read finds no license. Contract: must not throw. */
  readonly onChange: (state: LicenseState) => void;
  readonly warn: (message: string) => void;
}

export interface LicenseTracker {
  readonly license: License;
  readonly entitlements: EntitlementSource;
  /** Starts the first read, once. */
  start(): void;
  /** Reads the license again after a setting has changed. */
  restart(): void;
  /** Stops the clock and waits for pending work. Reports no change afterwards. */
  close(): Promise<void>;
}

interface InForce {
  readonly token?: string;
  readonly claims?: LicenseClaims;
  readonly account: Account | null;
  readonly base: LicenseState;
}

/**
 * Creates the tracker. Its initial state is `community`, because the kernel calls `has()` while plugins load, before any file has been read. The first read
 * runs in parallel with startup; when it reports a change, the kernel starts the unlocked plugins.
 */
export function createLicenseTracker(parts: LicenseTrackerParts): LicenseTracker {
  const { settings, files, clock } = parts;
  const listeners = new Set<() => void>();
  let inForce: InForce = { account: null, base: communityState };
  let state: LicenseState = communityState;
  let cancelWake: () => void = () => undefined;
  let isClosed = false;
  /** Runs reads and changes one after the other. */
  const queue = createSerialQueue();

  const ready = lazy(() => queue.run(reload));
  const warnOf = (fault: unknown): void => parts.warn(`The saved license could not be read: ${String(fault)}`);

  return {
    license: {
      state: () => state,
      account: () => inForce.account,
      async token() {
        await ready();
        return state.status === 'active' || state.status === 'grace' ? inForce.token : undefined;
      },
      ready,
      apply: (token, source) => queue.run(() => apply(token, source)),
      clear: () => queue.run(async () => (await files.clear(), reload())),
      refresh: () => queue.run(reload),
      verify: (kind, document) => checked(() => parts.readDocument(kind, document, settings.publicKey)),
    },
    entitlements: {
      has: (key) => state.entitlements.includes(key),
      ready: () => ready().catch(warnOf),
      onChange(listener) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) } satisfies Disposable;
      },
    },
    start: () => void ready().catch(warnOf),
    restart: () => void queue.run(reload).catch(warnOf),
    async close() {
      isClosed = true;
      cancelWake();
      await queue.idle();
    },
  };

  async function apply(token: string, source: Account['source']): Promise<LicenseState> {
    const claims = await verify(token);
    if (typeof claims === 'string') throw parts.tokenInvalid({ advice: adviceFor[claims] });
    const { status, message, advice } = evaluate(claims).state;
    if (status === 'expired' || status === 'invalid') throw parts.tokenInvalid({ advice: [message, advice].filter(Boolean).join(' ') });
    await files.save(token, { email: claims.sub, tier: claims.tier, source, connectedAt: new Date(clock.now()).toISOString() });
    return reload();
  }

  /** Reads the license again: the saved token takes precedence over the token from the environment, unless the settings reverse this. */
  async function reload(): Promise<LicenseState> {
    const saved = await files.readToken();
    const fromEnvironment = settings.licenseKey || undefined;
    const prefersEnvironment = fromEnvironment !== undefined && (settings.preferEnv || saved === undefined);
    inForce = prefersEnvironment ? await fromToken(fromEnvironment, 'environment') : await fromToken(saved, 'browser');
    return settle();
  }

  async function fromToken(token: string | undefined, source: Account['source']): Promise<InForce> {
    if (token === undefined) return { account: null, base: communityState };
    const claims = await verify(token);
    if (typeof claims === 'string') return { account: null, base: { ...invalidState, advice: adviceFor[claims] } };
    const derived: Account = { email: claims.sub, tier: claims.tier, source, connectedAt: new Date(claims.iat * 1_000).toISOString() };
    // The account file is not signed: account and times may come from it, but not the tier.
    const account = source === 'browser' ? { ...derived, ...(await files.readAccount()), tier: claims.tier } : derived;
    return { token, claims, account, base: communityState };
  }

  async function verify(token: string): Promise<LicenseClaims | TokenFault> {
    return (await checked(() => parts.readToken(token, settings.publicKey))) ?? 'no_key';
  }

  async function checked<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await read();
    } catch (fault) {
      parts.warn(`AGENT_LICENSE_PUBLIC_KEY is not an Ed25519 public key in PEM form, so no license can be checked: ${String(fault)}`);
      return undefined;
    }
  }

  function evaluate(claims: LicenseClaims): Evaluation {
    return evaluateLicense(claims, clock.now(), settings.graceDays);
  }

  /** Computes the current state, and schedules the next change. */
  function settle(): LicenseState {
    cancelWake();
    const { claims, base } = inForce;
    const { state: next, changesAt }: Evaluation = claims ? evaluate(claims) : { state: base };
    if (isClosed) return state;
    if (changesAt !== undefined) cancelWake = clock.wakeAt(changesAt, settle);
    const isSame = JSON.stringify(next) === JSON.stringify(state);
    state = next;
    if (!isSame) announce();
    return state;
  }

  function announce(): void {
    parts.onChange(state);
    for (const listener of listeners) listener();
  }
}
