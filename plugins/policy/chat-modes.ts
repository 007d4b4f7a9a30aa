// What the mode of a chat changes about the calls that are made in it.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ChatMode, Chats } from 'agent-harness/plugins/chats';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { RegisteredTool, Tools } from 'agent-harness/plugins/tools';

/** The mode as it is now: a change holds from the next call on. */
export async function modeOf(chats: Pick<Chats, 'get'>, chatId: string): Promise<ChatMode> {
  return (await chats.get(chatId)).mode;
}

/** Nothing is changed, started or sent: what a chat in plan mode offers and lets run. */
export function onlyReads({ effects }: Pick<RegisteredTool, 'effects'>): boolean {
  return effects?.includes('read') === true && effects.every((effect) => effect === 'read' || effect === 'network');
}

/** Why no call like this runs in the mode. */
export function whyForbidden(mode: ChatMode, { tool }: ToolCall): string | undefined {
  if (mode !== 'plan' || onlyReads(tool)) return undefined;
  return 'The chat is in plan mode, where nothing runs but what only reads.';
}

/** Why the mode wants a person for a call that would go ahead otherwise. */
export function whyModeAsks(mode: ChatMode, { tool }: ToolCall): string | undefined {
  return mode === 'careful' && tool.effects?.includes('write') === true ? 'This chat asks before each edit.' : undefined;
}

/** A person who made a chat narrower than usual wants to be asked, whatever holds elsewhere. */
export function obeysYolo(mode: ChatMode): boolean {
  return mode !== 'careful' && mode !== 'plan';
}

/** In plan mode the model is not shown what it may not call. */
export async function offerForMode(request: ModelRequest, services: { readonly chats: Chats; readonly tools: Tools }): Promise<ModelRequest | undefined> {
  const { chatId } = request;
  if (chatId === undefined || (await modeOf(services.chats, chatId)) !== 'plan') return undefined;
  const isOffered = ({ name }: { readonly name: string }): boolean => {
    const tool = services.tools.find(name);
    return tool !== undefined && onlyReads(tool);
  };
  return { ...request, tools: request.tools.filter(isOffered) };
}
