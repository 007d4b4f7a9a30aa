// Reads from the journal, for the data flow rules, the texts that calls of a chat sent before this process judged its first call.
import type { EventLog } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import { handle, type ChatEvent } from 'agent-harness/transcript';
import { leavingOf, leaves, routeOf } from './destinations.ts';

export interface SentTextParts {
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly tools: Pick<Tools, 'find'>;
}

interface PastCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** Returns the texts that each executed call sent, oldest first, including calls of tasks. A rejected call sent nothing. */
export async function sentTexts(chatId: string, workspaceRoot: string, { eventLog, tools }: SentTextParts): Promise<string[][]> {
  const open = new Map<string, PastCall>();
  let sent: string[][] = [];

  function ended(callId: string): void {
    const call = open.get(callId);
    open.delete(callId);
    const tool = call && tools.find(call.name);
    if (!call || !tool) return;
    const given = { tool, args: call.args, turn: { workspaceRoot } };
    const route = routeOf(given, undefined);
    if (route && leaves(route)) sent.push(leavingOf(given, route).texts.map(({ text }) => text));
  }
  const begun = (callId: string, name: string, args: unknown): void => void open.set(callId, { name, args: Object(args) as PastCall['args'] });

  for await (const event of eventLog.read(chatId)) {
    handle(event as unknown as ChatEvent, {
      tool_start({ callId, name, args, argsText }) {
        if (argsText !== undefined) begun(callId, name, args);
      },
      approval_decision({ callId, decision }) {
        if (decision === 'reject') open.delete(callId);
      },
      tool_result: ({ callId }) => ended(callId),
      subtask_tool({ toolCallId, name = '', args, ok }) {
        if (args !== undefined) begun(toolCallId, name, args);
        if (ok !== undefined) ended(toolCallId);
      },
      conversation_reset() {
        sent = [];
        open.clear();
      },
    });
  }
  return sent;
}
