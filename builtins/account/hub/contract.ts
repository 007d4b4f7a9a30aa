// The contract of the hosted account: the control plane for other plugins, and what they may add to the account routes.
import type { Series, Waterfall } from 'agent-harness/kernel';

/** The wallet of managed inference, in credits; all `null` when signed out or unknown. */
export interface InferenceStatus {
  /** Managed inference currently answers requests. */
  readonly configured: boolean;
  readonly entitled: boolean;
  readonly remaining: number | null;
  readonly cap: number | null;
  readonly used: number | null;
  /** ISO 8601. */
  readonly periodEnd: string | null;
}

/** The hosted site where users sign in. */
export interface HubSite {
  /** Without a trailing slash; read it at each use, as it may change. */
  url(): string;
  /** Address of the control plane: the same site unless another one is set. Without a trailing slash. */
  controlPlane(): string;
}

/** One request to the control plane, made with the active license. */
export interface PlaneRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With the query, such as `/api/team/policy?since=3`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of a body. */
  readonly bytes?: Uint8Array;
  /** A different address that the user set for a part of the control plane, without a trailing slash. TLS is required there too. */
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
}

export interface PlaneReply {
  readonly status: number;
  /** Parsed; `undefined` if there is none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file that is downloaded from the control plane, such as a package. */
export interface PlaneDownload {
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds until the response headers have arrived; 15,000 when left out. The rest may take any time as long as data arrives within 60 s each. */
  readonly timeoutMs?: number;
}

export interface PlaneFile {
  /** 200, 206 or 304. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Leaving the loop ends the download. Rejects with `HUB_ERR_PLANE_UNREACHABLE` if it is interrupted. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface PlaneStream {
  /** With the query. */
  readonly path: string;
  /** Continues after this one, by the header `Last-Event-ID`; later ones are remembered. */
  readonly since?: string;
  /** One server-sent event. Contract: must not throw. A promise is awaited before the next one. */
  take(event: { readonly id?: string; readonly data: unknown }): void | Promise<void>;
  /** `live`: connected; `waiting`: it reconnects by itself; `ended`: it does not, with the reason. */
  onState?(state: 'live' | 'waiting' | 'ended', why?: string): void;
  readonly signal: AbortSignal;
}

/**
 * The connection to the control plane. The license is sent to its own address only, over TLS or on this machine, and appears in no error. Once the
 * control plane reports that the license was revoked, the user is signed out.
 */
export interface ControlPlane {
  /**
   * Resolves for 2xx, 304 and 409. Rejects with `HUB_ERR_SIGNED_OUT`, `HUB_ERR_PLANE_UNREACHABLE` (network, 5xx, no TLS), and with
   * `HUB_ERR_PLANE_REFUSED` for the rest (details: status, code and message of the control plane); with the signal's reason when aborted.
   */
  request(request: PlaneRequest): Promise<PlaneReply>;
  /** Starts to download a file. Rejects as `request` does. */
  download(file: PlaneDownload): Promise<PlaneFile>;
  /**
   * Follows server-sent events until the signal is aborted; reconnects by itself, with a growing delay, and when nothing has come for a minute,
   * comments included. Ends if the control plane refuses it (signed out, not entitled, no such path).
   */
  follow(stream: PlaneStream): void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    hubSite: HubSite;
    controlPlane: ControlPlane;
  }
  interface Hooks {
    /** The reply of `GET /api/hub/inference-status`; emitted only when signed in. */
    'hub.inference': Waterfall<InferenceStatus>;
    /** A client asked to reapply provider and inference settings: drop cached sessions. */
    'hub.reconnect': Series<[]>;
  }
}
