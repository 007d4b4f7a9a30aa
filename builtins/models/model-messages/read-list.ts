// Parses the model list of the messages API. Pure.
import type { ListedModel, ModelFault } from 'agent-harness/plugins/models';

interface Row {
  readonly id?: unknown;
  readonly display_name?: unknown;
  readonly max_input_tokens?: unknown;
}

export function readList(payload: unknown): ListedModel[] | ModelFault {
  const rows = (payload as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(rows)) return { ok: false, kind: 'bad_reply', message: 'the provider returned no list of models at /models' };
  return (rows as (Row | null)[]).flatMap((row) => {
    if (typeof row?.id !== 'string') return [];
    const { id, display_name: name, max_input_tokens: contextLength } = row;
    return [{ id, ...(typeof name === 'string' ? { name } : {}), ...(Number.isSafeInteger(contextLength) ? { contextLength: Number(contextLength) } : {}) }];
  });
}
