// Tests the command `desktop` of the built program: server ownership, exit, cleanup.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { findBrowser } from '../../helpers/browser.ts';
import { hasProgram, testWith } from '../../helpers/programs-needed.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { openScreen, type VirtualScreen } from '../../helpers/virtual-screen.ts';
import { addWindowView, viewWindow } from '../../helpers/watched-window.ts';
import { isAlive, listeningAt, windowLeader, windowProcesses } from '../../helpers/window-processes.ts';
import { createCommandLine, type CommandLine } from '../../helpers/command-line.ts';
import { createProgram, type Program, type Running } from '../../helpers/cli-program.ts';

const test = testWith('Xvfb');
const canRun = hasProgram('Xvfb') || process.env['CI'] === 'true';

describe('desktop', () => {
  let screen: VirtualScreen;
  let program: Program;
  /** Runs commands that open no window in this process. */
  let commands: CommandLine;
  let environment: Record<string, string>;

  beforeAll(async () => {
    if (!canRun) return;
    screen = await openScreen();
    program = await createProgram();
    commands = await createCommandLine({ builtins: ['cli', 'desktop-window'], folders: program });
    await addWindowView(program.home);
    environment = { DISPLAY: screen.display, AGENT_DESKTOP_BROWSER_PATH: findBrowser() ?? '' };
  });
  afterEach(async () => {
    if (canRun) await expect.poll(() => windowProcesses(program.home)).toEqual([]);
  });
  afterAll(async () => {
    if (!canRun) return;
    await program.clean();
    await screen.close();
  });

  const start = (more: Record<string, string> = {}): Running => program.start(['desktop'], { environment: { ...environment, ...more } });
  const ready = async (running: Running): Promise<string> => (await running.until(/open in its own window; its server is (http:\S+)/))[1] as string;
  async function closeWindow(): Promise<void> {
    const leader = await windowLeader(program.home);
    if (leader !== undefined) process.kill(leader, 'SIGTERM');
  }

  test('focuses the window from a second process and ends the server when it is closed', async () => {
    const first = start();
    const url = await ready(first);
    const second = await program.run(['desktop'], { environment });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain(`its server runs at ${url}`);
    expect(new Set(listeningAt([first.child.pid as number, ...(await windowProcesses(program.home))]))).toEqual(new Set(['0100007F']));
    await closeWindow();
    expect((await first.ended).code).toBe(0);
    const again = start();
    expect(await ready(again)).toBe(url);
    again.child.kill('SIGINT');
    expect((await again.ended).code).toBe(0);
  });

  test('opens a window for a running server, which continues after the window is closed', async () => {
    // This server was started without a screen.
    const server = program.start(['serve', '--port', '0'], { environment: { ...environment, DISPLAY: '' } });
    await server.until(/ready at/);
    const asked = await program.run(['desktop'], { environment });
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    await closeWindow();
    await expect.poll(() => windowProcesses(program.home)).toEqual([]);
    expect((await program.run(['desktop'], { environment })).code).toBe(0);
    server.child.kill('SIGKILL');
    await server.ended;
  });

  test('opens a chat link in a new and in an open window, and rejects an invalid link', async () => {
    const server = program.start(['serve', '--port', '0'], { environment: { ...environment, DISPLAY: '' } });
    const [, url = ''] = await server.until(/ready at (http:\S+)/);
    const token = (await readFile(join(program.home, 'web_token'), 'utf8')).trim();
    const call = async (path: string): Promise<any> =>
      (await fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: '{}' })).json();
    const chats = [await call('/api/chats'), await call('/api/chats'), await call('/api/chats')].map(({ chatId }) => chatId as string);
    const view = viewWindow(url, token);
    for (const chatId of chats.slice(0, 2)) {
      expect(await program.run(['desktop', `app://chat/${chatId}`], { environment })).toMatchObject({ code: 0, stderr: '' });
      await expect.poll(() => view.evaluate('location.hash')).toBe(`#/chat/${chatId}`);
    }
    // A link contains a chat id, never an address.
    for (const link of ['app://chat/../settings', `app://chat/${'x'.repeat(101)}`, `app://chat/a%2F..`, 'app:chat/a']) {
      const { code, stderr } = await commands.run(['desktop', link], { environment });
      expect([link, code, stderr]).toEqual([link, 1, expect.stringContaining('is not a link to a chat')]);
    }
    expect(await view.evaluate('location.hash')).toBe(`#/chat/${chats[1]}`);
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('keeps the server until a running turn ends, with a notice, and then exits', async () => {
    let goOn = (): void => undefined;
    const until = new Promise<void>((resolve) => (goOn = resolve));
    const model: ScriptedModel = await startScriptedModel([{ text: ['one ', 'two'], stallAfter: 1, until, always: true }]);
    try {
      // Records desktop notifications.
      const programs = join(program.workspace, 'bin');
      const noticed = join(program.workspace, 'noticed');
      await mkdir(programs);
      await writeFile(join(programs, 'notify-send'), `#!/bin/sh\necho "$@" >>'${noticed}'\n`, { mode: 0o700 });
      const running = start({ ...model.environment, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` });
      const url = await ready(running);
      const asking = program.run(['run', 'count'], { environment: model.environment });
      await expect.poll(() => model.requests.length).toBeGreaterThan(0);
      await closeWindow();
      await running.until(/The window is closed\. A turn is still running, so the server continues/);
      expect((await fetch(url)).status).toBe(200);
      expect(isAlive(running.child.pid as number)).toBe(true);
      await expect.poll(() => readFile(noticed, 'utf8').catch(() => '')).toMatch(/Agent Harness A turn is still running.*'app desktop' opens the window again/);
      goOn();
      expect((await asking).stdout).toContain('one two');
      expect((await running.ended).code).toBe(0);
    } finally {
      goOn();
      await model.close();
    }
  });

  test('reports a missing browser or screen and an invalid link', async () => {
    const none = await program.run(['desktop'], { environment: { ...environment, AGENT_DESKTOP_BROWSER_PATH: '/nowhere/chromium' } });
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/needs Chromium, Chrome or Edge, and none was found at: \/nowhere\/chromium\. Install one: .*apt install chromium/);
    const dark = await program.run(['desktop'], { environment: { ...environment, DISPLAY: '' } });
    expect(dark.stderr).toContain('There is no screen for a window');
    const foreign = await commands.run(['desktop', 'https://example.com/'], { environment });
    expect(foreign.stderr).toContain('DESKTOP_WINDOW_ERR_LINK_UNKNOWN');
    expect((await commands.run(['desktop', '--chat', '../x'], { environment })).stderr).toContain('is not a link to a chat');
  });

  test('installs and removes the menu entry, and reports its requirements in doctor', async () => {
    const entry = join(program.home, '../.local/share/applications/app-desktop.desktop');
    expect((await program.run(['desktop', '--install'])).stdout).toContain('app-desktop.desktop');
    expect(await readFile(entry, 'utf8')).toMatch(/^Exec=\S*node \S+main\.mjs desktop %u$/m);
    expect((await program.run(['desktop', '--uninstall'])).stdout).toContain('was removed from the menu');
    await expect(readFile(entry)).rejects.toThrow('ENOENT');
    expect((await commands.run(['doctor'], { environment })).stdout).toMatch(
      /ok .* The desktop window opens with \S*Chrom\S* \(.*\), whose page can be mirrored\./,
    );
    const without = await commands.run(['doctor'], { environment: { AGENT_DESKTOP_BROWSER_PATH: '/nowhere' } });
    expect(without.stdout).toMatch(/note .* No browser was found for the desktop window\.\n.*\/nowhere/);
  });
});
