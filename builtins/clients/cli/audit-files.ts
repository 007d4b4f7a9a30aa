// Checks the access rights of the home folder's files and of the plugins.
import type { Stats } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { CliParts } from './cli-parts.ts';
import { configText } from './config-text.ts';
import { note, ok, wrong, type Finding } from './findings.ts';

const privateFiles = ['web_token', 'license.json', 'account.json', '.env', '.agent_runtime_prefs.json', 'integrations.json'];
const writableByOthers = 0o022;

interface Fixing {
  readonly mayFix: boolean;
}

export async function auditFiles(parts: CliParts, fixing: Fixing): Promise<Finding[]> {
  if (process.platform === 'win32') return [note('File modes are not checked on Windows.')];
  const { home } = parts.services.product;
  const findings = await Promise.all([
    auditMode(home, 0o700, fixing),
    auditMode(join(home, 'chats'), 0o700, fixing),
    ...privateFiles.map((name) => auditMode(join(home, name), 0o600, fixing)),
  ]);
  const faults = [...findings.flat(), ...(await auditFoldersAbove(home))];
  return [
    ...(faults.length === 0 ? [ok(`Only you can read ${home} and the secrets in it.`)] : faults),
    ...(await auditPlace(home)),
    ...(await auditPlugins(parts, fixing)),
  ];
}

/** Checks the mode of one path. Returns no finding if the path is missing or its mode is correct. */
async function auditMode(path: string, mode: number, { mayFix }: Fixing): Promise<Finding[]> {
  const stats = await lstatOrNothing(path);
  if (!stats) return [];
  if (stats.isSymbolicLink()) return [wrong(`${path} is a symbolic link.`, 'Replace the link with the file itself.')];
  const owner = ownerFault(path, stats);
  if (owner) return [owner];
  const extra = stats.mode & 0o777 & ~mode;
  if (extra === 0) return [];
  if (mayFix) return fix(path, mode);
  return [wrong(`${path} has mode ${octal(stats.mode)}: other users of this machine can access it.`, `chmod ${octal(mode)} '${path}', or run 'audit --fix'`)];
}

async function auditPlugins(parts: CliParts, { mayFix }: Fixing): Promise<Finding[]> {
  const folder = configText(parts, 'AGENT_PLUGIN_DIR') || join(parts.services.product.home, 'plugins');
  if (!(await lstatOrNothing(folder))) return [];
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const findings: Finding[] = [];
  for (const path of [folder, ...files]) {
    const stats = await lstatOrNothing(path);
    if (!stats) continue;
    const owner = ownerFault(path, stats);
    if (owner) findings.push(owner);
    else if ((stats.mode & writableByOthers) !== 0 && !stats.isSymbolicLink()) {
      const mode = stats.mode & 0o777 & ~writableByOthers;
      if (mayFix) findings.push(...(await fix(path, mode)));
      else findings.push(wrong(`Other users can change ${path}, and plugins run with your rights.`, `chmod go-w '${path}', or run 'audit --fix'`));
    }
  }
  findings.push(...(await auditFoldersAbove(folder)));
  return findings.length > 0 ? findings : [ok(`Only you can change the plugins in ${folder}.`)];
}

/** Checks the parent folders: a user with write access to one of them can replace our folder, unless the sticky bit (as on `/tmp`) prevents it. */
async function auditFoldersAbove(path: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let at = dirname(resolve(path)); ; at = dirname(at)) {
    const stats = await lstatOrNothing(at);
    const owner = stats && ownerFault(at, stats);
    if (owner) findings.push(owner);
    else if (stats?.isDirectory() && (stats.mode & 0o002) !== 0 && (stats.mode & 0o1000) === 0)
      findings.push(wrong(`Any user of this machine can replace ${path}, because ${at} has mode ${octal(stats.mode)}.`, `chmod o-w '${at}'`));
    if (at === dirname(at)) return findings;
  }
}

/** Checks whether the home folder is inside a project; projects are copied, published and searched. */
async function auditPlace(home: string): Promise<Finding[]> {
  for (let at = dirname(resolve(home)); at !== dirname(at); at = dirname(at)) {
    if (!(await lstatOrNothing(join(at, '.git')))) continue;
    // A home folder may be under version control deliberately, so this is only a note.
    return [note(`${home} is inside the project ${at}: its secrets may be published with it.`, 'Move it out, or make sure that the project ignores it.')];
  }
  return [];
}

async function fix(path: string, mode: number): Promise<Finding[]> {
  await chmod(path, mode);
  return [ok(`${path} now has mode ${octal(mode)}.`)];
}

/** Returns a finding for a file that another user owns. Files of root are as trustworthy as the system itself. */
function ownerFault(path: string, { uid }: Stats): Finding | undefined {
  const mine = process.getuid?.();
  if (mine === undefined || uid === mine || uid === 0) return undefined;
  return wrong(`${path} belongs to another user (${uid}).`, `sudo chown "$(id -un)" '${path}', once you know who put it there`);
}

async function lstatOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined; // the path does not exist
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
