// Applies the approval mode of a chat to its tool calls: forbids them or requires approvals.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ChatMode, Chats } from 'agent-harness/plugins/chats';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { RegisteredTool, Tools } from 'agent-harness/plugins/tools';

/** Returns the current mode of a chat; a changed mode applies from the next call. */
export async function modeOf(chats: Pick<Chats, 'get'>, chatId: string): Promise<ChatMode> {
  return (await chats.get(chatId)).mode;
}

/** Returns whether plan mode allows a tool: the tool changes, starts and sends nothing. */
export function onlyReads({ effects }: Pick<RegisteredTool, 'effects'>): boolean {
  return effects?.includes('read') === true && effects.every((effect) => effect === 'read' || effect === 'network');
}

/** Returns the reason if the mode forbids such a call. */
export function whyForbidden(mode: ChatMode, { tool }: ToolCall): string | undefined {
  if (mode !== 'plan' || onlyReads(tool)) return undefined;
  return 'The chat is in plan mode, in which only read-only tools run.';
}

/** Returns the reason if the mode requires an approval for a call that would otherwise run. */
export function whyModeAsks(mode: ChatMode, { tool }: ToolCall): string | undefined {
  return mode === 'careful' && tool.effects?.includes('write') === true ? 'This chat requires an approval for each edit.' : undefined;
}

/** Returns whether `AGENT_YOLO` applies in a mode; `false` for modes stricter than the default. */
export function obeysYolo(mode: ChatMode): boolean {
  return mode !== 'careful' && mode !== 'plan';
}

/** In plan mode, removes forbidden tools from the request. */
export async function offerForMode(request: ModelRequest, services: { readonly chats: Chats; readonly tools: Tools }): Promise<ModelRequest | undefined> {
  const { chatId } = request;
  if (chatId === undefined || (await modeOf(services.chats, chatId)) !== 'plan') return undefined;
  const isOffered = ({ name }: { readonly name: string }): boolean => {
    const tool = services.tools.find(name);
    return tool !== undefined && onlyReads(tool);
  };
  return { ...request, tools: request.tools.filter(isOffered) };
}
