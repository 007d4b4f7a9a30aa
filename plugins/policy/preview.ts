// Builds the text or diff that describes a tool call in its approval, as its tool defines it.
import type { Logger } from 'agent-harness/kernel';
import { untilAborted } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ApprovalPreview } from 'agent-harness/plugins/tools';

/** Returns the description of a call; `undefined` if the tool defines none, fails, or takes longer than its turn. Never rejects. */
export async function previewOf({ callId, tool, args, turn }: ToolCall, log: Logger): Promise<ApprovalPreview | undefined> {
  if (!tool.preview) return undefined;
  try {
    return await untilAborted(tool.preview(args as never, { chatId: turn.chatId, workspaceRoot: turn.workspaceRoot, callId }), turn.signal);
  } catch (fault) {
    if (!turn.signal.aborted) log.warn(`the preview of ${tool.name} failed: ${messageOf(fault)}`);
    return undefined;
  }
}
