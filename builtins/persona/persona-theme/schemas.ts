// What clients read of a theme.
import * as Type from 'typebox';
import { uiThemeSchema } from './theme-schema.ts';

const hex = Type.String({ description: '#rrggbb' });
const colours = (when: string) =>
  Type.Record(Type.String(), hex, {
    description: `The colours of the page ${when}, by the names of its tokens; text has a contrast of 4.5 : 1 on each ground.`,
  });

export const shownThemeSchema = Type.Union([
  Type.Object({
    theme: uiThemeSchema,
    palette: Type.Object({
      light: colours('by day'),
      dark: colours('by night'),
      measures: Type.Record(Type.String(), Type.String(), { description: 'Corners, room and letters, by the names of its tokens.' }),
    }),
  }),
  Type.Null(),
]);
