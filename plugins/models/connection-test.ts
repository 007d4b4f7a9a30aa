// Tests the connection to a model: sends one small streamed request with a tool and an image, and describes the result in sentences.
import * as Type from 'typebox';
import { codeOf } from '#lib/errors';
import type { Route } from 'agent-harness/plugins/http';
import type { ImagePart, ModelCall, ModelReply, ModelRequest, ModelRoute, TypedKey } from './contract.ts';
import { readTyped, type Invalid } from './model-routes.ts';
import { originOf, providerAt } from './providers.ts';
import { resolveEndpoint, resolveTyped, type ModelSettings } from './route.ts';

/** Differences from the configured endpoint; if empty, the test uses the configured endpoint. */
export type TestedEndpoint = Partial<TypedKey>;

/** Observer of a test request, which is sent once, without retries. */
export interface Probe {
  readonly endpoint: TestedEndpoint;
  /** Called for each version of the request that is sent. */
  sent(request: ModelRequest, route: ModelRoute): void;
}

export interface ProbeParts {
  /** Returns the route of the request. */
  route(endpoint: TestedEndpoint): Promise<ModelRoute>;
  /** Sends the request. Rejects with the faults of `Models.stream`, or when the time limit of a test is exceeded. */
  stream(request: ModelRequest, call: ModelCall, probe: Probe): Promise<ModelReply>;
}

