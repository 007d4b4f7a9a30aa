// Derives a device name from a browser's user agent. Pure.

/** Returns the name of the browser for the list of devices. */
export function deviceName(userAgent: string): string {
  const browser = [
    ['Edg', 'Edge'],
    ['Firefox', 'Firefox'],
    ['FxiOS', 'Firefox'],
    ['CriOS', 'Chrome'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
  ].find(([mark]) => userAgent.includes(mark as string))?.[1];
  const system = [
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Android', 'Android'],
    ['Mac OS', 'Mac'],
    ['Windows', 'Windows'],
    ['CrOS', 'ChromeOS'],
    ['Linux', 'Linux'],
  ].find(([mark]) => userAgent.includes(mark as string))?.[1];
  if (!browser) return system ?? 'Browser';
  return system ? `${browser} on ${system}` : browser;
}
