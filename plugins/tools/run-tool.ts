// Runs one tool call: loads the code of the tool on first use, enforces the time limit, and always returns an outcome.
import type { KernelControl, Logger } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { Artifacts, RegisteredTool, RunTool, ToolContext, ToolOutcome } from './contract.ts';
import type { Views } from 'agent-harness/plugins/views';
import { capOutcome } from './cap-output.ts';
import { codeOf, isFailure, messageOf } from '#lib/errors';

export const defaultTimeoutMs = 120_000;
/** Maximum time in milliseconds that a tool may take to end after its abort; slightly below the 2 s within which an abort must take effect. */
export const graceMs = 1_900;
/** Maximum duration of a timer, in milliseconds. */
const longestMs = 2 ** 31 - 1;

export interface RunnerParts {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly services: { readonly kernel: Pick<KernelControl, 'runAs'>; readonly views?: Pick<Views, 'check'> | undefined };
}

/** Runs a tool call. Never rejects. */
export type Runner = (tool: RegisteredTool, args: Record<string, unknown>, context: ToolContext) => Promise<ToolOutcome>;

type Ending = { readonly kind: 'settled'; readonly outcome: ToolOutcome } | { readonly kind: 'stopped' };
type Stop = { readonly why: 'timeout' | 'abort' };

/**
 * Creates the runner.
 * @param artifactReader returns the name of the tool that reads the rest of a long output
 * @param parts `signal` aborts when the plugin unloads
 */
export function createRunner(artifacts: Artifacts, artifactReader: () => string | undefined, parts: RunnerParts): Runner {
  const loaded = new WeakMap<RegisteredTool, RunTool>();

  async function readCode(tool: RegisteredTool): Promise<RunTool> {
    const code = tool.run ?? loaded.get(tool) ?? (await tool.load?.());
    if (typeof code !== 'function') throw new Error(`plugin '${tool.plugin}' provides no code for the tool`);
    loaded.set(tool, code);
    return code;
  }

  async function settle(tool: RegisteredTool, args: Record<string, unknown>, context: ToolContext): Promise<Ending> {
    try {
      const code = await readCode(tool);
      // An abort during loading must prevent the run.
      context.signal.throwIfAborted();
      return { kind: 'settled', outcome: readOutcome(tool, await parts.services.kernel.runAs(tool.plugin, () => code(args as never, context), 'tool')) };
    } catch (fault) {
      return { kind: 'settled', outcome: thrownOutcome(tool.name, fault) };
    }
  }

  /** Removes an invalid view from an outcome, whose output has the same content. */
  async function withCheckedView(tool: RegisteredTool, outcome: ToolOutcome): Promise<ToolOutcome> {
    if (!outcome.ok || outcome.view === undefined) return outcome;
    const { view, ...others } = outcome;
    const { views } = parts.services;
    if (!views) return others;
    const why = await views.check(view, true);
    if (why === undefined) return outcome;
    parts.log.warn(`${tool.name} of plugin ${tool.plugin} returned an invalid view: ${why}`);
    return others;
  }

  /** Replaces images that models do not accept with a description; otherwise, providers would reject every later request of the chat. */
  async function withUsableImages(outcome: ToolOutcome): Promise<ToolOutcome> {
    if (!outcome.ok || !Array.isArray(outcome.images) || outcome.images.length === 0) return outcome;
    const { usableImage } = await import('#lib/usable-image');
    const checked = (outcome.images as readonly ImagePart[]).filter(isRecord).map(usableImage);
    const refused = checked.flatMap((one) => (one.ok ? [] : [`[Image omitted: it ${one.why}.]`]));
    return { ...outcome, output: [outcome.output, ...refused].join('\n'), images: checked.flatMap((one) => (one.ok ? [one.part] : [])) };
  }

  return async function run(tool, args, context) {
    const limitMs = tool.timeoutMs ?? defaultTimeoutMs;
    const watch = watchStop([context.signal, parts.signal], limitMs);
    try {
      const running = settle(tool, args, { ...context, signal: watch.signal });
      const ending = await Promise.race([running, watch.over]);
      const outcome = ending.kind === 'settled' && !watch.stop ? ending.outcome : explainStop(tool, watch.stop ?? { why: 'abort' }, limitMs, ending);
      if (ending.kind === 'stopped') parts.log.warn(`${tool.name} of plugin ${tool.plugin} did not end within ${graceMs} ms after its abort and was abandoned`);
      return await capOutcome(await withUsableImages(await withCheckedView(tool, outcome)), artifactReader, (text) =>
        artifacts.save(context.chatId, text, { isOwn: outcome.isUntrusted !== true }),
      );
    } finally {
      watch.end();
    }
  };
}

