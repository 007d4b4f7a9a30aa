// The browser of whoever sits in front of this machine.

/** Opens the address where there is a browser, and does nothing where there is none: it stands on the screen in any case. */
export async function showInBrowser(url: string): Promise<void> {
  if (!hasBrowser(process.env, process.platform)) return;
  try {
    const { default: openInBrowser } = await import('open');
    const browser = await openInBrowser(url);
    browser.on('error', () => undefined); // there is none
  } catch {
    // The address is on the screen.
  }
}

/** Whether a person at this terminal can have a browser on the same machine: not over SSH, not in a container, not in a Linux without a display. */
export function hasBrowser(environment: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('SSH_CONNECTION') || has('SSH_TTY') || has('NO_BROWSER')) return false;
  if (platform !== 'linux' || has('DISPLAY') || has('WAYLAND_DISPLAY')) return true;
  // Windows shows it, where Linux may start programs of Windows.
  return has('WSL_DISTRO_NAME') && has('WSL_INTEROP');
}
