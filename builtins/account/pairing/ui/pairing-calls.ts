// The calls that pair further devices with this server.
import type { Client } from 'agent-harness/client';

export interface PairedDevice {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
}

export interface Pairing {
  readonly code: string;
  /** What the QR code says: the page's address with the code in it. */
  readonly address: string;
  readonly expiresAt: string;
  /** No other device reaches a server that listens on this machine only. */
  readonly localOnly?: boolean;
}

export interface PairedDevices {
  readonly devices: readonly PairedDevice[];
  /** Until when the code that was given out can be used; `null` once it was. */
  readonly openUntil?: string | null;
}

interface PairingCalls {
  (key: 'GET /api/pair/devices', input?: { readonly signal?: AbortSignal }): Promise<PairedDevices>;
  (key: 'POST /api/pair/begin', input: { readonly body: object }): Promise<Pairing>;
  (key: 'DELETE /api/pair/devices/:id', input: { readonly params: { readonly id: string } }): Promise<unknown>;
}

/** The routes are those of a plugin that a distribution may leave out, so the generated types need not know them. */
export function pairingCalls(client: Client): PairingCalls {
  return client.call as unknown as PairingCalls;
}
