// Defines the schemas of a forecast and of its event, from which their types derive.
import * as Type from 'typebox';
import { oneOf } from '#lib/schemas';

const amount = (description: string) => Type.Number({ minimum: 0, description });
const fields = {
  unit: oneOf(['usd', 'tokens'], { description: 'Of the numbers: USD if the provider reports costs, otherwise tokens, input and output.' }),
  likely: amount('Half of such turns cost less.'),
  low: amount('Four of five such turns were between this and `high`.'),
  high: amount('See `low`.'),
  turns: Type.Integer({ description: 'The number of past turns that it is based on.' }),
};

export const forecastSchema = Type.Object(fields);
export const eventSchema = Type.Object({
  ...{ chatId: Type.String(), turnId: Type.String() },
  phase: oneOf(['before', 'plan', 'beyond'], {
    description: '`before`: for the whole turn. `plan`: a plan is presented to the person. `beyond`: the turn exceeded what was forecast.',
  }),
  ...fields,
  soFar: amount('The cost of the turn so far; 0 before.'),
});
