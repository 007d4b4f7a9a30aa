// Asks servers on this machine or network for the context length that they run their models with; their lists of models do not tell.
import { isLocalNetworkHost } from 'agent-harness/lib/hosts';
import { isRecord } from 'agent-harness/lib/values';
import type { ListedModel } from 'agent-harness/plugins/models';

/** The JSON document at an address; `undefined` where there is none. */
type Get = (url: string) => Promise<unknown>;

/** Tokens; of one model, or of the only one that the server runs. */
interface Found {
  readonly model?: string;
  readonly contextLength: number;
}

/** LM Studio, llama.cpp and Ollama, in this order. Ollama tells it of models that are loaded: it may be a fraction of what the model was trained for. */
const sources: readonly { readonly path: string; read(document: unknown): readonly Found[] }[] = [
  { path: '/api/v0/models', read: (document) => rowsIn(document, 'data').flatMap((row) => foundIn(row['id'], row['loaded_context_length'])) },
  { path: '/props', read: (document) => foundIn(undefined, fieldIn(fieldIn(document, 'default_generation_settings'), 'n_ctx')) },
  { path: '/api/ps', read: (document) => rowsIn(document, 'models').flatMap((row) => foundIn(row['name'], row['context_length'])) },
];

/** Adds the lengths that the server tells. Asks nobody that is not near, and nobody whose list has them. */
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
