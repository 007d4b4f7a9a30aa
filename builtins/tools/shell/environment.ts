// Builds the environment of commands, which contains only variables that programs need, and no secrets.
import { delimiter, isAbsolute } from 'node:path';
import type { Product } from 'agent-harness/plugins/storage';

const wanted = new Set([
  ...['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TERM', 'TMPDIR', 'TMP', 'TEMP', 'USER', 'LOGNAME', 'SHELL', 'TZ', 'EDITOR'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['JAVA_HOME', 'ANDROID_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'NVM_BIN', 'PNPM_HOME', 'VOLTA_HOME', 'BUN_INSTALL'],
  ...['PYENV_ROOT', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'RBENV_ROOT', 'GEM_HOME', 'DOTNET_ROOT', 'SDKROOT', 'DEVELOPER_DIR'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'CI', 'COLUMNS', 'LINES'],
  // Windows programs do not start without these.
  ...['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMFILES', 'PROGRAMDATA', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
]);
const proxies = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']);
const secretLike = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|PRIVATE/i;
/** Variables that disable prompts and pagers, which need a user. */
const fixed = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', NO_COLOR: '1', DEBIAN_FRONTEND: 'noninteractive' };

/** Returns the prefixes of the product's own variables. */
export function hiddenPrefixes({ name }: Pick<Product, 'name'>): readonly string[] {
  return ['AGENT_', 'APP_', `${name.toUpperCase().replaceAll('-', '_')}_`];
}

/** @param prefixes prefixes of variables that are removed, such as `AGENT_` */
export function commandEnvironment(environment: Readonly<Record<string, string | undefined>>, prefixes: readonly string[]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && isPassedOn(name.toUpperCase(), value, prefixes)) result[name] = value;
  }
  const pathName = Object.keys(result).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  result[pathName] = withoutRelative(result[pathName] ?? '/usr/local/bin:/usr/bin:/bin');
  return { ...result, ...fixed };
}

function isPassedOn(name: string, value: string, prefixes: readonly string[]): boolean {
  if (secretLike.test(name) || prefixes.some((prefix) => name.startsWith(prefix))) return false;
  if (proxies.has(name)) return !value.includes('@');
  return wanted.has(name) || name.startsWith('LC_');
}

/** Variables that the terminal sets itself. */
const ofTerminal = new Set(['TERM', 'COLUMNS', 'LINES', 'NO_COLOR']);

/**
 * Returns the variables to set in a terminal. Existing variables cannot be removed there, so those that look like secrets are set to an empty string.
 * @param environment environment of commands
 * @param names names of the terminal's variables
 */
export function terminalEnvironment(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
  prefixes: readonly string[],
): Record<string, string> {
  const isHidden = (name: string): boolean => secretLike.test(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return {
    ...Object.fromEntries(names.filter((name) => isHidden(name.toUpperCase())).map((name) => [name, ''])),
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !ofTerminal.has(name))),
    // Shells would execute these files before the command.
    ...{ BASH_ENV: '', ENV: '' },
  };
}

/** Removes relative folders from PATH, because with them a workspace could replace programs such as `ls`. */
function withoutRelative(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
