// Defines the arguments of the file tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const path = (description: string): Type.TString => Type.String({ minLength: 1, description });
const strict = { additionalProperties: false };

export const readFileInput = Type.Object(
  {
    path: path('Relative to the workspace, absolute, or attachment:<id>.'),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line; starts at 1.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Default 2000.' })),
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
        description: 'Default overwrite; create fails if the file exists.',
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
            search: Type.String({ minLength: 1, description: 'Must occur exactly once, whitespace included.' }),
            replace: Type.String(),
            all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence.' })),
          },
          strict,
        ),
        { minItems: 1, description: 'Applied in order, all or none.' },
      ),
    ),
    patch: Type.Optional(Type.String({ minLength: 1, description: 'Alternative to edits: a unified diff or apply_patch.' })),
  },
  strict,
);
export type EditFileArgs = Static<typeof editFileInput>;

export const listDirInput = Type.Object(
  {
    path: Type.Optional(path('Default: the workspace.')),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, description: 'Levels, default 1.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type ListDirArgs = Static<typeof listDirInput>;

export const findFilesInput = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 500, description: 'Glob: *.ts (any depth), src/**/*.{ts,tsx}, docs/*.md.' }),
    path: Type.Optional(path('Folder; default: the workspace.')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: 'Default 300.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type FindFilesArgs = Static<typeof findFilesInput>;

export const grepFilesInput = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 2000, description: 'JavaScript regex, per line.' }),
    path: Type.Optional(path('Folder or file; default: the workspace.')),
    literal: Type.Optional(Type.Boolean({ description: 'Treat the pattern as plain text.' })),
    ignoreCase: Type.Optional(Type.Boolean()),
    glob: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Only these files, e.g. *.ts.' })),
    context: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'Lines around each match.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: 'Default 200.' })),
    showIgnored: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type GrepFilesArgs = Static<typeof grepFilesInput>;
