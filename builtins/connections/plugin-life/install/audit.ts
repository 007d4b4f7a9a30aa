// Audits third-party plugins: file hashes, capabilities, isolation, and the APIs that their code uses.
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PluginReport } from 'agent-harness/kernel';
import type { AuditRow, LockRow } from 'agent-harness/builtins/connections/plugin-life';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import { collectFiles } from '#lib/collect-files';
import { messageOf } from '#lib/errors';
import { isThere } from '#lib/files';
import { stableJson } from '#lib/values';
import { notesOnCode } from './read-code.ts';

type Finding = AuditRow['findings'][number];

export interface AuditParts {
  readonly userPlugins: Pick<UserPlugins, 'dir' | 'inspect' | 'lockFault'>;
  readonly rows: Readonly<Record<string, LockRow>>;
  readonly report: readonly PluginReport[];
}

const ok = (text: string): Finding => ({ level: 'ok', text });
const note = (text: string): Finding => ({ level: 'note', text });
const wrong = (text: string): Finding => ({ level: 'wrong', text });

/** Audits installed plugins, then the user's own plugins. Never rejects because of a plugin's state. */
export async function auditPlugins({ userPlugins, rows, report }: AuditParts): Promise<AuditRow[]> {
  const own = report.filter(({ origin, name }) => origin === 'user' && !Object.hasOwn(rows, name));
  const installed = Object.entries(rows).map(([name, row]) => {
    const running = report.find((one) => one.name === name && one.state === 'active');
    return auditInstalled(name, row, userPlugins, running ? (running.isolation ?? 'process') : row.isolation);
  });
  return [...(await Promise.all(installed)), ...(await Promise.all(own.map(auditOwn)))];
}

/** @param tier actual isolation, which may be stricter than the requested one; the requested isolation if the plugin is not running */
async function auditInstalled(
  name: string,
  row: LockRow,
  { dir, inspect, lockFault }: AuditParts['userPlugins'],
  tier: AuditRow['isolation'],
): Promise<AuditRow> {
  const folder = join(dir, name);
  const { version } = row;
  const head = { name, origin: 'installed' as const, version, isolation: tier };
  if (!(await isThere(folder))) return { ...head, findings: [wrong(`Its folder no longer exists. Install it again, or remove it: ${folder}`)] };
  const fault = lockFault(name);
  const findings = [fault === undefined ? ok('Its files match the installed ones.') : wrong(fault)];
  // Does not run files that differ from the approved ones, even in isolation.
  const entry = row.files.find(({ path }) => /^index\.m?js$/.test(path));
  if (fault === undefined && entry) {
    try {
      const { manifest } = await inspect(join(folder, entry.path));
      const isSame = stableJson(manifest.capabilities ?? {}) === stableJson(row.capabilities);
      findings.push(isSame ? ok('It requests the approved capabilities.') : wrong('It requests other capabilities than the approved ones. Remove it.'));
    } catch (refusal) {
      findings.push(wrong(`Its manifest cannot be read: ${messageOf(refusal)}`));
    }
  }
  return { ...head, findings: [...findings, ...tierNotes(tier), ...(await lookAtFiles(folder))] };
}

async function auditOwn({ name, place, isolation: tier }: PluginReport): Promise<AuditRow> {
  const isolation = tier ?? 'process';
  const isFolder = /^index\.m?js$/.test(basename(place));
  return { name, origin: 'own', isolation, findings: [...tierNotes(isolation), ...(await lookAtFiles(isFolder ? dirname(place) : place))] };
}

function tierNotes(isolation: string): Finding[] {
  return isolation === 'process' ? [note('It runs in the server process, with all its rights.')] : [ok('It runs isolated in a child process.')];
}

async function lookAtFiles(place: string): Promise<Finding[]> {
  const isFolder = (await lstat(place)).isDirectory();
  const { files, leftOut, fault } = isFolder ? await collectFiles(place, ['']) : await collectFiles(dirname(place), [basename(place)]);
  const open = await writableByOthers(place);
  return [
    ...notesOnCode(new Map(files.map(({ path, bytes }) => [path, bytes]))).map(note),
    ...leftOut.map(wrong),
    ...(fault === undefined ? [] : [note(fault)]),
    ...open.map((path) => wrong(`Other users can change ${path}: chmod go-w '${path}'`)),
  ];
}

const writable = 0o022;

async function writableByOthers(place: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const inner = (await lstat(place)).isDirectory() ? await readdir(place, { recursive: true }) : [];
  const all = [place, ...inner.map((name) => join(place, name))];
  const modes = await Promise.all(all.map(async (path) => [path, await lstat(path)] as const));
  return modes.flatMap(([path, stats]) => (!stats.isSymbolicLink() && (stats.mode & writable) !== 0 ? [path] : []));
}
