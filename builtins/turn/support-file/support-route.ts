// Serves `POST /api/support`: builds a support bundle for the page and the command line.
import * as Type from 'typebox';
import type { Difference } from 'agent-harness/builtins/turn/replay';
import type { Frozen } from '#lib/values';
import type { Route } from 'agent-harness/plugins/http';

const optional = Type.Optional;
const text = Type.String();
const wish = {
  chatId: optional(Type.String({ maxLength: 100, description: 'The active chat when left out.' })),
  turnId: optional(Type.String({ maxLength: 100, description: 'The newest recorded turn when left out.' })),
  parts: optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50, description: 'Beside the turn; versions and plugins when left out.' })),
  strike: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: 'Words that are to stand nowhere in it.' })),
};
const part = Type.Object({
  ...{ name: text, title: text, description: text, isIn: Type.Boolean(), bytes: Type.Integer() },
  text: Type.String({ description: 'As it stands in the file, or would.' }),
});
const making = {
  body: Type.Object(
    { ...wish, digest: optional(Type.String({ maxLength: 64, description: 'Of the file that was looked through: another one is refused (`changed`).' })) },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    turnId: text,
    name: text,
    text: Type.String({ description: 'All of the file.' }),
    bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of the text, in hex.' }),
    isEqual: Type.Boolean({ description: 'The turn, run again from its record, is what its journal says, to the byte.' }),
    parts: Type.Array(part),
  }),
};

export type SupportWish = { readonly [Name in keyof typeof wish]?: Frozen<Type.Static<(typeof wish)[Name]>> | undefined };
/** `difference`: the first difference between the replay and the journal; left out if they are byte-identical. */
export type SupportFile = Frozen<Type.Static<typeof making.reply>> & { readonly difference?: Difference };

export function createSupportRoute(make: (wish: SupportWish) => Promise<SupportFile>, changed: () => Error): Route<typeof making> {
  return {
    key: 'POST /api/support',
    command: 'make_support_file',
    summary: 'Makes a file by which somebody else can reproduce a turn, with the parts that were ticked; nothing is sent anywhere.',
    tag: 'chats',
    schema: making,
    waitsForReady: true,
    async handle({ body: { digest: seen, ...wanted } }) {
      const { difference: _, parts, ...file } = await make(wanted);
      if (seen !== undefined && seen !== file.digest) throw changed();
      return { ...file, parts: [...parts] };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/support': typeof making;
  }
}
