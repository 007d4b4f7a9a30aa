// Builds the preview of a call for its approval, as its tool describes it.
import type { Logger } from 'agent-harness/kernel';
import { untilAborted } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ApprovalPreview } from 'agent-harness/plugins/tools';

/** Contract: never rejects. Leaves out a preview that fails, or takes longer than its turn. */
export async function previewOf({ callId, tool, args, turn }: ToolCall, log: Logger): Promise<ApprovalPreview | undefined> {
  if (!tool.preview) return undefined;
  try {
    return await untilAborted(tool.preview(args as never, { chatId: turn.chatId, workspaceRoot: turn.workspaceRoot, callId }), turn.signal);
  } catch (fault) {
    if (!turn.signal.aborted) log.warn(`the preview of ${tool.name} failed: ${messageOf(fault)}`);
    return undefined;
  }
}
