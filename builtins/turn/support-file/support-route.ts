// Serves `POST /api/support`: builds a support bundle for the page and the command line.
import * as Type from 'typebox';
import type { Difference } from 'agent-harness/builtins/turn/replay';
import type { Frozen } from '#lib/values';
import type { Route } from 'agent-harness/plugins/http';

const optional = Type.Optional;
const text = Type.String();
const wish = {
  chatId: optional(Type.String({ maxLength: 100, description: 'Default: the active chat.' })),
  turnId: optional(Type.String({ maxLength: 100, description: 'Default: the newest recorded turn.' })),
  parts: optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50, description: 'Sections besides the turn; default: versions and plugins.' })),
  strike: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: 'Words to redact.' })),
};
const part = Type.Object({
  ...{ name: text, title: text, description: text, isIn: Type.Boolean(), bytes: Type.Integer() },
  text: Type.String({ description: 'Text as it is, or would be, in the file.' }),
});
const making = {
  body: Type.Object(
    {
      ...wish,
      digest: optional(Type.String({ maxLength: 64, description: 'Digest of the reviewed file; if the file has changed, the request fails with `changed`.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    turnId: text,
    name: text,
    text: Type.String({ description: 'Complete text of the file.' }),
    bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of the text, in hex.' }),
    isEqual: Type.Boolean({ description: 'Whether the replay of the turn is identical to its journal.' }),
    parts: Type.Array(part),
  }),
};

export type SupportWish = { readonly [Name in keyof typeof wish]?: Frozen<Type.Static<(typeof wish)[Name]>> | undefined };
/** A support bundle. `difference`: the first difference between the replay and the journal; omitted if they are byte-identical. */
export type SupportFile = Frozen<Type.Static<typeof making.reply>> & { readonly difference?: Difference };

export function createSupportRoute(make: (wish: SupportWish) => Promise<SupportFile>, changed: () => Error): Route<typeof making> {
  return {
    key: 'POST /api/support',
    command: 'make_support_file',
    summary: 'Creates a support bundle that reproduces a turn, with the selected sections. Nothing is sent.',
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
