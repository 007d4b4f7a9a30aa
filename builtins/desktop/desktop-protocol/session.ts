// Implements one client connection: executes its commands, sends one reply each, and streams events.
import { textStart } from '#lib/text';
import type { Services } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { DispatchReply, WebSocketCaller, WebSocketConnection } from 'agent-harness/plugins/http';
import type { MakeError } from './error-table.ts';
import { answer, readFrame, replyFrame, version, type Command, type FrameId } from './frame.ts';
import { limits } from './limits.ts';
import { planCall } from './plan-call.ts';
import { createSubscription, type Asked } from './subscription.ts';

export interface SessionParts {
  readonly connection: WebSocketConnection;
  readonly caller: WebSocketCaller;
  readonly services: Pick<Services, 'http' | 'stream'>;
  readonly makeError: MakeError;
}

export interface Session {
  /** Resolves when the reply has been sent. */
  take(content: string | Buffer): Promise<void>;
}

/** Application close codes; the client must change its request before it reconnects. */
const noSuchChat = 4404;

/** Opens a session. @param isFull whether the maximum number of clients has been reached; this is reported to the client before the connection is closed */
export function openSession({ connection, caller, services, makeError }: SessionParts, isFull: boolean): Session {
  const subscription = createSubscription(connection, services.stream, caller.principal);
  const atWork = new Set<FrameId>();
  const waiting = new Set<() => void>();
  let chatId: string | undefined;

  async function run({ id, command, data }: Command): Promise<DispatchReply> {
    if (command === 'ping') return answer({ at: new Date().toISOString(), v: version });
    if (command === 'subscribe') {
      await subscribe(readingOf(data, makeError));
      return answer({ chatId: chatId ?? null });
    }
    if (command === 'unsubscribe') {
      await subscription.end();
      return answer({});
    }
    const route = services.http.find(command);
    if (!route) throw makeError('UNKNOWN_COMMAND', { command: JSON.stringify(textStart(command, 100)) });
    const reply = await caller.dispatch(planCall(route, { id, command, data }, chatId, makeError));
    // The token of the connection is no longer valid, so its event stream also ends.
    if (reply.status === 401) setImmediate(() => connection.close(1008, 'unauthorized'));
    return reply;
  }

  async function subscribe(asked: Asked): Promise<void> {
    await subscription.begin(asked);
    chatId = asked.chatId === 'all' ? undefined : asked.chatId;
  }

  /** Sends a reply. A reply to a slow client waits, and its command counts as running until the reply is sent. */
  async function reply(id: FrameId | null, whole: DispatchReply): Promise<void> {
    while (connection.bufferedBytes > limits.behindBytes && !connection.signal.aborted) await new Promise<void>((resolve) => waiting.add(resolve));
    connection.sendFrames(replyFrame(id, whole));
  }

  function goOn(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  connection.onDrain(goOn);
  connection.signal.addEventListener('abort', goOn);
  const refuse = (id: FrameId | null, fault: unknown): Promise<void> => reply(id, caller.refusal(fault));

  if (isFull) {
    void refuse(null, makeError('TOO_MANY_CONNECTIONS', { limit: limits.connections }));
    connection.close(1013, 'too many connections');
  } else {
    begin().catch((fault: unknown) => {
      void refuse(null, fault);
      connection.close(noSuchChat, 'no such chat');
    });
  }

  async function begin(): Promise<void> {
    const { chatId: asked, since } = caller.query;
    await subscribe(readingOf({ ...(asked === undefined ? {} : { chatId: asked }), ...(since === undefined ? {} : { since: Number(since) }) }, makeError));
  }

  return {
    async take(content) {
      const read = readFrame(content, makeError);
      if ('fault' in read) return refuse(read.id, read.fault);
      const { id } = read.command;
      if (atWork.has(id)) return refuse(id, makeError('INVALID_REQUEST', { why: 'a command with this "id" is still running.' }));
      atWork.add(id);
      try {
        await reply(id, await run(read.command));
      } catch (fault) {
        if (!connection.signal.aborted) await refuse(id, fault);
      } finally {
        atWork.delete(id);
      }
    },
  };
}

function readingOf(data: Readonly<Record<string, unknown>>, makeError: MakeError): Asked {
  const { chatId, since, ...rest } = data;
  const isKnown = isRecord(rest) && Object.keys(rest).length === 0;
  const isChat = chatId === undefined || typeof chatId === 'string';
  const isSince = since === undefined || (Number.isSafeInteger(since) && (since as number) >= 0);
  if (!isKnown || !isChat || !isSince) {
    throw makeError('INVALID_REQUEST', { why: '"chatId" must be a text, and "since" the id of an event, a whole number; other fields are not allowed.' });
  }
  return { chatId, since: since as number | undefined };
}
