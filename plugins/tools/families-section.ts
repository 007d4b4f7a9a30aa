// Builds the section of the system prompt that lists tools without a full description.
import { oneLine } from '#lib/text';
import type { Prompt } from 'agent-harness/plugins/agent';
import type { RegisteredTool } from './contract.ts';
import type { UnseenFamily } from './exposure.ts';

/** Maximum number of listed tools per family; one is enough to request the family. */
const namedTools = 30;

/** Adds one line per family. The section is the same in all rounds of all chats, regardless of calls, so that the provider's prompt cache is used. */
export function createFamiliesSection(): (prompt: Prompt, families: readonly UnseenFamily[]) => Prompt {
  const texts = new WeakMap<readonly UnseenFamily[], string>();
  return (prompt, families) => {
    if (families.length === 0) return prompt;
    const text = texts.get(families) ?? describe(families);
    texts.set(families, text);
    return { ...prompt, system: [...prompt.system, { id: 'tool_families', text }] };
  };
}

function describe(families: readonly UnseenFamily[]): string {
  const lines = families.map(lineOf).join('\n');
  return `More tools by family, with required arguments. Call any by name; its family is then described in full.\n${lines}`;
}

/** A description may come from an external server, so it is reduced to one line of limited length. */
function lineOf({ name, description, tools, isPartlySeen }: UnseenFamily): string {
  const purpose = isPartlySeen ? '' : oneLine(description === '' && tools.length === 1 ? firstSentence(tools[0]?.description ?? '') : description, 300);
  const more = tools.length > namedTools ? `, and ${tools.length - namedTools} more` : '';
  return `- ${name}${purpose === '' ? '' : `: ${purpose}`} (${tools.slice(0, namedTools).map(signature).join(', ')}${more})`;
}

function firstSentence(text: string): string {
  return /^[^]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

/** Returns, for example, `web_fetch(url)`. */
function signature(tool: RegisteredTool): string {
  const { required } = tool.input as { readonly required?: unknown };
  return `${tool.name}(${Array.isArray(required) ? required.join(', ') : ''})`;
}
