// Keeps one document of an organisation up to date: applies the saved version immediately, then newer versions, and rejects older or altered ones.
import { backoffMs, createSerialQueue, withLimit } from '#lib/async';
import { codeOf, messageOf } from '#lib/errors';
import { isPlaceholderName } from '#lib/hosts';
import { isRecord } from '#lib/values';
import type { HeldKind, HeldState } from './contract.ts';
import { createDocumentCache, type DocumentCache } from './document-cache.ts';
import type { DocumentParts } from './document-parts.ts';

export interface CurrentDocument {
  readonly state: HeldState;
  /** Resolves when the saved document applies; requests the newest one from the control plane in parallel. */
  begin(): Promise<void>;
  /** Handles the control plane's notification of the newest revisions. */
  changed(revisions: unknown): void;
  /** Resolves once the current document is known, or after the limit in milliseconds since the start. Never rejects. */
  settled(limitMs: number): Promise<void>;
  /** Requests the document now. Rejects with the errors of the control plane. */
  refresh(): Promise<HeldState>;
  /** Handles a sign-in. The rules of another account no longer apply afterwards. */
  signedIn(): void;
  /** Resolves when no write is pending. */
  dispose(): Promise<void>;
}

/** Claims of a verified document. */
interface Claims extends Readonly<Record<string, unknown>> {
  readonly revision: number;
  readonly iat: number;
}

/** Retry delays in milliseconds. */
const pauses = { first: 500, longest: 30_000 };
/** Interval, in milliseconds, between checks when no notifications arrive. */
const checkMs = 300_000;

