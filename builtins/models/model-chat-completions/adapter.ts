// One attempt over the chat-completions wire.
import type { ModelAdapter, ModelTransport } from 'agent-harness/plugins/models';
import { createRequestBuilder } from './build-request.ts';
import { createReader } from './read-chunks.ts';
import { readList } from './read-list.ts';

/** @param createId for tool calls that come without an id */
export function createAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  const buildRequest = createRequestBuilder();
  return {
    async stream(request, route, sink, signal) {
      const { apiKey } = route;
      const reader = createReader(sink, createId, (error) => transport.faultOf(error, apiKey));
      const fault = await transport.post(
        {
          url: `${route.baseURL}/chat/completions`,
          ...authOf(apiKey),
          body: buildRequest(request, route),
          take: (payload, isWhole) => reader.take(payload, isWhole),
        },
        signal,
      );
      return fault ?? reader.end();
    },
    send({ path, ...request }, { baseURL, apiKey }, signal) {
      return transport.send({ ...request, url: `${baseURL}${path}`, ...authOf(apiKey) }, signal);
    },
    async list({ baseURL, apiKey }, signal) {
      const answer = await transport.get({ url: `${baseURL}/models`, ...authOf(apiKey) }, signal);
      return answer.ok ? readList(answer.payload) : answer;
    },
  };
}

function authOf(apiKey: string | undefined): { readonly headers: Readonly<Record<string, string>>; readonly secret?: string } {
  return apiKey ? { headers: { authorization: `Bearer ${apiKey}` }, secret: apiKey } : { headers: {} };
}
