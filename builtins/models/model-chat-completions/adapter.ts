// Sends one request over the chat-completions API or the Responses API, and reads the reply.
import type { ModelAdapter, ModelRequest, ModelRoute, ModelSink, ModelTransport } from 'agent-harness/plugins/models';
import { createRequestBuilder } from './build-request.ts';
import { withContextLengths } from './local-context.ts';
import { createReader } from './read-chunks.ts';
import { readList } from './read-list.ts';
import { buildRequest as buildResponsesRequest } from './responses/build-request.ts';
import { createReader as createResponsesReader } from './responses/read-events.ts';

type Reader = Pick<ReturnType<typeof createReader>, 'take' | 'end'> & Partial<Pick<ReturnType<typeof createReader>, 'hasFinished'>>;

interface Wire {
  /** Path relative to the base URL. */
  readonly path: string;
  body(request: ModelRequest, route: ModelRoute): object;
  reader(request: ModelRequest, sink: ModelSink, faultOf: ModelTransport['faultOf']): Reader;
}

/** @param createId creates the id for a tool call that has none */
export function createAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  return adapterOf(transport, {
    path: '/chat/completions',
    body: createRequestBuilder(),
    reader: (request, sink, faultOf) =>
      createReader(
        sink,
        createId,
        faultOf,
        request.tools.map(({ name }) => name),
      ),
  });
}

/** @param createId creates the id for a tool call that has none */
export function createResponsesAdapter(transport: ModelTransport, createId: () => string): ModelAdapter {
  return adapterOf(transport, {
    path: '/responses',
    body: buildResponsesRequest,
    reader: (_, sink, faultOf) => createResponsesReader(sink, createId, faultOf),
  });
}

function adapterOf(transport: ModelTransport, wire: Wire): ModelAdapter {
  return {
    alternates: true,
    async stream(request, route, sink, signal) {
      const reader = wire.reader(request, sink, (error) => transport.faultOf(error, route.apiKey));
      const hasFinished = (): boolean => reader.hasFinished?.() ?? false;
      const fault = await transport.post(
        {
          url: `${route.baseURL}${wire.path}`,
          ...authOf(route),
          body: wire.body(request, route),
          take: (payload, isWhole) => reader.take(payload, isWhole),
          isEnding: hasFinished,
        },
        signal,
      );
      // An error after the finish reason does not invalidate the reply.
      return fault && !hasFinished() ? fault : reader.end();
    },
    send({ path, ...request }, route, signal) {
      return transport.send({ ...request, url: `${route.baseURL}${path}`, ...authOf(route) }, signal);
    },
    async list(route, signal) {
      const get = (url: string): ReturnType<ModelTransport['get']> => transport.get({ url, ...authOf(route) }, signal);
      const answer = await get(`${route.baseURL}/models`);
      const models = answer.ok ? readList(answer.payload) : answer;
      return 'ok' in models ? models : withContextLengths(models, route.baseURL, async (url) => payloadOf(await get(url)));
    },
  };
}

const payloadOf = (answer: Awaited<ReturnType<ModelTransport['get']>>): unknown => (answer.ok ? answer.payload : undefined);

function authOf({ apiKey, headers }: ModelRoute): { readonly headers: Readonly<Record<string, string>>; readonly secret?: string } {
  return apiKey ? { headers: { ...headers, authorization: `Bearer ${apiKey}` }, secret: apiKey } : { headers: { ...headers } };
}
