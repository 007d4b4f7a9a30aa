// Serves `POST /api/support`: a support bundle for the page and the command line.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { SupportFiles } from './support-files.ts';

const optional = Type.Optional;
const text = Type.String();
const making = {
  body: Type.Object(
    {
      chatId: optional(Type.String({ maxLength: 100, description: 'The active chat when left out.' })),
      turnId: optional(Type.String({ maxLength: 100, description: 'The newest recorded turn when left out.' })),
      parts: optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50, description: 'Beside the turn; versions and plugins when left out.' })),
      strike: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: 'Words that are to stand nowhere in it.' })),
      digest: optional(Type.String({ maxLength: 64, description: 'Of the file that was looked through: another one is refused (`changed`).' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    turnId: text,
    name: text,
    text: Type.String({ description: 'All of the file.' }),
    bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of the text, in hex.' }),
    isEqual: Type.Boolean({ description: 'The turn, run again from its record, is what its journal says, to the byte.' }),
    parts: Type.Array(
      Type.Object({
        ...{ name: text, title: text, description: text, isIn: Type.Boolean(), bytes: Type.Integer() },
        text: Type.String({ description: 'As it stands in the file, or would.' }),
      }),
    ),
  }),
};

export function createSupportRoute(files: () => Promise<SupportFiles>, changed: () => Error): Route<typeof making> {
  return {
    key: 'POST /api/support',
    command: 'make_support_file',
    summary: 'Makes a file by which somebody else can reproduce a turn, with the parts that were ticked; nothing is sent anywhere.',
    tag: 'chats',
    schema: making,
    waitsForReady: true,
    async handle({ body: { digest: seen, ...wish } }) {
      const { difference, parts, ...file } = await (await files()).make(wish);
      if (seen !== undefined && seen !== file.digest) throw changed();
      return { ...file, isEqual: difference === undefined, parts: [...parts] };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/support': typeof making;
  }
}