export function createCurrentDocument({ kind, path, take }: HeldKind, parts: DocumentParts): CurrentDocument {
  const { services, makeError, report } = parts;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, parts.signal]);
  const { run: inOrder, idle } = createSerialQueue();
  let begunAt = performance.now();
  let isKnown: () => void = () => undefined;
  let known = new Promise<void>((resolve) => (isKnown = resolve));
  let owner = '';
  let claims: Claims | undefined;
  let tag: string | undefined;
  let membership: unknown;
  let state: HeldState = { state: 'waiting' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let waiting: Promise<HeldState> | undefined;
  let cache: DocumentCache | undefined;

  const ownerOf = (): string => `${services.license.account()?.email.toLowerCase() ?? ''} ${services.license.state().org ?? ''}`;

  /** Returns the claims of a document signed for this account; `undefined` otherwise. */
  async function read(document: unknown): Promise<Claims | undefined> {
    const found = typeof document === 'string' ? await services.license.verify(kind, document) : undefined;
    if (!found || !Number.isSafeInteger(found['revision']) || typeof found['iat'] !== 'number') return undefined;
    const email = services.license.account()?.email.toLowerCase();
    return typeof found['sub'] === 'string' && found['sub'].toLowerCase() === email ? (found as Claims) : undefined;
  }

  function hold(next: Claims, more: Partial<HeldState> = {}): void {
    const isNew = claims?.revision !== next.revision || claims.iat !== next.iat;
    claims = next;
    const orgName = next['orgName'];
    state = { state: 'held', revision: next.revision, ...(typeof orgName === 'string' ? { orgName } : {}), ...more };
    if (isNew) take(next, state);
    isKnown();
  }

  async function readSaved(): Promise<void> {
    owner = ownerOf();
    cache = createDocumentCache(services, kind, owner);
    const saved = await cache.read();
    const good = (await Promise.all(saved.map(read))).filter((one) => one !== undefined);
    const best = good.sort(newestFirst)[0];
    if (good.length < saved.length) {
      const instead = best ? `revision ${best.revision}, which is valid, applies.` : 'only reading tools can run until the control plane responds.';
      report(makeError('CHANGED', { kind, instead }));
    }
    if (best) hold(best);
  }

  async function requestNewest(): Promise<HeldState> {
    const { controlPlane } = services;
    if (!controlPlane) return missed('The plugin that connects to the control plane is disabled.');
    try {
      const reply = await controlPlane.request({ method: 'GET', path, signal, ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }) });
      if (signal.aborted) return state;
      tries = 0;
      const checkedAt = new Date().toISOString();
      if (reply.status === 304 && claims) state = { ...withoutProblem(state), checkedAt };
      else await takeReply(reply.body, checkedAt, reply.headers['etag']);
    } catch (fault) {
      if (signal.aborted) return state;
      const { status } = Object((fault as { details?: unknown }).details) as { readonly status?: unknown };
      // The control plane reports that no rules bind this account: it is not a member or not entitled.
      if (codeOf(fault) === 'HUB_ERR_PLANE_REFUSED' && (status === 403 || status === 404) && !claims) free();
      else missed(messageOf(fault));
      throw fault;
    }
    return state;
  }

  async function takeReply(body: unknown, checkedAt: string, etag: string | undefined): Promise<void> {
    const document = isRecord(body) ? body['signature'] : undefined;
    const next = await read(document);
    if (!next) return refused(makeError('NOT_SIGNED', { kind }));
    if (claims && next.revision < claims.revision) return refused(makeError('OLDER', { kind, revision: next.revision, held: claims.revision }));
    tag = etag;
    // The received document has the same revision but was signed for the user's previous role.
    if (claims && newestFirst(claims, next) < 0) return void hold(claims, { checkedAt });
    hold(next, { checkedAt });
    await cache?.write(document as string).catch((fault: unknown) => report(makeError('NOT_KEPT', { kind, why: messageOf(fault) })));
  }

  function refused(fault: Parameters<typeof report>[0]): void {
    // Reports a problem only when it changes.
    if (state.problem !== fault.message) report(fault);
    state = { ...state, problem: fault.message };
  }

  function missed(problem: string): HeldState {
    return (state = { ...state, problem });
  }

  function free(): void {
    state = { state: 'none' };
    isKnown();
  }

  /** Returns whether no administrator could set rules: the license has no organisation, and no control plane is set. */
  function isUnbound(): boolean {
    const { hubSite, license } = services;
    if (license.state().org !== undefined || !hubSite) return false;
    return URL.canParse(hubSite.controlPlane()) && isPlaceholderName(new URL(hubSite.controlPlane()).hostname);
  }

  function refresh(): Promise<HeldState> {
    // The queued request has not been sent yet, so it covers this call.
    return (waiting ??= inOrder(() => {
      waiting = undefined;
      return requestNewest();
    }).finally(later));
  }

  function later(): void {
    clearTimeout(timer);
    if (signal.aborted) return;
    const isBehind = state.state === 'waiting' || state.problem !== undefined;
    timer = setTimeout(checkNow, isBehind ? backoffMs(tries++, pauses) : checkMs);
    timer.unref();
  }

  function checkNow(): void {
    if (!signal.aborted) refresh().catch(() => undefined); // the state contains the reason
  }

  async function begin(): Promise<void> {
    await services.license.ready();
    await readSaved().catch((fault: unknown) => void missed(messageOf(fault)));
    if (!claims && isUnbound()) return free();
    checkNow();
  }

  return {
    get state() {
      return state;
    },
    begin,
    signedIn() {
      if (ownerOf() === owner || signal.aborted) return;
      claims = tag = undefined;
      state = { state: 'waiting' };
      begunAt = performance.now();
      known = new Promise<void>((resolve) => (isKnown = resolve));
      take(undefined, state);
      void begin();
    },
    changed(revisions) {
      const reported = isRecord(revisions) ? revisions : {};
      const isSame = claims?.revision === reported[kind] && membership === reported['membership'] && state.problem === undefined;
      membership = reported['membership'];
      if (!isSame) checkNow();
    },
    async settled(limitMs) {
      const left = begunAt + limitMs - performance.now();
      if (state.state === 'waiting' && left > 0) await withLimit(known, left, () => undefined);
    },
    refresh,
    async dispose() {
      clearTimeout(timer);
      ending.abort(new Error('it is no longer held'));
      isKnown();
      await idle();
    },
  };
}

function newestFirst(left: Claims, right: Claims): number {
  return right.revision - left.revision || right.iat - left.iat;
}

function withoutProblem({ problem: _, ...rest }: HeldState): HeldState {
  return rest;
}