/** Creates a signal that aborts at the time limit, or with one of `outer`. `over` resolves when the grace period after the abort has passed. */
function watchStop(
  outer: readonly AbortSignal[],
  limitMs: number,
): { signal: AbortSignal; over: Promise<Ending>; readonly stop: Stop | undefined; end(): void } {
  const controller = new AbortController();
  let stop: Stop | undefined;
  let grace: NodeJS.Timeout | undefined;
  let giveUp: (ending: Ending) => void;
  const over = new Promise<Ending>((resolve) => (giveUp = resolve));

  function halt(why: Stop['why']): void {
    if (stop) return;
    stop = { why };
    grace = setTimeout(() => giveUp({ kind: 'stopped' }), graceMs);
    controller.abort(new Error(why === 'timeout' ? `the time limit of ${limitMs} ms was exceeded` : 'the turn was aborted'));
  }

  const onAbort = (): void => halt('abort');
  const limit = limitMs > 0 ? setTimeout(() => halt('timeout'), Math.min(limitMs, longestMs)) : undefined;
  for (const signal of outer) signal.addEventListener('abort', onAbort, { once: true });
  if (outer.some((signal) => signal.aborted)) halt('abort');
  return {
    signal: controller.signal,
    over,
    get stop() {
      return stop;
    },
    end() {
      clearTimeout(limit);
      clearTimeout(grace);
      for (const signal of outer) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Returns the outcome of a stopped tool, with its output so far, which may show why it hung. */
function explainStop(tool: RegisteredTool, stop: Stop, limitMs: number, ending: Ending): ToolOutcome {
  const { text: said, isUntrusted } = ending.kind === 'stopped' ? { text: '', isUntrusted: false } : whatItSaid(ending.outcome);
  const tail = said === '' ? '' : `\n${said}`;
  const failed = { ok: false as const, ...(isUntrusted ? { isUntrusted } : {}) };
  if (stop.why === 'abort') return { ...failed, error: `${tool.name} was stopped because the turn was aborted.${tail}` };
  return {
    ...failed,
    error: `${tool.name} did not finish within ${limitMs / 1000} s and was stopped${ending.kind === 'stopped' ? '; it did not respond, so parts of it may still run' : ''}.${tail}`,
    hint: 'Try a smaller task or another approach.',
  };
}

function whatItSaid(outcome: ToolOutcome): { text: string; isUntrusted: boolean } {
  return { text: outcome.ok ? outcome.output : outcome.error, isUntrusted: outcome.isUntrusted === true };
}

/** Converts the result of a tool to an outcome. Validates the result at run time, because plugins may be plain JavaScript. */
function readOutcome(tool: RegisteredTool, answer: unknown): ToolOutcome {
  if (typeof answer === 'string') return { ok: true, output: answer };
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) {
    if (answer.ok === true && 'output' in answer && typeof answer.output === 'string') return answer as ToolOutcome;
    if (answer.ok === false && 'error' in answer && typeof answer.error === 'string') return answer as ToolOutcome;
  }
  return { ok: false, error: `${tool.name} returned no valid result; plugin '${tool.plugin}' must return a text or an outcome.` };
}

/** Returns the outcome for a thrown value. The message of a failure or of a coded error of a plugin is for the model; other errors are faults of the tool. */
export function thrownOutcome(tool: string, thrown: unknown): ToolOutcome {
  if (!isFailure(thrown)) return { ok: false, error: codeOf(thrown)?.includes('_ERR_') ? messageOf(thrown) : `${tool} failed: ${messageOf(thrown)}` };
  const { message, hint, isUntrusted } = thrown;
  return { ok: false, error: message, ...(hint === undefined ? {} : { hint }), ...(isUntrusted === true ? { isUntrusted } : {}) };
}
