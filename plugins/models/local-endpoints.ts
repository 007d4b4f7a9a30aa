// Finds model servers on this machine on demand: requests a model list from each usual loopback port.
import type { Catalog } from './catalog.ts';
import type { LocalEndpoint } from './contract.ts';

/** Time limit of the requests in milliseconds. They are sent concurrently, and a running server responds from memory. */
const limitMs = 1_500;

const titles: Readonly<Record<number, string>> = { 11434: 'Ollama', 1234: 'LM Studio', 8080: 'llama.cpp', 8000: 'vLLM' };

/** Returns the servers that respond. Never rejects. @param ports comma-separated port numbers, the value of the setting */
export async function findLocalEndpoints(catalog: Pick<Catalog, 'listOnce'>, ports: string): Promise<LocalEndpoint[]> {
  const wanted = new Set(
    ports
      .split(',')
      .map(Number)
      .filter((port) => Number.isInteger(port) && port > 0 && port < 65_536),
  );
  const found = await Promise.all(
    [...wanted].map(async (port): Promise<LocalEndpoint[]> => {
      const baseURL = `http://127.0.0.1:${port}/v1`;
      const answer = await catalog.listOnce({ wire: 'chat-completions', model: '', baseURL }, limitMs);
      // Any program may listen on a port; only a model list identifies a model server.
      return 'ok' in answer || answer.length === 0 ? [] : [{ title: titles[port] ?? `Port ${port}`, baseURL, models: answer }];
    }),
  );
  return found.flat();
}
