// Defines the settings schema of the critic.
import * as Type from 'typebox';

const tab = 'harness';
const apply = 'live';

export const criticConfig = Type.Object({
  isOn: Type.Boolean({
    default: false,
    env: 'AGENT_CRITIC',
    words: 'verify review hallucination double check',
    tab,
    title: 'Check answers',
    description:
      'Before a turn ends, checks answers that name files or quote code: whether the files exist and contain the code, and with one call of the fast model.',
    apply,
  }),
  isRequired: Type.Boolean({
    default: false,
    env: 'AGENT_CRITIC_REQUIRE',
    tab,
    title: 'Return failed replies to the model',
    description: 'Sends a failed answer back to the model once, instead of only reporting the problems.',
    apply,
  }),
  showsEvidence: Type.Boolean({
    default: true,
    env: 'AGENT_CRITIC_EVIDENCE',
    tab,
    title: 'Evidence for the check',
    description: 'Gives the checking model excerpts of the tool output of the turn. Off: it judges the answer alone.',
    apply,
  }),
  minTools: Type.Integer({
    default: 4,
    minimum: 0,
    maximum: 100,
    env: 'AGENT_CRITIC_MIN_TOOLS',
    tab,
    title: 'Tool calls before a check',
    description: 'Minimum number of tool calls in a turn for its answer to be checked.',
    apply,
  }),
});
