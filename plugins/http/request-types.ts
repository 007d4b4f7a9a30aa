// Who makes requests, how much they may, and requests that a plugin has served. Part of the contract.
import type { OutgoingHttpHeaders } from 'node:http';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How much a principal may: a viewer reads, a member also writes, an admin also manages, an owner does everything, what asks for no
 * permission by name included.
 */
export type Role = 'viewer' | 'member' | 'admin' | 'owner';

/** What a route asks for: an area, as in `chats`, and how much in it. Reading needs a viewer, writing a member, managing an admin. */
export type Permission = `${string}.${'read' | 'write' | 'manage'}`;

export interface Rights {
  readonly role: Role;
  /** The only areas that the role counts in: `['chats']`. Left out, it counts everywhere. */
  readonly areas?: readonly string[];
}

/** Who makes a request. Messages and decisions keep it in the journal, so it holds no secret. */
export interface Principal extends Rights {
  /** What it is entitled to, where its token source knows such a thing: what `Route.entitlement` asks for. */
  readonly entitlements?: readonly string[];
  /** `owner`: the person whose server this is. `device`: one that the owner paired. `service`: a program with an account of its own. */
  readonly kind: 'owner' | 'device' | 'guest' | 'service' | 'teammate';
  /** The same for the same one, as long as it is known; unique within its kind. */
  readonly id: string;
  /** For people. */
  readonly name?: string;
}

export interface Dispatch {
  readonly method: Method;
  /** With the query: `/api/chats?archived=true`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface DispatchReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}
