// One request to where it may go: judged where it connects, redirects left alone, an answer with an end. By the fetch of a package,
// because node's own takes no agent.
import type { Readable } from 'node:stream';
import fetch from 'cross-fetch';
import { createGuardedAgents, findAddresses, type FindAddresses, type JudgeAddress } from './net.ts';

export interface GuardedRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | Buffer;
  readonly signal?: AbortSignal | null;
}

export interface Guard {
  readonly judge: JudgeAddress;
  readonly find?: FindAddresses;
  /** Bytes of the answer. */
  readonly limit: number;
}

export interface WholeAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly isCut: boolean;
}

/** Rejects with what the judge says of an address, or as `fetch` does. */
export async function fetchGuarded(url: URL, request: GuardedRequest, { judge, find = findAddresses, limit }: Guard): Promise<WholeAnswer> {
  const agents = createGuardedAgents(judge, find);
  try {
    const init = { ...request, redirect: 'manual', agent: agents.agentFor(url) };
    const { status, statusText, headers, body } = await fetch(url.href, init as RequestInit);
    return { status, statusText, headers, ...(await readUpTo(body as unknown as Readable, limit)) };
  } finally {
    agents.destroy();
  }
}

async function readUpTo(body: Readable, limit: number): Promise<Pick<WholeAnswer, 'bytes' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let room = limit;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    // Leaving the loop ends the body.
    if (room < 0) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: room < 0 };
}
