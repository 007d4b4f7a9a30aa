// Tests the menu entries for each operating system.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processesOf } from '#lib/folder-processes';
import { expect, test } from 'vitest';
import { planInstallation } from '../../../../builtins/desktop/desktop-window/installation.ts';
import { launchWindow } from '../../../../builtins/desktop/desktop-window/launch-window.ts';
import { placementFlags } from '../../../../builtins/desktop/desktop-window/placement.ts';
import { browserEnvironment, hasScreen, screenOf } from '../../../../builtins/desktop/desktop-window/screen.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const profile = useFolder('placement-');
const folder = useFolder('desktop-faults-');
const product = { name: 'app', title: 'Agent Harness', home: '/home/ann/.app' };
const facts = { product, node: '/usr/bin/node', main: '/opt/app/main.mjs', personHome: '/home/ann', environment: {} };

test('Linux: creates a desktop entry that opens the links, in XDG_DATA_HOME if set', () => {
  const plan = planInstallation('linux', facts);
  expect(plan.entry).toBe('/home/ann/.local/share/applications/app-desktop.desktop');
  const lines = plan.files[0]?.text.split('\n') ?? [];
  expect(lines[0]).toBe('[Desktop Entry]');
  expect(lines).toEqual(
    expect.arrayContaining([
      'Name=Agent Harness',
      'Exec=/usr/bin/node /opt/app/main.mjs desktop %u',
      'StartupWMClass=app',
      'MimeType=x-scheme-handler/app;',
      'Terminal=false',
    ]),
  );
  expect(plan.afterwards).toContainEqual(['xdg-mime', 'default', 'app-desktop.desktop', 'x-scheme-handler/app']);
  expect(planInstallation('linux', { ...facts, environment: { XDG_DATA_HOME: '/data' } }).entry).toBe('/data/applications/app-desktop.desktop');
});

test('Linux: escapes spaces, quotes, shell characters and percent signs in paths', () => {
  const home = '/home/ann/my "home" $x `y` 5%';
  const [entry] = planInstallation('linux', { ...facts, product: { ...product, home }, main: '/opt/the app/main.mjs' }).files;
  const exec = entry?.text.split('\n').find((line) => line.startsWith('Exec='));
  expect(exec).toBe('Exec=env "APP_HOME=/home/ann/my \\\\"home\\\\" \\\\$x \\\\`y\\\\` 5%%" /usr/bin/node "/opt/the app/main.mjs" desktop %u');
});

test('Linux: escapes the title in the entry and in the icon', () => {
  const plan = planInstallation('linux', { ...facts, product: { ...product, title: '<b\nExec=evil' } });
  const [entry, icon] = plan.files;
  expect(entry?.text.match(/^Exec=/gm)).toHaveLength(1);
  expect(entry?.text).toContain('Name=<b\\nExec=evil');
  expect(icon?.text).toContain('>&#60;</text>');
});

test('macOS: creates a shell script with quoted paths', () => {
  const plan = planInstallation('darwin', { ...facts, product: { ...product, home: "/Users/ann/it's" }, personHome: '/Users/ann' });
  expect(plan.entry).toBe('/Users/ann/Applications/Agent Harness.command');
  expect(plan.files).toEqual([
    { path: plan.entry, isProgram: true, text: "#!/bin/sh\nexport APP_HOME='/Users/ann/it'\\''s'\nexec '/usr/bin/node' '/opt/app/main.mjs' 'desktop'\n" },
  ]);
});

test('Windows: creates a shortcut with quoted paths', () => {
  const environment = { APPDATA: 'C:\\Users\\Ann\\AppData\\Roaming' };
  const plan = planInstallation('win32', { ...facts, node: 'C:\\node.exe', main: "C:\\it's\\main.mjs", environment });
  expect(plan.entry).toBe('C:\\Users\\Ann\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Agent Harness.lnk');
  const script = plan.afterwards[0]?.at(-1) ?? '';
  expect(script).toContain("$link.TargetPath = 'C:\\node.exe'");
  expect(script).toContain(`$link.Arguments = '"C:\\it''s\\main.mjs" desktop'`);
});

