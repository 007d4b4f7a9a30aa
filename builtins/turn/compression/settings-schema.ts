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
    title: 'Context size of the model (tokens)',
    description: 'Maximum tokens of one request. At 65 percent, older rounds are shortened to reach 40 percent or less.',
  }),
  isSemantic: Type.Boolean({
    default: false,
    env: 'AGENT_COMPRESS_SEMANTIC',
    words: 'summarise compact shorten',
    tab: 'session_ui',
    apply: 'live',
    title: 'Summarize old rounds with the model',
    description: 'The fast model writes a summary of the oldest rounds with their causes and results. Off: one line per call.',
  }),
});
