// Sends one request over the Anthropic messages API, and reads the reply.
import type { ModelAdapter, ModelTransport } from 'agent-harness/plugins/models';
import { buildRequest } from './build-request.ts';
import { createReader } from './read-events.ts';
import { readList } from './read-list.ts';

const version = '2023-06-01';

/** @param createId creates the id for a tool call that has none */
export function createAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  return {
    async stream(request, route, sink, signal) {
      const { apiKey } = route;
      const reader = createReader(sink, createId, (error) => transport.faultOf(error, apiKey));
      const fault = await transport.post(
        {
          url: `${route.baseURL}/messages`,
          headers: { 'anthropic-version': version, ...(apiKey ? { 'x-api-key': apiKey } : {}) },
          body: buildRequest(request, route),
          ...(apiKey ? { secret: apiKey } : {}),
          take: (payload, isWhole) => reader.take(payload, isWhole),
          isEnding: () => reader.hasFinished(),
        },
        signal,
      );
      return fault && !reader.hasFinished() ? fault : reader.end();
    },
    async list({ baseURL, apiKey }, signal) {
      const headers = { 'anthropic-version': version, ...(apiKey ? { 'x-api-key': apiKey } : {}) };
      const answer = await transport.get({ url: `${baseURL}/models?limit=1000`, headers, ...(apiKey ? { secret: apiKey } : {}) }, signal);
      return answer.ok ? readList(answer.payload) : answer;
    },
  };
}
