// Opens the local user's browser.

/** Opens the address if there is a browser, otherwise does nothing. The address is always printed. */
export async function showInBrowser(url: string): Promise<void> {
  if (!hasBrowser(process.env, process.platform)) return;
  try {
    const { default: openInBrowser } = await import('open');
    const browser = await openInBrowser(url);
    browser.on('error', () => undefined); // no browser is installed
  } catch {
    // The address is printed.
  }
}

/** Returns whether the user of the terminal can use a browser on the same machine. False over SSH, in a container, or on Linux without a display. */
export function hasBrowser(environment: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('SSH_CONNECTION') || has('SSH_TTY') || has('NO_BROWSER')) return false;
  if (platform !== 'linux' || has('DISPLAY') || has('WAYLAND_DISPLAY')) return true;
  // Opens the browser of Windows if Linux can start Windows programs (WSL).
  return has('WSL_DISTRO_NAME') && has('WSL_INTEROP');
}
