// Implements the tool `present_plan`: ends a chat's plan mode after the user's approval.
import * as Type from 'typebox';
import type { Denial, Prompt, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { Tool, Tools } from 'agent-harness/plugins/tools';

const name = 'present_plan';
const note =
  'This chat is in plan mode: explore and ask, but change, start and send nothing. ' +
  `When the plan is complete, call ${name}; once the user approves it, carry it out with all tools.`;

export interface PresentPlan {
  readonly tool: Tool;
  /** Adds a note about plan mode to the prompt. */
  describe(prompt: Prompt, turn: Turn): Promise<Prompt | undefined>;
  /** Offers the tool only in plan mode. */
  offer(request: ModelRequest, turn: Turn): Promise<ModelRequest | undefined>;
  guard(call: ToolCall): Promise<Denial | undefined>;
}

export function createPresentPlan(services: { readonly chats: Chats; readonly tools: Tools }): PresentPlan {
  const isPlanning = async (chatId: string): Promise<boolean> => (await services.chats.get(chatId)).mode === 'plan';

  return {
    tool: {
      name,
      description: 'In plan mode: shows the user the finished plan. Once they approve it, the chat leaves plan mode.',
      input: Type.Object(
        { plan: Type.String({ minLength: 1, maxLength: 20_000, description: 'The plan, step by step, in Markdown.' }) },
        { additionalProperties: false },
      ),
      // The user approves the mode change, so the call has no other effect to judge.
      effects: ['read'],
      needsApproval: true,
      traits: ['presents_plan'],
      replay: 'ask',
      async run(_args, { chatId }) {
        await services.chats.change(chatId, { mode: 'ask' });
        return { ok: true, output: 'The user approved the plan and the chat left plan mode. Carry it out.' };
      },
    },
    describe: async (prompt, { chatId, isRoot }) =>
      isRoot && (await isPlanning(chatId))
        ? { ...prompt, tail: [...prompt.tail, { role: 'system', text: note, from: [{ kind: 'setting', ref: 'the mode of this chat', why: 'it is plan' }] }] }
        : undefined,
    async offer(request, { chatId, isRoot }) {
      const others = request.tools.filter((tool) => tool.name !== name);
      const spec = services.tools.specOf(name);
      const isOffered = spec !== undefined && isRoot && (await isPlanning(chatId));
      if (!isOffered) return others.length === request.tools.length ? undefined : { ...request, tools: others };
      return { ...request, tools: [...others, spec].sort((left, right) => (left.name < right.name ? -1 : 1)) };
    },
    async guard({ tool, turn }) {
      if (tool.name !== name || tool.plugin !== 'plan') return undefined;
      if (await isPlanning(turn.chatId)) return undefined;
      return { deny: 'This chat is not in plan mode, so no plan needs an approval.', hint: 'Do what the user asked for.' };
    },
  };
}
