// Implements `open`, the default command: opens the page of a running server, or of one in this process, in the browser.
import { exitCodes, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { showInBrowser } from '../show-in-browser.ts';
import { serveUntilStopped } from './serve.ts';

export const open: RunCommand = async (parts, input, output) => {
  const isWanted = input.options['no-browser'] !== true && output.isTerminal && parts.services.http.has('GET /');
  const show = (url: string): void => void (isWanted && showInBrowser(url));
  const running = await findServer(parts);
  if (!running) return serveUntilStopped(parts, input, output, show);
  output.out(`${parts.services.product.title} runs at ${running.url} (process ${running.pid})\n`);
  show(running.url);
  return exitCodes.done;
};
