// Defines the schemas of a theme in HTTP replies.
import * as Type from 'typebox';
import { uiThemeSchema } from './theme-schema.ts';

const values = (description: string) => Type.Record(Type.String(), Type.String(), { description });
const colours = (when: string) =>
  values(`The colours of the page ${when}, by the names of its tokens, as #rrggbb. Text has a contrast of 4.5 : 1 on each background.`);

const shown = {
  theme: uiThemeSchema,
  palette: Type.Object({
    light: colours('in light mode'),
    dark: colours('in dark mode'),
    measures: values("Corners, spacing and fonts, by the names of the page's tokens."),
  }),
  tokens: values("The palette as values of the page's custom properties, by their names without the dashes."),
};

export const shownThemeSchema = Type.Union([Type.Object(shown), Type.Null()]);

const contrasts = Type.Object(
  { text: Type.Number(), quietText: Type.Number(), links: Type.Number(), buttons: Type.Number(), edges: Type.Number() },
  { description: 'The lowest contrast with any background of the page, 1 to 21.' },
);

export const previewSchema = {
  body: uiThemeSchema,
  reply: Type.Object({ ...shown, contrast: Type.Object({ light: contrasts, dark: contrasts }) }),
};
