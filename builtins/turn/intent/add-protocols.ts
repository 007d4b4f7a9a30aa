// Adds the sections that the hint wants and whose tools exist, always in the same order. Pure.
import type { Prompt } from 'agent-harness/plugins/agent';
import { protocols, type Intent } from './protocols.ts';

/** The same tools and the same hint give the same text, so that a provider's prompt cache hits. */
export function addProtocols(prompt: Prompt, hint: Intent | 'any', hasTool: (name: string) => boolean): Prompt | undefined {
  const wanted = protocols.filter((protocol) => (hint === 'any' || protocol.intents.includes(hint)) && protocol.tools.some(hasTool));
  if (wanted.length === 0) return undefined;
  const from = hint === 'any' ? {} : { from: [{ kind: 'setting' as const, ref: 'AGENT_PROTOCOL_INTENT_HINT', why: `it says ${hint}` }] };
  return { ...prompt, system: [...prompt.system, ...wanted.map(({ id, text }) => ({ id: `protocol_${id}`, text, ...from }))] };
}
