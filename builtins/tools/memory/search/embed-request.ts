// Sends a request to the provider's embeddings route.
import { shownAddress } from '#lib/hosts';
import { recordIn } from '#lib/values';
import { createVersionPaths } from '#lib/version-path';
import { fetchComplete, textOfAnswer, type Answer } from '#lib/complete-fetch';
import type { EmbedRequest } from './embeddings.ts';

const maxBytes = 64 * 1024 * 1024;
/** Version paths of base URLs. Nothing is reported here, because model calls already report a base URL that lacks its version. */
const paths = createVersionPaths(() => undefined);

/** Requests embeddings. Rejects if the provider refuses the request or returns an invalid reply. The error message never contains the key. */
export async function requestEmbeddings({ baseURL, apiKey, model, input }: EmbedRequest, signal: AbortSignal): Promise<number[][]> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
    // The key is for this URL only, so redirects are refused.
    signal,
  };
  const url = `${baseURL}/embeddings`;
  const reply = await paths.send<Answer>(
    url,
    (address) => fetchComplete(address, request),
    ({ body }) => void body.destroy(),
  );
  if (!reply.ok) throw new Error(`the provider returned status ${reply.status} at ${shownAddress(paths.addressOf(url))}`);
  const { data } = recordIn(await textOfAnswer(reply, maxBytes));
  if (!Array.isArray(data)) throw new Error('the reply contains no list of embeddings');
  const rows = (data as readonly { readonly index?: unknown; readonly embedding?: unknown }[]).map((row, place) => ({
    place: typeof row?.index === 'number' ? row.index : place,
    embedding: row?.embedding,
  }));
  rows.sort((one, other) => one.place - other.place);
  return rows.map(({ embedding }) => {
    if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === 'number' && Number.isFinite(value)))
      throw new Error('an embedding is not a list of numbers');
    return embedding as number[];
  });
}
