// Proxies chat completions: reserves their maximum cost, and limits the output to the available credit.
import type { RouteContext } from 'agent-harness/plugins/http';
import type { Caller } from './calls.ts';
import { bodyFor, limitFor, offerFor, readChatRequest } from './chat-request.ts';
import { assertConfigured, forward, purposeOf, type ProxyParts } from './forward.ts';
import { createTokenMeter } from './meter.ts';

export interface CallContext extends Pick<RouteContext, 'requestId' | 'headers' | 'reply' | 'signal'> {
  readonly body: Buffer;
}

export async function serveChat({ body, requestId, headers, reply, signal }: CallContext, caller: Caller, parts: ProxyParts): Promise<void> {
  assertConfigured(parts);
  const { calls, makeError, settings } = parts;
  const request = readChatRequest(body);
  if (typeof request === 'string') throw makeError('INVALID_REQUEST', { why: request });
  const priced = await calls.priced(request.model, ({ price }) => price.outputPerMillion !== undefined);
  const { price } = priced;
  const { inputMicro, ...offer } = offerFor(request, price, settings.usualMaxTokens);
  const purpose = purposeOf(headers['x-hub-purpose'], 'chat');
  const call = await calls.open({ caller, priced, requestId, kind: 'chat', purpose, ...offer, estimateMicro: inputMicro, signal });
  const { maxTokens, isShrunk } = limitFor(request, price, { inputMicro, ...offer }, call.grantedMicro, settings.usualMaxTokens);
  const forwarding = {
    path: '/chat/completions',
    contentType: 'application/json',
    body: bodyFor(request, maxTokens),
    meter: createTokenMeter({ price, hidesUsage: request.isStream && !request.wantsUsage, inputTokens: request.inputTokens }),
    headers: isShrunk ? { 'x-hub-max-tokens': String(maxTokens) } : {},
  };
  await forward(reply.raw, call, forwarding, parts);
}
