// Defines the descriptors of the cloud sync tools and imports their code on the first call.
import * as Type from 'typebox';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const none = Type.Object({}, { additionalProperties: false });
const shared = { input: none, undo: 'none', replay: 'idempotent', display: { icon: 'brain' } } as const;

export interface CloudFamilyParts {
  /** Returns a sentence about the notes that would be uploaded for the first time; `undefined` if the user has already agreed. */
  firstTime(chatId: string): Promise<string | undefined>;
}

export function cloudFamily({ firstTime }: CloudFamilyParts, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  const needsApproval = (_: unknown, { chatId }: { readonly chatId: string }): Promise<string | undefined> => firstTime(chatId);
  return {
    name: 'cloud_sync',
    description: "Synchronise the notes of this chat's workspace and the global notes between all machines of the user.",
    tools: [
      {
        ...shared,
        name: 'cloud_memory_pull',
        description: "Downloads notes from the user's account.",
        effects: ['write'],
      },
      {
        ...shared,
        name: 'cloud_memory_push',
        description: "Uploads changed notes to the user's account.",
        effects: ['network'],
        needsApproval,
      },
      {
        ...shared,
        name: 'cloud_memory_sync',
        description: "Synchronises notes with the user's account in both directions, including deletions.",
        effects: ['write', 'network'],
        needsApproval,
      },
    ],
    load,
  };
}
