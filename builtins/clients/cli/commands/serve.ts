// `serve`: the server in this process, until it is stopped.
import { once } from 'node:events';
import { exitCodes, refuseUse, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';

export const serve: RunCommand = async (parts, { options, signal }, output) => {
  const { http, kernel, models, product } = parts.services;
  const port = readPort(options['port']);
  if (port === 'invalid') return refuseUse(output, `--port needs a number from 0 to 65535, not '${String(options['port'])}'.`);
  const running = await findServer(parts);
  if (running) throw parts.error('ALREADY_RUNNING', { title: product.title, url: running.url, pid: running.pid });

  const { url } = await http.listen({ ...(port === undefined ? {} : { port }), ...(typeof options['host'] === 'string' ? { host: options['host'] } : {}) });
  try {
    output.out(`${product.title} is ready at ${url}\n`);
    if (models.route().wire === 'demo') output.out(`${describeDemo(parts)}\n`);
    await kernel.idle();
    for (const plugin of kernel.report().plugins) {
      if (plugin.state === 'failed') output.err(`Plugin '${plugin.name}' failed: ${plugin.reason ?? 'without a reason'}\n`);
    }
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await http.close();
  }
  return exitCodes.done;
};

function readPort(text: string | boolean | undefined): number | undefined | 'invalid' {
  if (typeof text !== 'string') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : 'invalid';
}

export function describeDemo({ services: { product } }: CliParts): string {
  return `No provider key is set, so a built-in demo model answers. Put AGENT_API_KEY=<key> into ${product.home}/.env and start again.`;
}
