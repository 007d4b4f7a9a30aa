// Defines the schema of a plan for the model, the event and the route.
import * as Type from 'typebox';

/** Maximum number of steps; a longer list would not give an overview. */
export const maxItems = 30;
const maxTextLength = 300;

const item = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: maxTextLength, description: 'The step, in a few words.' }),
    status: Type.Union([Type.Literal('pending'), Type.Literal('active'), Type.Literal('done')]),
  },
  { additionalProperties: false },
);
export const itemsSchema = Type.Array(item, { maxItems });

export const updatePlanInput = Type.Object({ items: itemsSchema }, { additionalProperties: false });
