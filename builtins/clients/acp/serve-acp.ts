// Runs the command `acp`, which serves one editor until its input ends.
import { untilAborted } from '#lib/async';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { AcpParts } from './acp-parts.ts';
import { createAgent } from './agent.ts';
import { createServerLink } from './server-link.ts';
import { createPeer, type Peer } from './wire/peer.ts';

export interface AcpOptions {
  /** Seconds, as entered by the user. */
  readonly linger: unknown;
  readonly signal: AbortSignal;
}

/** Resolves with the exit code. */
export async function serveAcp(parts: AcpParts, { linger, signal }: AcpOptions, output: CliOutput): Promise<number> {
  const seconds = linger === undefined ? undefined : Number(linger);
  if (seconds !== undefined && !(seconds >= 0 && seconds <= 86_400)) {
    output.err(`--linger needs seconds from 0 to 86400, not '${String(linger)}'.\n`);
    return 2;
  }
  const own = output.claim?.();
  const link = createServerLink(parts, seconds);
  const agent = createAgent(parts, link, () => peer);
  const peer: Peer = createPeer({ write: (text) => (own ?? output).out(text), onRequest: agent.request, onNotification: agent.notification });
  // Starts the server early for the first session; callers that need it receive its error.
  link.client().catch(() => undefined);
  try {
    await readLines(output, signal, (line) => peer.take(line));
  } finally {
    agent.leave();
    peer.close();
    link.close();
    own?.release();
  }
  return 0;
}

/** Reads until the input ends or the signal is aborted. */
async function readLines(output: CliOutput, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  const lines = output.lines()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(lines.next(), signal);
      if (next.done === true) return;
      take(next.value);
    }
  } catch (fault) {
    if (!signal.aborted) throw fault;
  } finally {
    void lines.return?.();
  }
}
