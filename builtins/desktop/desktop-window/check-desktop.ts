// Checks for `doctor` whether a browser for the window exists, starts, and supports mirroring.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from 'agent-harness/builtins/clients/cli';
import { messageOf } from '#lib/errors';
import { openSession } from './cdp-session.ts';
import { findBrowser, type WindowPorts } from './desktop-window.ts';
import { hasSandbox, launchWindow } from './launch-window.ts';
import { browserEnvironment, hasScreen } from './screen.ts';

export async function checkDesktop(ports: Pick<WindowPorts, 'program' | 'makeError'>): Promise<Finding[]> {
  let program: string;
  try {
    program = await findBrowser(ports);
  } catch (fault) {
    return [{ level: 'note', text: 'No browser was found for the desktop window.', mend: messageOf(fault) }];
  }
  const screen: Finding[] = hasScreen(process.env, process.platform)
    ? []
    : [{ level: 'note', text: 'There is no screen for the desktop window.', mend: 'Neither DISPLAY nor WAYLAND_DISPLAY is set.' }];
  const sandbox: Finding[] = hasSandbox
    ? []
    : [{ level: 'note', text: 'The browser of the desktop window runs without its sandbox, because it is started as root.', mend: 'Run it as another user.' }];
  return [await tryProgram(program), ...screen, ...sandbox];
}

/** Starts the browser without a window in a temporary folder, and checks the features that mirroring needs. */
async function tryProgram(program: string): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'desktop-check-'));
  const ignore = (): void => undefined;
  try {
    const { pipe, close } = await launchWindow({
      ...{ program, folder, host: '127.0.0.1', title: 'check', className: 'check', environment: browserEnvironment(process.env, {}), warn: ignore },
      flags: ['--headless=new'],
    });
    try {
      const { product } = (await pipe.send('Browser.getVersion')) as { product: string };
      const { targetId } = (await pipe.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
      const page = await openSession(pipe, targetId);
      await page.send('Page.startScreencast', { format: 'jpeg', quality: 50 });
      await page.send('Page.stopScreencast');
      return { level: 'ok', text: `The desktop window opens with ${product} (${program}), whose page can be mirrored.` };
    } finally {
      await close();
    }
  } catch (fault) {
    return {
      level: 'wrong',
      text: `The desktop window cannot use ${program}: ${messageOf(fault)}`,
      mend: 'Install another Chromium, Chrome or Edge, or set AGENT_DESKTOP_BROWSER_PATH.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
