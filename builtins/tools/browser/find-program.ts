// Finds the browser of this system.
import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** Throws a sentence that says what to install. */
export async function findProgram(configured: string): Promise<string> {
  if (configured !== '') {
    if (isAbsolute(configured) && (await isProgram(configured))) return configured;
    throw new Error(`AGENT_BROWSER_PATH is ${configured}, and that is no program; give the absolute path of Chromium, Chrome or Edge.`);
  }
  for (const path of usualPlaces(process.platform, process.env)) if (await isProgram(path)) return path;
  throw new Error('There is no Chromium, Chrome or Edge on this machine. A person has to install one of them, or to set AGENT_BROWSER_PATH to where it is.');
}

export function usualPlaces(platform: NodeJS.Platform, environment: Readonly<Record<string, string | undefined>>): string[] {
  if (platform === 'darwin') {
    const apps = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome', 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'];
    return ['/Applications', `${environment['HOME'] ?? ''}/Applications`].flatMap((folder) => apps.map((app) => `${folder}/${app}`));
  }
  if (platform === 'win32') {
    const programs = ['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'microsoft-edge-stable'];
  return [...names.flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`]), '/snap/bin/chromium', '/opt/google/chrome/chrome'];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
