// Defines the descriptors of the memory tools; their code is imported on first use.
import * as Type from 'typebox';
import type { RunTool, ToolFamily, Undo } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;
const scope = Type.Optional(
  Type.Union([Type.Literal('chat'), Type.Literal('workspace'), Type.Literal('global')], {
    description: 'chat: this chat only; workspace: all chats in this folder (when left out); global: everywhere.',
  }),
);
const key = Type.String({ minLength: 1, maxLength: 240, description: 'Short and telling, like build-command; or type:key.' });

const toolsOf = (undo: Undo): readonly ToolFamily['tools'][number][] => [
  {
    name: 'remember',
    display: { icon: 'brain' },
    description:
      'Keeps a note for later turns and chats: a fact, a preference, a decision, a recipe that worked. The same key again replaces the value. No secrets; nothing that the files say anyway.',
    input: Type.Object(
      {
        key,
        value: Type.String({ minLength: 1, maxLength: 20_000, description: 'Understandable without this conversation.' }),
        type: Type.Optional(
          Type.String({
            maxLength: 32,
            description: 'fact (when left out), experience, entity, belief, reflection, recipe, hypothesis, trajectory, or a word of your own.',
          }),
        ),
        scope,
      },
      strict,
    ),
    effects: ['write'],
    undo,
    replay: 'idempotent',
  },
  {
    name: 'recall',
    display: { icon: 'brain' },
    description: 'Reads one note by its key or type:key.',
    input: Type.Object({ key }, strict),
    effects: ['read'],
    undo: 'none',
    replay: 'pure',
  },
  {
    name: 'recall_relevant',
    display: { icon: 'brain' },
    description: 'Finds notes of this chat, this workspace and everywhere that have to do with a question.',
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 4_000 }),
        k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'How many at most; 8 when left out.' })),
      },
      strict,
    ),
    effects: ['read'],
    undo: 'none',
    replay: 'pure',
  },
  {
    name: 'forget',
    display: { icon: 'brain' },
    description: 'Deletes a note by its key or type:key. A person can restore it for 30 days.',
    input: Type.Object({ key, scope }, strict),
    effects: ['write'],
    undo,
    replay: 'idempotent',
  },
];

const graphTool: ToolFamily['tools'][number] = {
  name: 'memory_graph',
  display: { icon: 'brain' },
  description: 'Shows a note with the notes that are linked to it, up to two steps away.',
  input: Type.Object({ key, steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: '1 when left out.' })) }, strict),
  effects: ['read'],
  undo: 'none',
  replay: 'pure',
};

/** @param undo whether an undo of a turn also reverts its changes of notes */
export function memoryFamily(hasGraph: boolean, undo: Undo, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  return {
    name: 'memory',
    description: 'Keep, find and delete notes that outlive a chat.',
    traits: ['knowledge', 'lasting'],
    tools: hasGraph ? [...toolsOf(undo), graphTool] : toolsOf(undo),
    load,
  };
}
