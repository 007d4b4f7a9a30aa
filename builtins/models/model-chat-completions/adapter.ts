// One attempt over the chat-completions wire.
import type { ModelAdapter, ModelRoute, ModelTransport } from 'agent-harness/plugins/models';
import { createRequestBuilder } from './build-request.ts';
import { createReader } from './read-chunks.ts';
import { readList } from './read-list.ts';

/** @param createId for tool calls that come without an id */
export function createAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  const buildRequest = createRequestBuilder();
  return {
    alternates: true,
    async stream(request, route, sink, signal) {
      const { apiKey } = route;
      const tools = request.tools.map(({ name }) => name);
      const reader = createReader(sink, createId, (error) => transport.faultOf(error, apiKey), tools);
      const fault = await transport.post(
        {
          url: `${route.baseURL}/chat/completions`,
          ...authOf(route),
          body: buildRequest(request, route),
          take: (payload, isWhole) => reader.take(payload, isWhole),
          isEnding: () => reader.hasFinished(),
        },
        signal,
      );
      // What broke after the reply had finished takes nothing from it.
      return fault && !reader.hasFinished() ? fault : reader.end();
    },
    send({ path, ...request }, route, signal) {
      return transport.send({ ...request, url: `${route.baseURL}${path}`, ...authOf(route) }, signal);
    },
    async list(route, signal) {
      const answer = await transport.get({ url: `${route.baseURL}/models`, ...authOf(route) }, signal);
      return answer.ok ? readList(answer.payload) : answer;
    },
  };
}

function authOf({ apiKey, headers }: ModelRoute): { readonly headers: Readonly<Record<string, string>>; readonly secret?: string } {
  return apiKey ? { headers: { ...headers, authorization: `Bearer ${apiKey}` }, secret: apiKey } : { headers: { ...headers } };
}
