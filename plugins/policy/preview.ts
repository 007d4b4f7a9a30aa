// Renders the preview of a call for its approval.
import type { Logger } from 'agent-harness/kernel';
import { untilAborted } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ApprovalPreview } from 'agent-harness/plugins/tools';

/** Contract: never rejects. A preview that fails or outlives its turn is left out. */
export async function previewOf({ callId, tool, args, turn }: ToolCall, log: Logger): Promise<ApprovalPreview | undefined> {
  if (!tool.preview) return undefined;
  try {
    return await untilAborted(tool.preview(args as never, { chatId: turn.chatId, workspaceRoot: turn.workspaceRoot, callId }), turn.signal);
  } catch (fault) {
    if (!turn.signal.aborted) log.warn(`the preview of ${tool.name} failed: ${messageOf(fault)}`);
    return undefined;
  }
}
