// Defines the messages between the server and `app acp` for reading and writing files in the editor, and running commands.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { TerminalCommand } from 'agent-harness/builtins/tools/shell';

export const editorPath = '/api/editor';
/** Maximum size of a frame in bytes. JSON encoding can enlarge a text of 4 MB sixfold. */
export const longestFrame = 32 * 1024 * 1024;

const exact = { additionalProperties: false };
const chatId = Type.String({ minLength: 1, maxLength: 200 });
const number = Type.Integer({ minimum: 1 });

export const fromEditor = Type.Union([
  Type.Object(
    {
      lead: chatId,
      reads: Type.Boolean(),
      writes: Type.Boolean(),
      runs: Type.Boolean({ description: 'Whether the editor runs commands in its own terminals.' }),
      variables: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 5_000, description: 'Names of the environment variables of commands.' }),
      folders: Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), { maxItems: 101, description: 'Absolute paths without symbolic links.' }),
    },
    exact,
  ),
  Type.Object({ leave: chatId }, exact),
  Type.Object({ reply: number, text: Type.String() }, exact),
  Type.Object(
    {
      ran: number,
      exitCode: Type.Union([Type.Integer(), Type.Null()]),
      signal: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
      output: Type.String(),
      isCut: Type.Boolean(),
    },
    exact,
  ),
  Type.Object({ reply: number, fault: Type.String({ maxLength: 10_000 }) }, exact),
]);
export type FromEditor = Static<typeof fromEditor>;

export type ToEditor =
  | { readonly led: string }
  | { readonly ask: number; readonly chatId: string; readonly path: string; /** Text to write; omitted for a read. */ readonly text?: string }
  | { readonly run: number; readonly chatId: string; readonly command: TerminalCommand }
  | { readonly stop: number };
