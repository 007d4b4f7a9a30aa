// Locates the user's screen, and selects the environment variables of a browser.

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that locate a user's screen and session. The caller's values are used, because its screen may differ from the server's. */
export const screenVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_SESSION_TYPE'] as const;

export function screenOf(environment: Environment): Record<string, string> {
  return Object.fromEntries(screenVariables.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

export function hasScreen(environment: Environment, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
}

const names = new Set([
  ...screenVariables,
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'DESKTOP_SESSION', 'PULSE_SERVER', 'ALSA_CONFIG_PATH'],
  ...['SYSTEMROOT', 'WINDIR', 'SYSTEMDRIVE', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMDATA', 'LOCALAPPDATA', 'APPDATA', 'USERPROFILE', 'TEMP', 'TMP'],
]);
const prefixes = /^(LC_|XDG_|GTK_|GDK_|QT_|XCURSOR_|FONTCONFIG_|LIBVA_|MESA_)/;

/** Builds the environment of a visible program: the variables of the user's session, without the server's keys. */
export function browserEnvironment(own: Environment, screen: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && (names.has(name.toUpperCase()) || prefixes.test(name)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(kept), ...screen };
}
