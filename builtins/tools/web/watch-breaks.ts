// Tells when a reply breaks off, which the fetch library does not: its body would stay silent up to the time limit.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';

/** Published by node for each reply that a client gets. */
const channel = 'http.client.response.finish';

/** Calls `onBreak` when a reply over this agent ends before its time. Whoever starts it calls what it answers. */
export function watchBreaks(agent: Agent, onBreak: (fault: Error) => void): () => void {
  const onReply = (message: unknown): void => {
    const { request, response } = message as { request: ClientRequest & { agent?: Agent }; response: IncomingMessage };
    if (request.agent === agent) response.on('error', onBreak);
  };
  subscribe(channel, onReply);
  return () => void unsubscribe(channel, onReply);
}
