// Fetches the configured context lengths from local model servers whose model lists do not contain them.
import { isLocalNetworkHost } from '#lib/hosts';
import { isRecord } from '#lib/values';
import type { ListedModel } from 'agent-harness/plugins/models';

/** Fetches the JSON document at a URL; returns `undefined` on failure. */
type Get = (url: string) => Promise<unknown>;

/** The context length of a model in tokens; without `model`, that of the server's only model. */
interface Found {
  readonly model?: string;
  readonly contextLength: number;
}

/** Status routes of LM Studio, llama.cpp and Ollama, in this order. Ollama reports only loaded models, with a value that may be far below the maximum. */
const sources: readonly { readonly path: string; read(document: unknown): readonly Found[] }[] = [
  { path: '/api/v0/models', read: (document) => rowsIn(document, 'data').flatMap((row) => foundIn(row['id'], row['loaded_context_length'])) },
  { path: '/props', read: (document) => foundIn(undefined, fieldIn(fieldIn(document, 'default_generation_settings'), 'n_ctx')) },
  { path: '/api/ps', read: (document) => rowsIn(document, 'models').flatMap((row) => foundIn(row['name'], row['context_length'])) },
];

/** Adds missing context lengths. Sends requests only to hosts in the local network, and none if the list is complete. */
export async function withContextLengths(models: readonly ListedModel[], baseURL: string, get: Get): Promise<ListedModel[]> {
  const isTold = models.every(({ contextLength }) => contextLength !== undefined);
  if (isTold || !URL.canParse(baseURL) || !isLocalNetworkHost(new URL(baseURL).hostname)) return [...models];
  const { origin } = new URL(baseURL);
  for (const { path, read } of sources) {
    const found = read(await get(`${origin}${path}`));
    if (found.length === 0) continue;
    return models.map((model) => {
      const own = found.find((one) => one.model === undefined || one.model === model.id);
      return model.contextLength === undefined && own ? { ...model, contextLength: own.contextLength } : model;
    });
  }
  return [...models];
}

function foundIn(model: unknown, contextLength: unknown): Found[] {
  if (!Number.isSafeInteger(contextLength) || Number(contextLength) <= 0) return [];
  return [{ ...(typeof model === 'string' ? { model } : {}), contextLength: Number(contextLength) }];
}

const fieldIn = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);
const rowsIn = (value: unknown, key: string): Record<string, unknown>[] => {
  const rows = fieldIn(value, key);
  return Array.isArray(rows) ? rows.filter(isRecord) : [];
};
