// Sends one request to allowed addresses only: checks them when connecting, follows no redirects, and limits the size of the reply.
import { createGuardedAgents, findAddresses, type FindAddresses, type JudgeAddress } from './net.ts';
import { bodiless, fetchComplete, readUpTo, type CompleteRequest } from './complete-fetch.ts';

export type GuardedRequest = Pick<CompleteRequest, 'method' | 'headers' | 'body' | 'signal'>;

export interface Guard {
  readonly judge: JudgeAddress;
  readonly find?: FindAddresses;
  /** Maximum size of the reply in bytes. */
  readonly limit: number;
}

export interface WholeAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Whether the reply was truncated at the limit. */
  readonly isCut: boolean;
}

/** Converts a reply to a `Response`, for packages that take a `fetch` function. */
export function responseOf({ status, statusText, headers, bytes }: WholeAnswer): Response {
  return new Response(bodiless.has(status) ? null : Uint8Array.from(bytes), { status, statusText, headers: headerFields(headers) });
}

export function headerFields(headers: Headers): Record<string, string> {
  const entries: Record<string, string> = {};
  headers.forEach((value, name) => void (entries[name] = value));
  return entries;
}

/** Sends a request. Rejects like `fetch`, with the judge's error for a forbidden address, and if the reply is incomplete. */
export async function fetchGuarded(url: URL, request: GuardedRequest, { judge, find = findAddresses, limit }: Guard): Promise<WholeAnswer> {
  const agents = createGuardedAgents(judge, find);
  try {
    const { status, statusText, headers, body } = await fetchComplete(url.href, { ...request, redirect: 'manual', agent: await agents.agentFor(url) });
    return { status, statusText, headers, ...(await readUpTo(body, limit)) };
  } finally {
    agents.destroy();
  }
}
