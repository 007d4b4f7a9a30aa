// Defines the tool `transcribe_audio`; imports its code on the first call.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import type { RunTool, Tool } from 'agent-harness/plugins/tools';
import { languagePattern, longestPrompt, timestampKinds } from './routes.ts';

export const toolInput = Type.Object(
  {
    attachmentId: Type.Optional(Type.String({ description: 'recorded or attached here' })),
    path: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    language: Type.Optional(Type.String({ pattern: languagePattern, description: 'en, pt-BR; if you know it' })),
    prompt: Type.Optional(Type.String({ maxLength: longestPrompt, description: 'names likely to occur' })),
    timestamps: Type.Optional(timestampKinds),
  },
  { additionalProperties: false },
);
export type ToolArgs = Static<typeof toolInput>;

/** Time limit in milliseconds; on a slow machine, a long recording takes a long time. */
const timeoutMs = 20 * 60_000;

export function transcribeTool(files: () => WorkspaceFiles | undefined, load: () => Promise<RunTool>): Tool {
  return {
    name: 'transcribe_audio',
    family: 'audio',
    display: { icon: 'mic', subject: ({ path, url, attachmentId }: ToolArgs) => path ?? url ?? attachmentId ?? '' },
    description: 'Transcribes audio. Pass one of attachmentId (in this chat), path (in the workspace) or url.',
    input: toolInput,
    effects: ['read', 'network'],
    undo: 'none',
    replay: 'idempotent',
    timeoutMs,
    readsWorkspace: true,
    traits: ['reads_web'],
    // The approval covers the file to which the path resolves now.
    needsApproval({ path }: ToolArgs, place) {
      if (path !== undefined) files()?.decide(place, path);
      return undefined;
    },
    load,
  };
}
