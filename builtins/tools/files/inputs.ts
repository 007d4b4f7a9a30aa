// Defines the arguments of the file tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const path = (description: string): Type.TString => Type.String({ minLength: 1, description });
const strict = { additionalProperties: false };

export const readFileInput = Type.Object(
  {
    path: path('Relative to the workspace, absolute, or attachment:<id>.'),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line, from 1.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: '2000 by default.' })),
  },
  strict,
);
export type ReadFileArgs = Static<typeof readFileInput>;

export const writeFileInput = Type.Object(
  {
    path: path('Missing folders are made.'),
    content: Type.String(),
    mode: Type.Optional(
      Type.Union([Type.Literal('create'), Type.Literal('overwrite'), Type.Literal('append')], {
        description: 'create fails if it exists; default: overwrite.',
      }),
    ),
  },
  strict,
);
export type WriteFileArgs = Static<typeof writeFileInput>;

export const copyAttachmentInput = Type.Object(
  {
    id: Type.String({ pattern: '^att_[0-9A-HJKMNP-TV-Z]{26}$', description: 'As shown in the message.' }),
    path: path('Target path; must not exist yet.'),
  },
  strict,
);
export type CopyAttachmentArgs = Static<typeof copyAttachmentInput>;

export const editFileInput = Type.Object(
  {
    path: Type.String({ minLength: 1 }),
    edits: Type.Optional(
      Type.Array(
        Type.Object(
          {
            search: Type.String({ minLength: 1, description: 'Occurs exactly once, whitespace included.' }),
            replace: Type.String(),
            all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence.' })),
          },
          strict,
        ),
        { minItems: 1, description: 'In order; all or none.' },
      ),
    ),
    patch: Type.Optional(Type.String({ minLength: 1, description: 'Instead of edits: a unified diff or apply_patch.' })),
  },
  strict,
);
export type EditFileArgs = Static<typeof editFileInput>;

export const listDirInput = Type.Object(
  {
    path: Type.Optional(path('The workspace by default.')),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, description: 'Levels; default 1.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type ListDirArgs = Static<typeof listDirInput>;

export const findFilesInput = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 500, description: 'Glob: *.ts (any depth), src/**/*.{ts,tsx}, docs/*.md.' }),
    path: Type.Optional(path('A folder; the workspace by default.')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: '300 by default.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type FindFilesArgs = Static<typeof findFilesInput>;

export const grepFilesInput = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 2000, description: 'JavaScript regex, per line.' }),
    path: Type.Optional(path('A folder or file; the workspace by default.')),
    literal: Type.Optional(Type.Boolean({ description: 'The pattern is plain text.' })),
    ignoreCase: Type.Optional(Type.Boolean()),
    glob: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Only such files: *.ts.' })),
    context: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'Lines around matches.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: '200 by default.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type GrepFilesArgs = Static<typeof grepFilesInput>;
