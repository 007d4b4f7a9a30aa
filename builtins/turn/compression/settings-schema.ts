// Defines the settings schema of compression.
import * as Type from 'typebox';

export const settingsSchema = Type.Object({
  contextTokens: Type.Integer({
    default: 128_000,
    minimum: 4_000,
    maximum: 10_000_000,
    env: 'AGENT_CONTEXT_TOKENS',
    words: 'window size tokens limit long chats',
    tab: 'models_api',
    apply: 'live',
    title: 'Context of the model',
    description: 'How many tokens the model takes in one request. At 65 percent older rounds are shortened, down to 40 percent or less.',
  }),
  isSemantic: Type.Boolean({
    default: false,
    env: 'AGENT_COMPRESS_SEMANTIC',
    words: 'summarise compact shorten',
    tab: 'session_ui',
    apply: 'live',
    title: 'Let the model sum up old rounds',
    description: 'The oldest rounds become an account of what led to what, written by the fast model. Off: one line for each call.',
  }),
});
