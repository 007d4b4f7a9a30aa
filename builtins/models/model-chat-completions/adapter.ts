// One attempt over the chat-completions wire.
import type { ModelAdapter, ModelTransport } from 'agent-harness/plugins/models';
import { buildRequest } from './build-request.ts';
import { createReader } from './read-chunks.ts';
import { readList } from './read-list.ts';

/** @param createId for tool calls that come without an id */
export function createAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  return {
    async stream(request, route, sink, signal) {
      const { apiKey } = route;
      const reader = createReader(sink, createId, (error) => transport.faultOf(error, apiKey));
      const fault = await transport.post(
        {
          url: `${route.baseURL}/chat/completions`,
          headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
          body: buildRequest(request, route),
          ...(apiKey ? { secret: apiKey } : {}),
          take: (payload, isWhole) => reader.take(payload, isWhole),
        },
        signal,
      );
      return fault ?? reader.end();
    },
    async list({ baseURL, apiKey }, signal) {
      const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
      const answer = await transport.get({ url: `${baseURL}/models`, headers, ...(apiKey ? { secret: apiKey } : {}) }, signal);
      return answer.ok ? readList(answer.payload) : answer;
    },
  };
}
