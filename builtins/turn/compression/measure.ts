// How long requests are. Pure.
import type { Prompt } from 'agent-harness/plugins/agent';
import type { AudioPart, ModelMessage, ModelToolSpec } from 'agent-harness/plugins/models';

/** A rule of thumb for English text and code; corrected by what the provider counted. */
export const charsPerToken = 4;
/** What a message costs besides its text: role and punctuation. */
const frameChars = 20;
/** The same for a call and for its result, each of which has an id that no provider's vocabulary knows. */
const callChars = 80;
/** About 1,500 tokens, what providers count for a picture of common size. */
const imageChars = 6_000;
/** 32 tokens, which Gemini counts (ai.google.dev/gemini-api/docs/audio); others count fewer. */
const charsPerSecond = 32 * charsPerToken;
/** Of sound whose length is not known: speech as mp3 of 64 kbit/s, the longest that is usual. */
const base64PerSecond = (8_000 * 4) / 3;

/** In UTF-16 units. */
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

/** All of a request but the conversation, in UTF-16 units; what stands at the end for this round only is part of the system or of the memory. */
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

/** The schema of a tool is written once; it stays the same object. */
export function createSpecMeasure(): (spec: ModelToolSpec) => number {
  const inputs = new WeakMap<object, number>();
  return ({ name, description, input }) => {
    const known = inputs.get(input) ?? JSON.stringify(input).length;
    inputs.set(input, known);
    return name.length + description.length + known + 2 * frameChars;
  };
}

/** Below it, text that came since may be far dearer than what was counted. */
const leastRatio = 0.8;

/**
 * How many tokens the provider counts where we count `charsPerToken`. A figure far from what text can have comes from
 * a provider that does not count; then `undefined`.
 *
 * @param sentChars of the request that used `inputTokens`
 */
export function tokenRatio(inputTokens: number, sentChars: number): number | undefined {
  const ratio = inputTokens / (sentChars / charsPerToken);
  return ratio >= 0.3 && ratio <= 6 ? Math.max(leastRatio, ratio) : undefined;
}

export function tokensOf(chars: number, ratio: number): number {
  return Math.ceil((chars / charsPerToken) * ratio);
}
