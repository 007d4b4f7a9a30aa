// Finds model servers on this machine: asks the usual ports of loopback for their lists of models, only when somebody wants to know.
import type { Catalog } from './catalog.ts';
import type { LocalEndpoint } from './contract.ts';

/** Each port is asked at once, and a server that is there answers from memory. */
const limitMs = 1_500;

const titles: Readonly<Record<number, string>> = { 11434: 'Ollama', 1234: 'LM Studio', 8080: 'llama.cpp', 8000: 'vLLM' };

/** @param ports as the setting has them: numbers with commas between. Never rejects. */
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
      // Anything may listen there; only a list of models says that it is a server of models.
      return 'ok' in answer || answer.length === 0 ? [] : [{ title: titles[port] ?? `Port ${port}`, baseURL, models: answer }];
    }),
  );
  return found.flat();
}
