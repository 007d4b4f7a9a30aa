// Defines the descriptors of the memory tools; their code is imported on first use.
import * as Type from 'typebox';
import type { RunTool, ToolFamily, Undo } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;
const scope = Type.Optional(
  Type.Union([Type.Literal('chat'), Type.Literal('workspace'), Type.Literal('global')], {
    description: 'chat: this chat only; workspace (default): all chats in this folder; global: everywhere.',
  }),
);
const key = Type.String({ minLength: 1, maxLength: 240, description: 'Short and descriptive, such as build-command; or type:key.' });

const toolsOf = (undo: Undo): readonly ToolFamily['tools'][number][] => [
  {
    name: 'remember',
    display: { icon: 'brain' },
    description:
      'Stores a note for later turns and chats: a fact, a preference, a decision, a recipe that worked. Reusing a key replaces the value. No secrets; nothing the files already contain.',
    input: Type.Object(
      {
        key,
        value: Type.String({ minLength: 1, maxLength: 20_000, description: 'Must make sense without this chat.' }),
        type: Type.Optional(
          Type.String({
            maxLength: 32,
            description: 'fact (default), experience, entity, belief, reflection, recipe, hypothesis, trajectory, or a word of your own.',
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
    description: 'Searches the notes of this chat, this workspace and global ones by relevance.',
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 4_000 }),
        k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum results; default 8.' })),
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
    description: 'Deletes a note by its key or type:key. The user can restore it for 30 days.',
    input: Type.Object({ key, scope }, strict),
    effects: ['write'],
    undo,
    replay: 'idempotent',
  },
];

const graphTool: ToolFamily['tools'][number] = {
  name: 'memory_graph',
  display: { icon: 'brain' },
  description: 'Returns a note with the notes linked to it, up to two steps away.',
  input: Type.Object({ key, steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: 'Default 1.' })) }, strict),
  effects: ['read'],
  undo: 'none',
  replay: 'pure',
};

/** @param undo whether undoing a turn also reverts its changes of notes */
export function memoryFamily(hasGraph: boolean, undo: Undo, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  return {
    name: 'memory',
    description: 'Store, find and delete notes that outlive a chat.',
    traits: ['knowledge', 'lasting'],
    tools: hasGraph ? [...toolsOf(undo), graphTool] : toolsOf(undo),
    load,
  };
}
