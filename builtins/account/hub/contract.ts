// Defines the contract of the hosted account: access to the control plane, and hooks into the account routes.
import type { Series, Waterfall } from 'agent-harness/kernel';

/** The wallet of managed inference, in credits; all of its fields are `null` when signed out or unknown. */
export interface InferenceStatus {
  /** Whether managed inference currently accepts requests. */
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
  /** Address without a trailing slash. Read it on every use, because it may change. */
  url(): string;
  /** Address of the control plane without a trailing slash: the hosted site unless the user set another address. */
  controlPlane(): string;
}

/** A request to the control plane, sent with the active license. */
export interface PlaneRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with its query, such as `/api/team/policy?since=3`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Raw bytes, sent instead of `body`. */
  readonly bytes?: Uint8Array;
  /** Address that the user set for one part of the control plane, without a trailing slash. TLS is also required here. */
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Timeout in milliseconds; default 15,000. */
  readonly timeoutMs?: number;
}

export interface PlaneReply {
  readonly status: number;
  /** Parsed JSON; `undefined` if the response has no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file download from the control plane, such as a package. */
export interface PlaneDownload {
  /** Path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Timeout of the response headers in milliseconds; default 15,000. The body has no overall timeout, but each chunk must arrive within 60 s. */
  readonly timeoutMs?: number;
}

export interface PlaneFile {
  /** 200, 206 or 304. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Breaking out of the loop aborts the download. Rejects with `HUB_ERR_PLANE_UNREACHABLE` if the connection is lost. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface PlaneStream {
  /** Path with its query. */
  readonly path: string;
  /** Id of the last received event, sent as `Last-Event-ID`; updated with each event. */
  readonly since?: string;
  /** Receives one server-sent event. Contract: must not throw. The stream awaits a returned promise before the next event. */
  take(event: { readonly id?: string; readonly data: unknown }): void | Promise<void>;
  /** `live`: connected; `waiting`: reconnecting; `ended`: closed permanently, with the reason. */
  onState?(state: 'live' | 'waiting' | 'ended', why?: string): void;
  readonly signal: AbortSignal;
}

/**
 * The connection to the control plane. It sends the license only to the control plane's address, over TLS or the loopback interface; errors never
 * contain the license. If the control plane reports that the license was revoked, the user is signed out.
 */
export interface ControlPlane {
  /**
   * Resolves for 2xx, 304 and 409. Rejects with `HUB_ERR_SIGNED_OUT`, `HUB_ERR_PLANE_UNREACHABLE` (network, 5xx, no TLS), and for other statuses with
   * `HUB_ERR_PLANE_REFUSED` (details: status, code and message of the control plane); with the signal's reason when aborted.
   */
  request(request: PlaneRequest): Promise<PlaneReply>;
  /** Starts a download. Rejects as {@link request} does. */
  download(file: PlaneDownload): Promise<PlaneFile>;
  /**
   * Follows server-sent events until the signal is aborted. Reconnects with exponential backoff, including after a minute without data or comments. Ends if the
   * control plane refuses the stream (signed out, not entitled, unknown path).
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
    /** Emitted when a client requests new provider and inference settings; taps must drop their cached sessions. */
    'hub.reconnect': Series<[]>;
  }
}
