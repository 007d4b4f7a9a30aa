// Finds a Chromium-based browser on this machine, and explains why a browser cannot start.
import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, posix, win32 } from 'node:path';

/**
 * Returns the path of a browser; `undefined` if there is none. @param configured absolute path that replaces the default locations; if empty, the default
 * locations are searched
 */
export async function findChromium(configured: string): Promise<string | undefined> {
  const places = configured === '' ? chromiumPlaces(process.platform, process.env) : isAbsolute(configured) ? [configured] : [];
  for (const path of places) if (await isProgram(path)) return path;
  return undefined;
}

/** Lists the paths of Chromium before those of Chrome, then Edge. */
export function chromiumPlaces(platform: NodeJS.Platform, environment: Readonly<Record<string, string | undefined>>): string[] {
  if (platform === 'darwin') {
    const apps = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome', 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'];
    return ['/Applications', `${environment['HOME'] ?? ''}/Applications`].flatMap((folder) => apps.map((app) => posix.join(folder, app)));
  }
  if (platform === 'win32') {
    const programs = ['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return folders.flatMap((folder) => programs.map((program) => win32.join(folder, program)));
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'microsoft-edge-stable'];
  return [...names.flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`]), '/snap/bin/chromium', '/opt/google/chrome/chrome'];
}

/** Returns advice that completes a sentence, if the output of a browser shows that the system forbids its sandbox. */
export function sandboxFault(output: string): string | undefined {
  if (!/no usable sandbox|setuid sandbox|user namespaces?/i.test(output)) return undefined;
  return 'its sandbox does not work on this machine. Allow unprivileged user namespaces, or run the server on a machine that allows them.';
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
