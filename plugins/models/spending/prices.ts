// Estimates the maximum cost of a request from its size and the listed price of its model.
import { withLimit } from '#lib/async';
import { isLoopback } from '#lib/hosts';
import type { Catalog } from '../catalog.ts';
import type { ModelMessage, ModelRequest, ModelRoute } from '../contract.ts';
import type { Clock } from '../retry.ts';

/** Price of a model in USD per token. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

export interface Prices {
  /** Returns the price in the provider's list; without one, zero for a model on this machine, otherwise the assumed price. */
  of(route: ModelRoute): Promise<TokenPrice>;
}

interface AssumedPrice {
  /** Assumed price of input in USD per million tokens. */
  readonly assumedInputPrice: number;
  readonly assumedOutputPrice: number;
}

/** Maximum time in milliseconds that the first call waits for the price list. */
const patienceMs = 3_000;
/** Time in milliseconds after which missing prices are requested again. */
const unpricedMs = 10 * 60 * 1_000;
const million = 1_000_000;
const free: TokenPrice = { input: 0, output: 0 };

/** Creates the price list. @param settings live values of the settings */
export function createPrices(catalog: Pick<Catalog, 'list' | 'priceOf'>, settings: AssumedPrice, clock: Clock): Prices {
  const unpriced = new Map<string, number>();

  return {
    async of(route) {
      if (route.wire === 'demo') return free;
      const id = `${route.baseURL} ${route.model}`;
      const askedAt = unpriced.get(id);
      if (askedAt === undefined || clock.now() - askedAt > unpricedMs) {
        const asked = catalog.list(route);
        // Known prices are updated in the background.
        if (!catalog.priceOf(route)) await withLimit(asked, patienceMs, () => undefined);
        if (catalog.priceOf(route)) unpriced.delete(id);
        else unpriced.set(id, clock.now());
      }
      const listed = catalog.priceOf(route);
      if (listed) return { input: listed.input / million, output: listed.output / million };
      if (URL.canParse(route.baseURL) && isLoopback(new URL(route.baseURL).hostname)) return free;
      return { input: settings.assumedInputPrice / million, output: settings.assumedOutputPrice / million };
    },
  };
}

/** Assumed number of bytes per token. Conservative, because few languages have fewer bytes per token. */
const bytesPerToken = 3;
const tokensOfImage = 1_600;
const tokensOfSecond = 50;
const tokensOfMessage = 8;

/** Estimates the number of tokens of a prompt, too high rather than too low. */
export function promptTokens({ system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  const ofTools = tools.length === 0 ? 0 : textTokens(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + tokensOf(message), textTokens(system) + ofTools);
}

/** Estimates the number of tokens in text. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

function tokensOf(message: ModelMessage): number {
  let sum = tokensOfMessage + textTokens(message.text);
  if (message.role === 'assistant') for (const { name, argsText } of message.toolCalls) sum += tokensOfMessage + textTokens(name) + textTokens(argsText);
  if ((message.role === 'user' || message.role === 'tool') && message.images) sum += message.images.length * tokensOfImage;
  if (message.role === 'user') for (const { seconds, base64 } of message.audio ?? []) sum += (seconds ?? base64.length / 4_000) * tokensOfSecond;
  return Math.ceil(sum);
}
