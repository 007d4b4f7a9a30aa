// Lists the known providers with their base URLs, key formats, and pages for keys and credit.
import type { KnownProvider } from './contract.ts';

type KeyName = 'openrouterKey' | 'openaiKey' | 'anthropicKey' | 'xaiKey';

export interface Provider extends KnownProvider {
  readonly key: KeyName;
  readonly variable: string;
  /** Matches the keys of the provider. */
  readonly keyPattern: RegExp;
  readonly wire: 'chat-completions' | 'messages' | 'responses';
}

/** The known providers, in the order in which key formats are compared. */
export const providers: readonly Provider[] = [
  {
    id: 'openrouter',
    title: 'OpenRouter',
    key: 'openrouterKey',
    variable: 'OPENROUTER_API_KEY',
    keyPattern: /^sk-or-/,
    baseURL: 'https://openrouter.ai/api/v1',
    wire: 'chat-completions',
    keysPage: 'https://openrouter.ai/settings/keys',
    creditPage: 'https://openrouter.ai/settings/credits',
  },
  {
    id: 'openai',
    title: 'OpenAI',
    key: 'openaiKey',
    variable: 'OPENAI_API_KEY',
    keyPattern: /^sk-(?!or-|ant-)/,
    baseURL: 'https://api.openai.com/v1',
    wire: 'responses',
    keysPage: 'https://platform.openai.com/api-keys',
    creditPage: 'https://platform.openai.com/settings/organization/billing/overview',
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    key: 'anthropicKey',
    variable: 'ANTHROPIC_API_KEY',
    keyPattern: /^sk-ant-/,
    baseURL: 'https://api.anthropic.com/v1',
    wire: 'messages',
    keysPage: 'https://console.anthropic.com/settings/keys',
    creditPage: 'https://console.anthropic.com/settings/billing',
  },
  {
    id: 'xai',
    title: 'xAI',
    key: 'xaiKey',
    variable: 'XAI_API_KEY',
    keyPattern: /^xai-/,
    baseURL: 'https://api.x.ai/v1',
    wire: 'responses',
    keysPage: 'https://console.x.ai/team/default/api-keys',
    creditPage: 'https://console.x.ai/team/default/billing',
  },
];

/** Returns the public data of a provider. */
export function knownProvider({ id, title, baseURL, keysPage, creditPage }: Provider): KnownProvider {
  return { id, title, baseURL, keysPage, creditPage };
}

/** Returns the provider whose key format matches. */
export function providerOfKey(key: string): Provider | undefined {
  return providers.find(({ keyPattern }) => keyPattern.test(key));
}

/** Returns the provider at a URL. Compares scheme, host and port, because no key may be sent over plain HTTP, or to another port of a known host. */
export function providerAt(baseURL: string): Provider | undefined {
  const origin = originOf(baseURL);
  return providers.find((one) => new URL(one.baseURL).origin === origin);
}

/** Returns the origin of a URL; `undefined` if the text is not a URL. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Returns the host and port of a URL, or the text itself if it is not a valid URL. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