const body = Type.Object(
  {
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    baseURL: Type.Optional(Type.String({ maxLength: 2048, pattern: '^[^@]*$', description: 'Base URL of the endpoint; default: the configured URL.' })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Model to test; default: the configured model.' })),
  },
  { additionalProperties: false },
);
const reply = Type.Object({
  ok: Type.Boolean({ description: 'Whether the model replied.' }),
  baseURL: Type.String(),
  wire: Type.String(),
  model: Type.String({ description: 'The tested model.' }),
  reachable: Type.Optional(
    Type.Boolean({ description: 'Whether the server responded, including with an error. Omitted if the request was not sent or timed out.' }),
  ),
  ms: Type.Integer({ description: 'Milliseconds until the reply or the error arrived.' }),
  streaming: Type.Optional(Type.Boolean({ description: 'Whether the reply arrived in several parts.' })),
  tools: Type.Optional(
    Type.Union([Type.Literal('called'), Type.Literal('refused'), Type.Literal('not_called')], {
      description: '`called`: the model called the test tool. `refused`: the server rejects tools. `not_called`: the model replied without a call.',
    }),
  ),
  pictures: Type.Optional(
    Type.Union([Type.Literal('seen'), Type.Literal('accepted'), Type.Literal('refused')], {
      description:
        '`seen`: the model named the colour of the test image. `accepted`: the server accepted the image, but the model did not name its colour. `refused`: the server rejects images.',
    }),
  ),
  reasoning: Type.Optional(Type.Boolean({ description: 'Whether the reply contained reasoning.' })),
  lines: Type.Array(Type.Object({ title: Type.String(), text: Type.String() }), { description: 'The result as lines for display.' }),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});

export type ConnectionTest = Type.Static<typeof reply>;
type Facts = Omit<ConnectionTest, 'lines'>;

/** Time limit of a test in milliseconds; long, because slow local servers first load the model. */
export const testLimitMs = 120_000;
/** Maximum length of the reply in tokens. A reasoning model needs many of them before its answer. */
const maxTokens = 1_024;
/** A red image of 64 × 64 pixels, which is larger than the minimum of all providers. */
const redPicture: ImagePart = {
  mimeType: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC',
};
const prompt =
  'Write the numbers from 1 to 20, separated by commas. Then call the tool echo with the colour of the picture as text, or with "none" without a picture.';
const echo = {
  name: 'echo',
  description: 'Returns the text.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
};
const answeredCodes: ReadonlySet<string> = new Set([
  'provider_auth',
  'provider_refused',
  'rate_limited',
  'context_overflow',
  'bad_reply',
  'empty_reply',
  'budget',
]);

/**
 * Returns the route of a test. An entered key is sent only to the endpoint that was entered with it or to the key's provider, and a configured key only to its
 * own origin.
 */
export function resolveTested(settings: ModelSettings, isSet: (variable: string) => boolean, own: ModelRoute, endpoint: TestedEndpoint): ModelRoute {
  const { key, baseURL, model } = endpoint;
  const route = key !== undefined ? resolveTyped(settings, isSet, { ...endpoint, key }) : baseURL === undefined ? own : routeAt(baseURL);
  return model === undefined ? route : { ...route, model };

  function routeAt(url: string): ModelRoute {
    const { apiKey, ...at } = resolveEndpoint(settings, isSet, own, { baseURL: url });
    const provider = providerAt(url);
    const isOwner = provider !== undefined || originOf(own.baseURL) === originOf(url);
    return {
      ...at,
      ...(isOwner && apiKey !== undefined ? { apiKey } : {}),
      wire: settings.wire === 'auto' ? (provider?.wire ?? at.wire) : settings.wire,
      model: own.wire === 'demo' ? settings.model : at.model,
    };
  }
}

/** Runs a test. Rejects if the test itself fails; a provider fault is part of the result. */
export async function testConnection({ route, stream }: ProbeParts, endpoint: TestedEndpoint): Promise<ConnectionTest> {
  let target = await route(endpoint);
  let sent: ModelRequest | undefined;
  const request: ModelRequest = {
    model: target.model,
    system: 'This is a connection test. Do exactly what the user writes, and nothing else.',
    messages: [{ role: 'user', text: prompt, images: [redPicture] }],
    tools: [echo],
    maxTokens,
    purpose: 'connection_test',
    plugin: 'models',
  };
  const startedAt = performance.now();
  let firstAt: number | undefined;
  let counts = { text: 0, reasoning: 0, args: 0 };
  const count = (kind: keyof typeof counts): void => {
    firstAt ??= performance.now();
    counts[kind]++;
  };
  const call: ModelCall = {
    text: () => count('text'),
    reasoning: () => count('reasoning'),
    toolCall: () => undefined,
    toolArgs: () => count('args'),
    // The text so far was reasoning, and is delivered again as reasoning.
    retry: () => void (counts = { text: 0, reasoning: 0, args: 0 }),
  };
  const facts = (): Omit<Facts, 'ok'> => ({
    ...{ baseURL: target.baseURL, wire: target.wire, model: target.model },
    ms: Math.round((firstAt ?? performance.now()) - startedAt),
  });
  if (target.wire === 'demo') return withLines({ ...facts(), ok: false, error: { code: 'no_provider', message: noProvider } });
  try {
    const { text, toolCalls } = await stream(request, call, {
      endpoint,
      sent(asked, at) {
        target = at;
        sent = asked;
      },
    });
    const isRefused = sent?.omit?.has('tools') === true || sent?.omit?.has(`tool:${echo.name}`) === true;
    const hasPicture = sent?.messages.some((message) => 'images' in message && message.images?.length) === true;
    const isSeen = /\bred\b/i.test([text, ...toolCalls.map(({ argsText }) => argsText)].join('\n'));
    return withLines({
      ...facts(),
      ...{ ok: true, reachable: true, streaming: Object.values(counts).some((parts) => parts > 1), reasoning: counts.reasoning > 0 },
      tools: isRefused ? 'refused' : toolCalls.some(({ name }) => name === echo.name) ? 'called' : 'not_called',
      pictures: !hasPicture ? 'refused' : isSeen ? 'seen' : 'accepted',
    });
  } catch (fault) {
    const thrown = codeOf(fault);
    if (!thrown?.startsWith('MODELS_ERR_')) throw fault;
    const { message, details } = fault as { readonly message: string; readonly details?: { readonly status?: number } };
    const code = thrown.slice('MODELS_ERR_'.length).toLowerCase();
    const isAnswered = details?.status !== undefined || firstAt !== undefined || answeredCodes.has(code);
    const reachable = isAnswered ? { reachable: true } : code === 'provider_unavailable' ? { reachable: false } : {};
    return withLines({ ...facts(), ...reachable, ok: false, error: { code, message } });
  }
}

const noProvider = 'No provider is connected, so the built-in demo is used. Set a key, or AGENT_API_BASE_URL for a local server.';

// The page translates these titles.
const titles = {
  address: /* t */ 'Address',
  reachable: /* t */ 'Reachable',
  ms: /* t */ 'Response time',
  model: /* t */ 'Model',
  streaming: /* t */ 'Streaming',
  tools: /* t */ 'Tools',
  pictures: /* t */ 'Pictures',
  reasoning: /* t */ 'Reasoning',
  error: /* t */ 'Error',
};

const words = {
  yes: /* t */ 'Yes',
  no: /* t */ 'No',
  whole: /* t */ 'No: the reply arrived in one piece.',
  called: /* t */ 'Yes: the model called the test tool.',
  refused: /* t */ 'No: the server rejects tools, so the agent works without files and commands.',
  not_called: /* t */ 'Not used: the model answered without calling the test tool.',
  seen: /* t */ 'Yes: the model named the colour of the test picture.',
  accepted: /* t */ 'Accepted: the model did not name the colour of the test picture.',
  noPictures: /* t */ 'No: the server rejects pictures.',
  reasoned: /* t */ 'Yes: the reply contained reasoning.',
  unreasoned: /* t */ 'None in this reply.',
};

function withLines(facts: Facts): ConnectionTest {
  const { baseURL, wire, reachable, ms, model, streaming, tools, pictures, reasoning, error } = facts;
  const line = (title: keyof typeof titles, text: string | undefined): ConnectionTest['lines'] => (text === undefined ? [] : [{ title: titles[title], text }]);
  return {
    ...facts,
    lines: [
      ...line('address', wire === 'demo' ? undefined : baseURL),
      ...line('model', model),
      ...line('reachable', reachable === undefined ? undefined : reachable ? words.yes : words.no),
      ...line('ms', `${ms} ms`),
      ...line('streaming', streaming === undefined ? undefined : streaming ? words.yes : words.whole),
      ...line('tools', tools && words[tools]),
      ...line('pictures', pictures && (pictures === 'refused' ? words.noPictures : words[pictures])),
      ...line('reasoning', reasoning === undefined ? undefined : reasoning ? words.reasoned : words.unreasoned),
      ...line('error', error && `${error.message} (${error.code})`),
    ],
  };
}

/** Creates the route that tests a connection. @param test runs a test; rejects with the signal's reason */
export function connectionTestRoute(test: (endpoint: TestedEndpoint, signal: AbortSignal) => Promise<ConnectionTest>, invalid: Invalid): Route {
  const route: Route<{ body: typeof body; reply: typeof reply }> = {
    key: 'POST /api/provider/test',
    summary: 'Sends one small request to the model, and reports whether it replies, streams and calls tools. The request uses tokens.',
    tag: 'models',
    schema: { body, reply },
    handle: ({ body: typed, signal }) => test(readTyped(typed, invalid), signal),
  };
  return route;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/provider/test': { body: typeof body; reply: typeof reply };
  }
}
