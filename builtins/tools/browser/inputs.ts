// Defines the arguments of the browser tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const strict = { additionalProperties: false };

export const operations = [
  ...['goto', 'click', 'fill', 'type', 'press', 'select', 'check', 'uncheck', 'hover', 'scroll', 'back', 'forward'],
  ...['wait', 'screenshot', 'snapshot', 'upload', 'dialog', 'read'],
] as const;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const defaultSize: Size = { width: 1280, height: 800 };
export const maxWaitMs = 10_000;

export const browserOpenInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8_000, description: 'http or https; about:blank for an empty page.' }),
    waitFor: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Text to wait for, at most 10 s.' })),
    size: Type.Optional(
      Type.Object(
        { width: Type.Integer({ minimum: 320, maximum: 1920 }), height: Type.Integer({ minimum: 240, maximum: 1440 }) },
        { ...strict, description: 'Viewport in pixels; default 1280 × 800.' },
      ),
    ),
  },
  strict,
);
export type BrowserOpenArgs = Static<typeof browserOpenInput>;

export const actionInput = Type.Object(
  {
    op: Type.Union(operations.map((op) => Type.Literal(op))),
    ref: Type.Optional(Type.String({ pattern: '^[a-z0-9]{1,24}$', description: 'Element ref from the snapshot: e12.' })),
    selector: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'CSS, if there is no ref.' })),
    text: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description:
          'fill, type: the input. press: the key (Enter, Control+A). select: the label or value. wait: the text to wait for. scroll: up, down, top or bottom. dialog: the answer to a prompt.',
      }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000, description: 'goto.' })),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: maxWaitMs, description: 'wait: duration.' })),
    accept: Type.Optional(Type.Boolean({ description: 'dialog: whether to accept.' })),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 10, description: 'upload: files of the workspace.' }),
    ),
  },
  strict,
);
export type Action = Omit<Static<typeof actionInput>, 'op'> & { readonly op: (typeof operations)[number] };

export const browserActInput = Type.Object(
  {
    sessionId: Type.String({ pattern: '^tab_[0-9]{1,9}$', description: 'The id from browser_open: tab_1.' }),
    actions: Type.Array(actionInput, { minItems: 1, maxItems: 40, description: 'Run in order; stops at the first failure.' }),
  },
  strict,
);
export interface BrowserActArgs {
  readonly sessionId: string;
  readonly actions: readonly Action[];
}
