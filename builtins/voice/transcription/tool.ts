// The tool `transcribe_audio`, as a descriptor; what runs is imported on first use.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import type { RunTool, Tool } from 'agent-harness/plugins/tools';
import { languagePattern, longestPrompt, timestampKinds } from './routes.ts';

export const toolInput = Type.Object(
  {
    attachmentId: Type.Optional(Type.String({ description: 'A recording or an attached sound file of this chat.' })),
    path: Type.Optional(Type.String({ description: 'A sound file of the workspace.' })),
    url: Type.Optional(Type.String({ description: 'A sound file of the web.' })),
    language: Type.Optional(Type.String({ pattern: languagePattern, description: 'What is spoken, where you know it: en, pt-BR.' })),
    prompt: Type.Optional(Type.String({ maxLength: longestPrompt, description: 'Names and words that are likely to be in it.' })),
    timestamps: Type.Optional(timestampKinds),
  },
  { additionalProperties: false },
);
export type ToolArgs = Static<typeof toolInput>;

/** The recognition of a long recording by a small machine takes its time. */
const timeoutMs = 20 * 60_000;

export function transcribeTool(files: () => WorkspaceFiles | undefined, load: () => Promise<RunTool>): Tool {
  return {
    name: 'transcribe_audio',
    family: 'audio',
    display: { icon: 'mic', subject: ({ path, url, attachmentId }: ToolArgs) => path ?? url ?? attachmentId ?? '' },
    description: 'Writes down what is said in a recording: give exactly one of attachmentId, path and url. WAV, WebM, Ogg, MP3, M4A, FLAC, AAC.',
    input: toolInput,
    effects: ['read', 'network'],
    undo: 'none',
    replay: 'idempotent',
    timeoutMs,
    readsWorkspace: true,
    traits: ['reads_web'],
    // What the path leads to now is what is read.
    needsApproval({ path }: ToolArgs, place) {
      if (path !== undefined) files()?.decide(place, path);
      return undefined;
    },
    load,
  };
}
