// Classifies the intent of a turn by its words. This is fast but imprecise, so it affects only the number of notes.
import { textStart } from '#lib/text';
import type { TurnIntent } from 'agent-harness/builtins/tools/memory';

/** Maximum length of the classified text in UTF-16 code units; the intent is at the beginning. */
const readText = 1_500;

const introspective =
  /\b(?:(?:what|which|how much|how)\s+(?:do|did|have|would|can)\s+you\s+(?:\w+\s+)?(?:know|remember|recall|learn(?:ed|t)?|think|believe|feel)|do you (?:still )?(?:remember|recall|know)|why did you|your(?:\s+own)?\s+(?:memory|memories|notes|beliefs?|mistakes?|reasoning|reflections?|behaviou?r)|about yourself|who are you|reflect on (?:your|what you)|what have (?:you|we) (?:learned|learnt|decided|done))\b/i;
const exploratory =
  /\b(?:brainstorm\w*|imagine|invent|dream up|daydream|what if|come up with|ideas? (?:for|about|on)|explor(?:e|ing)|speculate|thought experiment|be (?:creative|playful|bold)|creative|wild(?:est)? ideas?|(?:write|tell|compose|sing)\s+(?:me\s+|us\s+)?(?:a|an|some)\s+(?:\w+\s+)?(?:poem|haiku|limerick|story|tale|song|lyrics|joke|sketch|fable))\b/i;

export function intentOf(text: string): TurnIntent {
  const beginning = textStart(text, readText);
  if (introspective.test(beginning)) return 'introspective';
  return exploratory.test(beginning) ? 'exploratory' : 'plain';
}
