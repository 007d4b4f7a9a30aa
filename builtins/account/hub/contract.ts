// What other plugins may add to the account routes.
import type { Series, Waterfall } from 'agent-harness/kernel';

/** The wallet of managed inference, in credits; all `null` when signed out or nobody knows. */
export interface InferenceStatus {
  /** Managed inference answers requests now. */
  readonly configured: boolean;
  readonly entitled: boolean;
  readonly remaining: number | null;
  readonly cap: number | null;
  readonly used: number | null;
  /** ISO 8601. */
  readonly periodEnd: string | null;
}

/** The hosted site where people sign in. */
export interface HubSite {
  /** Without a trailing slash; read it at each use, it may change. */
  url(): string;
  /** Where the control plane answers: the same site, unless another one is set. Without a trailing slash. */
  controlPlane(): string;
}

/** One call of the control plane, made with the license in force. */
export interface PlaneRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With the query: `/api/team/policy?since=3`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are, instead of a body. */
  readonly bytes?: Uint8Array;
  /** Where the person set another address for a part of the control plane: that one, without a trailing slash. TLS is needed there, too. */
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
}

export interface PlaneReply {
  readonly status: number;
  /** Parsed; `undefined` where there is none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file that is read from the control plane, such as a package. */
export interface PlaneDownload {
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds until the head of the answer is there; 15,000 when left out. The rest may take as long as bytes come, each within 60 s. */
  readonly timeoutMs?: number;
}

export interface PlaneFile {
  /** 200, 206 or 304. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Leaving the loop ends the download. Rejects with `HUB_ERR_PLANE_UNREACHABLE` where it breaks off. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface PlaneStream {
  /** With the query. */
  readonly path: string;
  /** Continues after this one, by the header `Last-Event-ID`; later ones are remembered. */
  readonly since?: string;
  /** One server-sent event. Contract: must not throw. A promise is waited for before the next one. */
  take(event: { readonly id?: string; readonly data: unknown }): void | Promise<void>;
  /** `live`: connected; `waiting`: it comes back by itself; `ended`: it does not, with the reason. */
  onState?(state: 'live' | 'waiting' | 'ended', why?: string): void;
  readonly signal: AbortSignal;
}

/**
 * The way to the control plane. The license goes to its own address alone, over TLS or on this machine, and stands in no error. Whoever is told that
 * the license was revoked is signed out.
 */
export interface ControlPlane {
  /**
   * Answers 2xx, 304 and 409. Rejects with `HUB_ERR_SIGNED_OUT`, `HUB_ERR_PLANE_UNREACHABLE` (network, 5xx, no TLS), and with
   * `HUB_ERR_PLANE_REFUSED` for the rest (details: status, code and message of the plane); with the signal's reason when aborted.
   */
  request(request: PlaneRequest): Promise<PlaneReply>;
  /** Begins to read a file. Rejects as `request` does. */
  download(file: PlaneDownload): Promise<PlaneFile>;
  /**
   * Follows server-sent events until the signal is aborted; connects again by itself, after a while that grows, and where nothing has come for a
   * minute, comments included. Ends where the plane refuses it (signed out, not entitled, no such path).
   */
  follow(stream: PlaneStream): void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    hubSite: HubSite;
    controlPlane: ControlPlane;
  }
  interface Hooks {
    /** The reply of `GET /api/hub/inference-status`; asked only when signed in. */
    'hub.inference': Waterfall<InferenceStatus>;
    /** Somebody asked to put provider and inference settings into force again: drop cached sessions. */
    'hub.reconnect': Series<[]>;
  }
}
