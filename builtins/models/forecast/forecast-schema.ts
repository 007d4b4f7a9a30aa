// Defines the schemas of a turn's cost forecast and of its event; their types are derived from the schemas.
import * as Type from 'typebox';
import { oneOf } from '#lib/schemas';

const amount = (description: string) => Type.Number({ minimum: 0, description });
const fields = {
  unit: oneOf(['usd', 'tokens'], { description: 'Unit of the amounts: USD if the provider reports costs, otherwise input and output tokens.' }),
  likely: amount('Median: half of the similar turns cost less.'),
  low: amount('Lower end of the 80% range: four of five similar turns cost between `low` and `high`.'),
  high: amount('Upper end of the 80% range.'),
  turns: Type.Integer({ description: 'Number of past turns on which the forecast is based.' }),
};

export const forecastSchema = Type.Object(fields);
export const eventSchema = Type.Object({
  ...{ chatId: Type.String(), turnId: Type.String() },
  phase: oneOf(['before', 'plan', 'beyond'], {
    description: '`before`: forecast of the whole turn. `plan`: a plan is presented to the user. `beyond`: the turn exceeded its forecast.',
  }),
  ...fields,
  soFar: amount('Cost of the turn so far; 0 in phase `before`.'),
});
