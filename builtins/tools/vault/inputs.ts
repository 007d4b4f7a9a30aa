// Defines the arguments of the vault tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const strict = { additionalProperties: false };
const path = (description: string): Type.TString => Type.String({ minLength: 1, maxLength: 1024, description });

export const searchInput = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'Words to look for in titles, headings, tags and text.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'How many notes; 8 when left out.' })),
  },
  strict,
);
export type SearchArgs = Static<typeof searchInput>;

export const readInput = Type.Object(
  {
    path: Type.Optional(path('The note, relative to the vault; .md may be left out.')),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Instead of path: the title, file name or alias of a note.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Characters to leave out from the start, for the next page of a long note.' })),
  },
  strict,
);
export type ReadArgs = Static<typeof readInput>;

export const writeInput = Type.Object(
  {
    path: Type.Optional(path('Where, under agent/; agent/notes/<title>.md when left out.')),
    title: Type.String({ minLength: 1, maxLength: 300, description: 'The title of the note.' }),
    content: Type.String({ description: 'Markdown; [[Title]] links to another note. May begin with a YAML front matter.' }),
    mode: Type.Optional(
      Type.Union([Type.Literal('create'), Type.Literal('append'), Type.Literal('replace')], {
        description: 'create: the default, fails if the note exists. append: adds at its end. replace: only for notes that only this tool changed.',
      }),
    ),
    links: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 30, description: 'Titles or paths of related notes, linked at the end.' }),
    ),
  },
  strict,
);
export type WriteArgs = Static<typeof writeInput>;

export const linksInput = Type.Object({ path: path('The note, relative to the vault, or its title.') }, strict);
export type LinksArgs = Static<typeof linksInput>;
