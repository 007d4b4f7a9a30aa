// Defines the descriptors of the cloud sync tools; imports their code on the first call.
import * as Type from 'typebox';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const none = Type.Object({}, { additionalProperties: false });
const shared = { input: none, undo: 'none', replay: 'idempotent', display: { icon: 'brain' } } as const;

export interface CloudFamilyParts {
  /** Returns a sentence about the notes that would be uploaded for the first time; `undefined` if the user agreed before. */
  firstTime(chatId: string): Promise<string | undefined>;
}

export function cloudFamily({ firstTime }: CloudFamilyParts, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  const needsApproval = (_: unknown, { chatId }: { readonly chatId: string }): Promise<string | undefined> => firstTime(chatId);
  return {
    name: 'cloud_sync',
    description: "Keep the notes of this chat's workspace and the global ones alike on all machines of the person.",
    tools: [
      {
        ...shared,
        name: 'cloud_memory_pull',
        description: "Brings notes from the person's account here.",
        effects: ['write'],
      },
      {
        ...shared,
        name: 'cloud_memory_push',
        description: "Sends notes that changed here to the person's account.",
        effects: ['network'],
        needsApproval,
      },
      {
        ...shared,
        name: 'cloud_memory_sync',
        description: "Brings notes here and in the person's account to the same state: both ways, deletions too.",
        effects: ['write', 'network'],
        needsApproval,
      },
    ],
    load,
  };
}
