// Serves `POST /api/forecast`, which returns the likely cost of sending a text.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import { forecastSchema } from './forecast-schema.ts';
import type { Forecaster } from './forecaster.ts';

const schema = {
  body: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 1_048_576 }),
      chatId: Type.Optional(Type.String({ pattern: '^chat_[0-9A-HJKMNP-TV-Z]{26}$' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ forecast: Type.Union([forecastSchema, Type.Null()]) }),
};

export function forecastRoute(chats: Pick<Chats, 'peek'>, forecaster: () => Promise<Pick<Forecaster, 'of'>>): Route<typeof schema> {
  return {
    key: 'POST /api/forecast',
    summary: 'Forecasts the cost of sending a text as a message of a chat, from past turns; `null` while there are fewer than five.',
    tag: 'models',
    permission: 'usage.read',
    schema,
    async handle({ body }) {
      const { chatId, workspaceRoot, model } = await chats.peek(body.chatId);
      const found = await (await forecaster()).of({ chatId, workspaceRoot, text: body.text, ...(model === undefined ? {} : { model }) });
      return { forecast: found ?? null };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/forecast': typeof schema;
  }
}