test("passes session variables to the browser, the caller's before the server's, but no secrets", () => {
  const own = { HOME: '/home/ann', DISPLAY: ':0', LC_ALL: 'C', AGENT_API_KEY: 'secret', OPENAI_API_KEY: 'secret', NODE_OPTIONS: '--x' };
  expect(browserEnvironment(own, { DISPLAY: ':7' })).toEqual({ HOME: '/home/ann', DISPLAY: ':7', LC_ALL: 'C' });
  expect(screenOf({ DISPLAY: ':7', WAYLAND_DISPLAY: '', HOME: '/x' })).toEqual({ DISPLAY: ':7' });
  expect([hasScreen({}, 'linux'), hasScreen({ WAYLAND_DISPLAY: 'w' }, 'linux'), hasScreen({}, 'darwin')]).toEqual([false, true, true]);
});

test('reads the window placement from the browser profile and ignores damaged data', async () => {
  const write = async (text: string): Promise<void> => {
    await mkdir(join(profile, 'Default'), { recursive: true });
    await writeFile(join(profile, 'Default/Preferences'), text);
  };
  expect(await placementFlags(profile)).toEqual(['--window-size=1240,860']);
  await write('{"browser":{"app_window_placement":{"127":{"0":{"0":{"1_/desktop":{"left":-20,"top":30,"right":780,"bottom":630,"maximized":true}}}}}}}');
  expect(await placementFlags(profile)).toEqual(['--window-size=800,600', '--window-position=-20,30', '--start-maximized']);
  for (const text of ['{"browser":{"app_window_placement":{"x":{"left":"1"}}}}', '{"browser":7}', '[]', '{', '']) {
    await write(text);
    expect(await placementFlags(profile)).toEqual(['--window-size=1240,860']);
  }
  expect(await readdir(profile)).toEqual(['Default']);
  expect(await readFile(join(profile, 'Default/Preferences'), 'utf8')).toBe('');
});

test('reports the error output of a browser that does not start, and leaves no process', async () => {
  const program = join(folder, 'browser');
  const start = async (script: string): Promise<unknown> => {
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const request = { program, folder: join(folder, 'window'), title: 't', className: 't', host: '127.0.0.1', environment: {}, warn: () => undefined };
    return launchWindow(request).then(
      () => undefined,
      (fault: Error) => fault.message,
    );
  };
  expect(await start('echo "FATAL: No usable sandbox! Update your kernel" >&2; exit 1')).toMatch(
    /^its sandbox does not work on this machine\. .*user namespaces/,
  );
  expect(await start('echo "chrome: error while loading shared libraries: libnss3.so" >&2; exit 127')).toBe('error while loading shared libraries: libnss3.so');
  expect(await start('exit 0')).toContain('The browser has ended.');
  // Omits messages that appear at every start, and reports the last one before the exit.
  const bus = '[12:34:1123/045605.123456:ERROR:dbus/bus.cc:406] Failed to connect to the bus: Could not parse server address';
  const drivers = 'libva error: vaGetDriverNames() failed\\nMESA: error: ZINK: failed to choose pdev';
  expect(await start(`printf '%s\\n' '${bus}' >&2; printf '${drivers}\\n' >&2; exit 1`)).toBe('The browser has ended.');
  expect(await start(`printf '%s\\n' '${bus}' 'The profile is of a newer version.' '${bus}' >&2; exit 1`)).toBe('The profile is of a newer version.');
  const fatal = '[12:12:1123/045605.2:FATAL:zygote/zygote_host.cc:120] No profile can be made here.';
  expect(await start(`printf '%s\\n' '${bus}' '${fatal}' 'Trace/breakpoint trap' >&2; exit 1`)).toBe('No profile can be made here.');
  const screen = '[12:12:1123/045605.2:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:258] Missing X server or $DISPLAY';
  expect(await start(`printf '%s\\n' '${bus}' '${screen}' >&2; exit 1`)).toBe('Missing X server or $DISPLAY');
  expect(await processesOf(join(folder, 'window'))).toEqual([]);
});
