// Reads the texts of a chat from its journal, if the chat started before this process.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import { handle, type ChatEvent } from 'agent-harness/transcript';
import type { ChatTexts } from './chat-texts.ts';
import { originOf } from './origin-of.ts';
import { originOfAnnouncement, originOfMessage } from './origin-of-message.ts';

/**
 * @param withTasks whether to include the beginnings of all call outputs in tasks, without their external flag; otherwise, only outputs with secrets are
 * included
 */
export async function foldJournal(
  events: AsyncIterable<JournalEvent>,
  texts: Pick<ChatTexts, 'add' | 'clear'>,
  tools: Pick<Tools, 'find'>,
  { withTasks = false } = {},
): Promise<void> {
  const asked = new Map<string, { readonly name: string; readonly args: Readonly<Record<string, unknown>> }>();
  for await (const event of events) {
    handle(event as unknown as ChatEvent, {
      message_accepted: (message) => texts.add(message.text, originOfMessage(message)),
      announcement(message) {
        if (message.isForModel) texts.add(message.text, originOfAnnouncement(message));
      },
      tool_start({ callId, name, args }) {
        asked.set(callId, { name, args: Object(args) as Readonly<Record<string, unknown>> });
      },
      tool_result({ callId, turnId = '', output = '', untrusted = false }) {
        const call = asked.get(callId);
        asked.delete(callId);
        if (call) texts.add(output, originOf({ ...call, tool: tools.find(call.name), isOutside: untrusted, turnId, callId }));
      },
      subtask_tool({ toolCallId: callId, turnId = '', name = '', args, ok, output = '' }) {
        if (args !== undefined) asked.set(callId, { name, args: Object(args) as Readonly<Record<string, unknown>> });
        const call = ok === undefined ? undefined : asked.get(callId);
        const tool = call && tools.find(call.name);
        if (!call) return;
        const origin = originOf({ ...call, tool, isOutside: tool?.traits?.includes('reads_web') === true, turnId, callId });
        if (withTasks || origin.kind === 'secret') texts.add(output, origin);
      },
      ask_user_answered: ({ askId, answer }) => texts.add(answer ?? '', { kind: 'user', ref: askId }),
      conversation_reset: () => texts.clear(),
    });
  }
}
