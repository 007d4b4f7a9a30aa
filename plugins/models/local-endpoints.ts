// Finds model servers on this machine by requesting model lists from the usual loopback ports, on demand.
import type { Catalog } from './catalog.ts';
import type { LocalEndpoint } from './contract.ts';

/** Time limit in milliseconds: requests go to all ports concurrently, and a running server responds from memory. */
const limitMs = 1_500;

const titles: Readonly<Record<number, string>> = { 11434: 'Ollama', 1234: 'LM Studio', 8080: 'llama.cpp', 8000: 'vLLM' };

/** @param ports value of the setting: comma-separated numbers. Never rejects. */
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
