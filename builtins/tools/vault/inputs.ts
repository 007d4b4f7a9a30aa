// Defines the arguments of the vault tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const strict = { additionalProperties: false };
const path = (description: string): Type.TString => Type.String({ minLength: 1, maxLength: 1024, description });

export const searchInput = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'Words to find in titles, headings, tags and text.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum results; default 8.' })),
  },
  strict,
);
export type SearchArgs = Static<typeof searchInput>;

export const readInput = Type.Object(
  {
    path: Type.Optional(path('Path relative to the vault; .md is optional.')),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: "Instead of path: a note's title, file name or alias." })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Offset in characters, for the next page of a long note.' })),
  },
  strict,
);
export type ReadArgs = Static<typeof readInput>;

export const writeInput = Type.Object(
  {
    path: Type.Optional(path('Path under agent/; default: agent/notes/<title>.md.')),
    title: Type.String({ minLength: 1, maxLength: 300, description: 'Title of the note.' }),
    content: Type.String({ description: 'Markdown; [[Title]] links to another note. May start with YAML front matter.' }),
    mode: Type.Optional(
      Type.Union([Type.Literal('create'), Type.Literal('append'), Type.Literal('replace')], {
        description: 'create (default): fails if the note exists. append: adds to its end. replace: only for notes that only this tool changed.',
      }),
    ),
    links: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 30, description: 'Titles or paths of related notes, linked at the end.' }),
    ),
  },
  strict,
);
export type WriteArgs = Static<typeof writeInput>;

export const linksInput = Type.Object({ path: path('Path relative to the vault, or the title.') }, strict);
export type LinksArgs = Static<typeof linksInput>;
