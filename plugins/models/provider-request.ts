// Sends a provider request that is not part of a conversation, with retries, and records the cost that its reply reports.
import type { ModelAdapter, ModelFault, ModelRoute, ModelUsage, ProviderReply, ProviderRequest } from './contract.ts';
import type { Hold } from './spending/spending.ts';
import type { Rerouting } from './reroute.ts';
import { createRetryPlan, type Clock, type PlannedRetry, type RetryLimits } from './retry.ts';

export interface ProviderRequestParts {
  readonly settings: RetryLimits & { readonly streamIdleMs: number };
  readonly clock: Clock;
  hold(request: ProviderRequest, target: ModelRoute, signal: AbortSignal): Promise<Hold>;
  routeTo(request: ProviderRequest): Promise<ModelRoute>;
  readonly rerouting: Rerouting;
  adapterFor(wire: ModelRoute['wire']): Promise<ModelAdapter>;
  announce(request: ProviderRequest, fault: ModelFault, retry: PlannedRetry): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  book(request: ProviderRequest, target: ModelRoute, usage: ModelUsage, hold: Hold): void;
  faultError(fault: ModelFault, target: ModelRoute): Error;
  notOffered(target: ModelRoute): Error;
}

const longestReply = 32 * 1024 * 1024;

export async function sendRequest(request: ProviderRequest, parts: ProviderRequestParts, signal: AbortSignal): Promise<ProviderReply> {
  const { settings } = parts;
  const plan = createRetryPlan(parts.clock);
  const { path, body, maxBytes = longestReply } = request;
  let isHeard = false;
  const onBytes = (piece: Buffer, mediaType: string): void => {
    isHeard = true;
    request.onBytes?.(piece, mediaType);
  };
  for (;;) {
    signal.throwIfAborted();
    const target = await parts.routeTo(request);
    const { send } = await parts.adapterFor(target.wire);
    if (!send) throw parts.notOffered(target);
    const hold = await parts.hold(request, target, signal);
    const answer = await send({ path, body, maxBytes, idleMs: settings.streamIdleMs, ...(request.onBytes ? { onBytes } : {}) }, target, signal).catch(
      (fault: unknown) => {
        hold.cut(true);
        throw fault;
      },
    );
    if (answer.ok) {
      const { mediaType, bytes } = answer;
      parts.book(request, target, usageOf(request, { mediaType, bytes }), hold);
      return { mediaType, bytes };
    }
    hold.cut(false);
    if (isHeard) throw parts.faultError(answer, target);
    if (await parts.rerouting.again(answer, target)) continue;
    const retry = plan.next(answer, settings);
    if (!retry) throw parts.faultError(answer, target);
    parts.announce(request, answer, retry);
    await parts.wait(retry.delayMs, signal);
  }
}

interface ReportedUsage {
  readonly cost?: unknown;
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
}

/** Returns the usage of a request. Without a price, the result contains no cost, which is not the same as a cost of zero. */
function usageOf(request: ProviderRequest, reply: ProviderReply): ModelUsage {
  const reported = reply.mediaType === 'application/json' ? reportedBy(reply.bytes) : {};
  const cost = typeof reported.cost === 'number' ? reported.cost : request.price?.(reply);
  return { input: countOf(reported.input_tokens), output: countOf(reported.output_tokens), cached: 0, ...(cost === undefined ? {} : { cost }) };
}

function reportedBy(bytes: Buffer): ReportedUsage {
  try {
    return (JSON.parse(bytes.toString('utf8')) as { usage?: ReportedUsage | null } | null)?.usage ?? {};
  } catch {
    return {}; // the caller handles the content
  }
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
