// `open`, and the program without a command: the page in the browser, of the server that runs or of one in this process.
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { serveUntilStopped } from './serve.ts';

export const open: RunCommand = async (parts, input, output) => {
  const show = (url: string): void => void showPage(parts, url, output, input.options['no-browser'] === true);
  const running = await findServer(parts);
  if (!running) return serveUntilStopped(parts, input, output, show);
  output.out(`${parts.services.product.title} runs at ${running.url} (process ${running.pid})\n`);
  show(running.url);
  return exitCodes.done;
};

/** Only for a person who sits in front of the machine; the address stands on the screen in any case. */
async function showPage({ services: { http } }: CliParts, url: string, output: CliOutput, isUnwanted: boolean): Promise<void> {
  if (isUnwanted || !output.isTerminal || !hasDisplay() || !http.has('GET /')) return;
  try {
    const { default: openInBrowser } = await import('open');
    const browser = await openInBrowser(url);
    browser.on('error', () => undefined); // there is none
  } catch {
    // The address is on the screen.
  }
}

function hasDisplay(): boolean {
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, NO_BROWSER } = process.env;
  if (SSH_CONNECTION !== undefined || NO_BROWSER) return false;
  return process.platform !== 'linux' || [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME].some((one) => one !== undefined && one !== '');
}
