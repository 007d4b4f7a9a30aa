// Checks for risky settings: network exposure, commands without approval, secrets in the wrong file.
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ConfigField } from 'agent-harness/kernel';
import { isLoopback } from '#lib/hosts';
import { listIn } from '#lib/text';
import { recordIn } from '#lib/values';
import type { PreferencesFile } from 'agent-harness/plugins/settings';
import type { CliParts } from './cli-parts.ts';
import { configText } from './config-text.ts';
import { note, ok, wrong, type Finding } from './findings.ts';

const shortestToken = 16;
const goodToken = 32;

export async function auditSettings(parts: CliParts): Promise<Finding[]> {
  const findings = [
    ...(await auditToken(parts)),
    ...auditBinding(parts),
    ...auditOrigins(parts),
    ...auditApprovals(parts),
    ...(await auditSandbox(parts)),
    ...auditAddresses(parts),
    ...(await auditSecrets(parts)),
  ];
  return [
    ...findings,
    ...(process.getuid?.() === 0
      ? [note('This program runs as root, so the agent has every permission on this machine.', 'Use a separate user account.')]
      : []),
  ];
}

async function auditToken({ services }: CliParts): Promise<Finding[]> {
  const token = await services.webToken.current();
  const mend = "Create a new one with 'token rotate', or set AGENT_WEB_TOKEN to 32 random bytes in hex.";
  if (token.length < shortestToken || new Set(token).size < 6) return [wrong('The web token is easy to guess.', mend)];
  return token.length < goodToken ? [note('The web token is short.', mend)] : [ok('The web token is long and random.')];
}

function auditBinding(parts: CliParts): Finding[] {
  const host = configText(parts, 'AGENT_WEB_BIND_HOST') || '127.0.0.1';
  if (isLoopback(host)) return [ok('The server listens on this machine only.')];
  const hasOwnToken = parts.services.kernel.fields().some(({ key, isSet }) => key === 'AGENT_WEB_TOKEN' && isSet);
  const text = `The server listens on ${host}: other machines in the network reach it, and the connection is not encrypted.`;
  if (!hasOwnToken) return [wrong(text, 'Unset AGENT_WEB_BIND_HOST, or set AGENT_WEB_TOKEN and use a TLS proxy.')];
  return [note(text, 'Use a TLS proxy.')];
}

function auditOrigins(parts: CliParts): Finding[] {
  const origins = listIn(configText(parts, 'AGENT_WEB_CORS_ORIGINS'));
  const hosts = listIn(configText(parts, 'AGENT_WEB_ALLOWED_HOSTS'));
  return [
    ...origins.map((origin) => {
      const mend = 'Remove it from AGENT_WEB_CORS_ORIGINS unless it is yours.';
      if (origin === '*' || origin === 'null' || isPlainHttp(origin))
        return wrong(`Pages of ${origin} may call this server, and any site can serve such a page.`, mend);
      return note(`Pages of ${origin} may call this server.`, mend);
    }),
    ...(hosts.includes('*')
      ? [wrong('Every Host name is accepted, so a foreign page can reach this server.', 'List the names in AGENT_WEB_ALLOWED_HOSTS one by one.')]
      : []),
  ];
}

function auditApprovals(parts: CliParts): Finding[] {
  const sandbox = configText(parts, 'AGENT_SANDBOX');
  return [
    configText(parts, 'AGENT_YOLO') === 'true' || configText(parts, 'AGENT_YOLO') === '1'
      ? wrong('AGENT_YOLO is on: commands run and data is sent without approval.', 'Unset AGENT_YOLO.')
      : ok('Actions that cannot be undone need your approval.'),
    ...(sandbox === 'off' ? [note('AGENT_SANDBOX is off: commands can reach everything that you can.', 'Set it to auto.')] : []),
    ...(sandbox === 'auto' && configText(parts, 'AGENT_EDITOR_TERMINAL') === 'true'
      ? [note("AGENT_EDITOR_TERMINAL is on: commands in an editor's terminal run outside of the sandbox.", 'Turn it off if you do not watch them.')]
      : []),
  ];
}

/** Reports a sandbox only if it is certainly missing; an installed sandbox may still fail. */
async function auditSandbox(parts: CliParts): Promise<Finding[]> {
  const sandbox = configText(parts, 'AGENT_SANDBOX');
  if (process.platform !== 'linux' || (sandbox !== 'auto' && sandbox !== 'require')) return [];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, 'bwrap'), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (found.includes(true)) return [];
  const result = sandbox === 'auto' ? 'commands can reach everything that you can' : 'no command runs';
  return [note(`bubblewrap is missing, so there is no sandbox and ${result}.`, 'Install the package bubblewrap.')];
}

/** Checks the addresses to which keys and licenses are sent. */
function auditAddresses({ services }: CliParts): Finding[] {
  return services.kernel.fields().flatMap(({ key, value }) => {
    if (!/_(URL|ORIGIN)$/.test(key) || typeof value !== 'string' || !isPlainHttp(value)) return [];
    return [wrong(`${key} is ${value}: keys are sent there unencrypted.`, 'Use its https address.')];
  });
}

/** Finds secrets that are stored outside `.env`: preferences are shown on the settings page and included in backups. */
async function auditSecrets({ services: { kernel, product } }: CliParts): Promise<Finding[]> {
  const path = join(product.home, '.agent_runtime_prefs.json');
  const saved = Object.keys((await readPreferences(path)).harness?.env ?? {});
  const secrets = new Set(
    kernel
      .fields()
      .filter(isSecret)
      .map(({ key }) => key),
  );
  return saved
    .filter((key) => secrets.has(key))
    .map((key) => wrong(`${key} is in ${path}, where it has no effect.`, `Move it to ${join(product.home, '.env')}.`));
}

function isSecret({ schema }: ConfigField): boolean {
  return schema['secret'] === true;
}

/** Reads the preferences; empty if the file is missing or invalid, which `doctor` reports. */
async function readPreferences(path: string): Promise<PreferencesFile> {
  return recordIn(await readFile(path, 'utf8').catch(() => ''));
}

function isPlainHttp(address: string): boolean {
  try {
    const { protocol, hostname } = new URL(address);
    return protocol === 'http:' && !isLoopback(hostname);
  } catch {
    return false;
  }
}
