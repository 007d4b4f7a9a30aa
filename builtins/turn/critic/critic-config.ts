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
      'Checks answers that name files or show code before the turn ends: whether the files exist, whether quoted code stands in them, and by one call of the fast model.',
    apply,
  }),
  isRequired: Type.Boolean({
    default: false,
    env: 'AGENT_CRITIC_REQUIRE',
    tab,
    title: 'Return failed replies to the model',
    description: 'Sends an answer that failed its check back to the model once, instead of only noting the problems.',
    apply,
  }),
  showsEvidence: Type.Boolean({
    default: true,
    env: 'AGENT_CRITIC_EVIDENCE',
    tab,
    title: 'Evidence for the check',
    description: 'Gives the checking model excerpts of what the tools of the turn showed. Without them it judges the answer alone.',
    apply,
  }),
  minTools: Type.Integer({
    default: 4,
    minimum: 0,
    maximum: 100,
    env: 'AGENT_CRITIC_MIN_TOOLS',
    tab,
    title: 'Tool calls before a check',
    description: 'Answers of turns with fewer tool calls than this are not checked.',
    apply,
  }),
});
