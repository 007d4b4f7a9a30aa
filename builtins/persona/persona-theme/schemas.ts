// Defines the schemas of a theme in HTTP replies.
import * as Type from 'typebox';
import { uiThemeSchema } from './theme-schema.ts';

const values = (description: string) => Type.Record(Type.String(), Type.String(), { description });
const colours = (when: string) =>
  values(`The colours of the page ${when}, by the names of its tokens, as #rrggbb; text has a contrast of 4.5 : 1 on each ground.`);

const shown = {
  theme: uiThemeSchema,
  palette: Type.Object({ light: colours('by day'), dark: colours('by night'), measures: values('Corners, room and letters, by the names of its tokens.') }),
  tokens: values('The palette as values of the custom properties of the page, by their names without the dashes.'),
};

export const shownThemeSchema = Type.Union([Type.Object(shown), Type.Null()]);

const contrasts = Type.Object(
  { text: Type.Number(), quietText: Type.Number(), links: Type.Number(), buttons: Type.Number(), edges: Type.Number() },
  { description: 'The least contrast with any ground of the page, 1 to 21.' },
);

export const previewSchema = {
  body: uiThemeSchema,
  reply: Type.Object({ ...shown, contrast: Type.Object({ light: contrasts, dark: contrasts }) }),
};
