// Estimates the length of requests in UTF-16 code units. Pure.
import type { Prompt } from 'agent-harness/plugins/agent';
import type { AudioPart, ModelMessage, ModelToolSpec } from 'agent-harness/plugins/models';

/** Approximate ratio for English text and code; it is corrected with the provider's token counts. */
export const charsPerToken = 4;
/** Length of a message's role and punctuation. */
const frameChars = 20;
/** Length of the frame of a call or a result; each contains an id of many tokens. */
const callChars = 80;
/** Length that is assumed for an image: about 1,500 tokens, which is typical for common sizes. */
const imageChars = 6_000;
/** Length that is assumed for a second of sound: 32 tokens, as counted by Gemini (ai.google.dev/gemini-api/docs/audio); other providers count fewer. */
const charsPerSecond = 32 * charsPerToken;
/** Base64 characters per second for sound of unknown length: MP3 speech at 64 kbit/s, the longest common form. */
const base64PerSecond = (8_000 * 4) / 3;

/** Returns the length of a message in UTF-16 code units. */
export function charsOf(message: ModelMessage): number {
  const images = 'images' in message && message.images ? message.images.length * imageChars : 0;
  const sounds = message.role === 'user' && message.audio ? message.audio.reduce((sum, part) => sum + soundChars(part), 0) : 0;
  const calls = message.role === 'assistant' ? message.toolCalls.reduce((sum, call) => sum + call.name.length + call.argsText.length + callChars, 0) : 0;
  return (message.role === 'tool' ? callChars : frameChars) + message.text.length + images + sounds + calls;
}

const soundChars = ({ seconds, base64 }: AudioPart): number => Math.ceil((seconds ?? base64.length / base64PerSecond) * charsPerSecond);

export function charsOfAll(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + charsOf(message), 0);
}

/** Length of each part of a request except the conversation, in UTF-16 code units. Notes at the end that apply to one round belong to `system` or `memory`. */
export interface FixedChars {
  readonly system: number;
  readonly tools: number;
  readonly memory: number;
}

export function fixedChars(prompt: Prompt, specs: readonly ModelToolSpec[], charsOfSpec: (spec: ModelToolSpec) => number): FixedChars {
  const sections = prompt.system.reduce((sum, { text }) => sum + text.length + 2, 0);
  const memory = charsOfAll(prompt.tail.filter(({ about }) => about === 'memory'));
  const tools = specs.reduce((sum, spec) => sum + charsOfSpec(spec), 0);
  return { system: sections + charsOfAll(prompt.tail) - memory, tools, memory };
}

export const sumOf = ({ system, tools, memory }: FixedChars): number => system + tools + memory;

/** Returns a function that measures tool specs. Each spec is serialized only once, because it stays the same object. */
export function createSpecMeasure(): (spec: ModelToolSpec) => number {
  const inputs = new WeakMap<object, number>();
  return ({ name, description, input }) => {
    const known = inputs.get(input) ?? JSON.stringify(input).length;
    inputs.set(input, known);
    return name.length + description.length + known + 2 * frameChars;
  };
}

/** Minimum plausible ratio; with a lower one, later text could cost far more than estimated. */
const leastRatio = 0.8;

/**
 * Returns the ratio of the provider's token count to the estimate; `undefined` if the count is implausible, because some providers do not count.
 * @param sentChars length of the request that used `inputTokens`
 */
export function tokenRatio(inputTokens: number, sentChars: number): number | undefined {
  const ratio = inputTokens / (sentChars / charsPerToken);
  return ratio >= 0.3 && ratio <= 6 ? Math.max(leastRatio, ratio) : undefined;
}

export function tokensOf(chars: number, ratio: number): number {
  return Math.ceil((chars / charsPerToken) * ratio);
}
