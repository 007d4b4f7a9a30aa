// Polls the messages of a workspace on the team bus for the page.
import { backoffMs } from '#lib/async';
import type { Client, ReplyOf } from 'agent-harness/client';
import { explainError } from '#page/kit/page/explain-error.ts';

export type BusMessage = ReplyOf<'GET /api/team/bus/messages'>['messages'][number];

export interface BusView {
  readonly state: 'connecting' | 'live' | 'waiting';
  /** Reason why the view is not live. */
  readonly problem?: string;
  /** Newest first. */
  readonly messages: readonly BusMessage[];
  /** Whether there are older messages that are not shown or no longer stored. */
  readonly isCut: boolean;
}

export const nothingYet: BusView = { state: 'connecting', messages: [], isCut: false };

const shownAtMost = 100;
/** Maximum wait of a request for new messages, in seconds. */
const waitSeconds = 20;
const pauses = { first: 1_000, longest: 15_000 };

/** Ends when the signal is aborted; never rejects. @param change updates the view */
export async function followBus(client: Client, workspace: string, signal: AbortSignal, change: (update: (before: BusView) => BusView) => void): Promise<void> {
  let since: number | undefined;
  for (let tries = 0; !signal.aborted;) {
    try {
      const isFirst = since === undefined || tries > 0;
      since ??= await beginning(client, workspace, signal);
      const reply = await client.call('GET /api/team/bus/messages', { query: { workspace, since, waitSeconds: isFirst ? 0 : waitSeconds }, signal });
      since = reply.upTo;
      tries = 0;
      change((before) => withMore(before, reply));
    } catch (error) {
      if (signal.aborted) return;
      change(({ messages, isCut }) => ({ state: 'waiting', problem: explainError(error), messages, isCut }));
      await pause(backoffMs(tries++, pauses), signal);
    }
  }
}

/** Returns the cursor from which the newest messages are read. */
async function beginning(client: Client, workspace: string, signal: AbortSignal): Promise<number> {
  const { workspaces } = await client.call('GET /api/team/bus/workspaces', { signal });
  const newest = workspaces.find((one) => one.workspace === workspace)?.cursor ?? 0;
  return Math.max(0, newest - shownAtMost);
}

function withMore({ messages, isCut }: BusView, reply: ReplyOf<'GET /api/team/bus/messages'>): BusView {
  const all = [...reply.messages.toReversed(), ...messages];
  const oldest = all.at(-1)?.cursor ?? 1;
  return { state: 'live', messages: all.slice(0, shownAtMost), isCut: isCut || all.length > shownAtMost || oldest > 1 };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
