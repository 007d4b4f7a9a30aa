// The variables of a turn.
import * as Type from 'typebox';

export const settingsSchema = Type.Object({
  maxRounds: Type.Integer({
    default: 128,
    minimum: 1,
    maximum: 1000,
    env: 'AGENT_MAX_ROUNDS',
    tab: 'harness',
    apply: 'live',
    title: 'Rounds per turn',
    description: 'How many times one turn may call the model before it ends with what was done so far.',
  }),
  turnTimeoutMs: Type.Integer({
    default: 1_800_000,
    minimum: 0,
    maximum: 86_400_000,
    env: 'AGENT_SEND_TIMEOUT_MS',
    tab: 'harness',
    apply: 'live',
    title: 'Time limit of a turn',
    description: 'Wall clock of a turn in milliseconds; 0 means no limit.',
  }),
  maxTokens: Type.Integer({
    default: 16_000,
    minimum: 256,
    maximum: 200_000,
    env: 'AGENT_MAX_COMPLETION_TOKENS',
    tab: 'models_api',
    apply: 'live',
    title: 'Longest reply',
    description: 'The most tokens the model may write in one reply.',
  }),
  lengthResumes: Type.Integer({
    default: 8,
    minimum: 0,
    maximum: 50,
    env: 'AGENT_LENGTH_RESUME_MAX',
    tab: 'harness',
    apply: 'live',
    title: 'Continue cut replies',
    description: 'How often in a turn a reply that hit its length limit is continued.',
  }),
  sessionMode: Type.Union([Type.Literal(''), Type.Literal('initializer'), Type.Literal('coding')], {
    default: '',
    env: 'AGENT_SESSION_MODE',
    tab: 'session_ui',
    apply: 'live',
    title: 'Mode line',
    description: 'Adds a line to the prompt: initializer sets a project up, coding works on an existing one.',
  }),
});
