// Implements `serve`: runs the server in this process until it is stopped.
import { logLine } from '#lib/log-line';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type CliInput, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { findUnknownVariables } from '../unknown-variables.ts';

export const serve: RunCommand = async (parts, input, output) => {
  const running = await findServer(parts);
  if (running) throw parts.error('ALREADY_RUNNING', { title: parts.services.product.title, url: running.url, pid: running.pid });
  return serveUntilStopped(parts, input, output, () => undefined);
};

/** Runs the server and resolves with the exit code once the signal is aborted. @param onReady receives the address */
export async function serveUntilStopped(
  parts: CliParts,
  { options, signal }: Pick<CliInput, 'options' | 'signal'>,
  output: CliOutput,
  onReady: (url: string) => void,
): Promise<number> {
  const { http, kernel, product } = parts.services;
  const idleSeconds = readSeconds(options['until-unused']);
  if (idleSeconds === 'invalid') return refuseUse(output, `--until-unused needs seconds from 0 to 86400, not '${String(options['until-unused'])}'.`);
  const port = readPort(options['port']);
  if (port === 'invalid') return refuseUse(output, `--port needs a number from 0 to 65535, not '${String(options['port'])}'.`);
  const { url } = await http.listen({ ...(port === undefined ? {} : { port }), ...(typeof options['host'] === 'string' ? { host: options['host'] } : {}) });
  try {
    output.out(`${product.title} is ready at ${url}\n`);
    if (!http.has('GET /')) output.out(`This distribution has no page; use '${product.name} chat' in a terminal.\n`);
    const noModel = await describeMissingKey(parts);
    if (noModel !== undefined) output.out(`${noModel}\n`);
    const warnings = kernel.fields().flatMap(({ warning }) => warning ?? []);
    for (const warning of [...warnings, ...(await findUnknownVariables(parts))]) output.err(`${logLine(warning)}\n`);
    onReady(url);
    // A plugin that hangs at startup must not delay the shutdown.
    void kernel.idle().then(() => {
      if (signal.aborted) return;
      for (const { name, state, reason } of kernel.report().plugins) {
        if (state === 'failed') output.err(`Plugin '${name}' failed: ${logLine(reason ?? 'without a reason')}\n`);
      }
    });
    if (idleSeconds !== undefined) await untilUnused(parts, idleSeconds * 1_000, signal);
    else if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await http.close();
  }
  return exitCodes.done;
}

function readPort(text: string | boolean | undefined): number | undefined | 'invalid' {
  if (typeof text !== 'string') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : 'invalid';
}

const lookMs = 250;
/** Time, in milliseconds, that the starting process has to connect. */
const findMs = 10_000;

/** Waits until no turn has been running and no stream has been open for the given time, or until the signal is aborted. */
async function untilUnused({ services: { turns, stream } }: CliParts, spareMs: number, signal: AbortSignal): Promise<void> {
  // The process that started the server needs a moment to connect.
  let since = performance.now() + Math.max(0, findMs - spareMs);
  while (!signal.aborted) {
    const isUsed = (stream?.clients ?? 0) > 0 || turns?.statuses().some(({ busy }) => busy) === true;
    if (isUsed) since = performance.now();
    else if (performance.now() - since >= spareMs) return;
    await delay(lookMs, undefined, { signal }).catch(() => undefined); // aborted: the loop checks the signal itself
  }
}

function readSeconds(text: string | boolean | undefined): number | undefined | 'invalid' {
  if (typeof text !== 'string') return undefined;
  const seconds = /^\d{1,5}(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return seconds <= 86_400 ? seconds : 'invalid';
}

/** Describes the model that is used without a key, and how to set a key; `undefined` if there is a key or the account provides models. */
export async function describeMissingKey({ services: { models, product, kernel, license, settings } }: CliParts): Promise<string | undefined> {
  if (models.route().wire !== 'demo') return undefined;
  const isManagedOnly = settings?.inferenceMode() === 'managed';
  if (settings && (isManagedOnly || (await license.ready()).tier !== 'community')) {
    // The effect of a license is known only after startup.
    await kernel.idle();
    if ((await settings.read()).provider.route === 'managed') return undefined;
  }
  if (isManagedOnly)
    return `No model is available: the inference mode is 'managed', and no account with managed inference is signed in. Run '${product.name} login'.`;
  const mend = `Put AGENT_API_KEY=<key> into ${product.home}/.env`;
  return models.hasWire('demo')
    ? `No provider key is set, so a built-in demo model answers. ${mend}.`
    : `No provider key is set, and this distribution has no demo model, so no model is available. ${mend}.`;
}
