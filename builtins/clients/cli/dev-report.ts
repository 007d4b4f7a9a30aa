// Formats the output of `dev` during plugin development: running plugins, and the locations of errors in their files.
import { existsSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginReport } from 'agent-harness/kernel';
import { messageOf, stackOf } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import { oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { PluginFault } from 'agent-harness/plugins/settings';

type Row = Pick<PluginReport, 'name' | 'state' | 'reason' | 'warnings' | 'bootMs' | 'adds' | 'place'>;

export interface DevReport {
  /** Reports build errors, each once until it is fixed. */
  built(faults: readonly { readonly file: string; readonly message: string }[]): void;
  fault(fault: PluginFault, plugins: readonly Pick<Row, 'name' | 'place'>[]): void;
  /** Reports changes to the user's plugins after a reload. */
  rows(plugins: readonly Row[]): void;
}

const longest = 500;
/** Maximum number of contributions listed per plugin. */
const mostShown = 6;

/** @param folder absolute path; files inside it are shown relative to it */
export function createDevReport(output: Pick<CliOutput, 'out'>, folder: string): DevReport {
  let unbuilt = new Set<string>();
  let known = new Map<string, string>();
  const printLine = (text: string): void => output.out(`${oneLine(makeSafe(text), longest)}\n`);

  return {
    built(faults) {
      const lines = faults.map(({ file, message }) => `${shorten(file, folder)}: ${message}`);
      for (const line of lines) if (!unbuilt.has(line)) printLine(line);
      unbuilt = new Set(lines);
    },
    fault({ plugin, what, fault }, plugins) {
      const place = plugins.find(({ name }) => name === plugin)?.place;
      const at = findPlace(stackOf(fault), messageOf(fault), place);
      const kind = fault instanceof Error && fault.name !== 'Error' ? `${fault.name}: ` : '';
      const text = messageOf(fault).replace(/ \((?:file:|\/)[^()]*:\d+\)$/, '');
      printLine(`${at === undefined ? '' : `${shorten(at, folder)}: `}${kind}${text} (${plugin}, ${what})`);
    },
    rows(plugins) {
      const now = new Map(plugins.map((row) => [row.name, `${row.state} ${row.reason ?? ''} ${row.warnings.join(' ')} ${row.bootMs}`]));
      for (const row of plugins) if (known.get(row.name) !== now.get(row.name)) printLine(sentenceOf(row));
      for (const name of known.keys()) if (!now.has(name)) printLine(`${name} was removed.`);
      known = now;
    },
  };
}

function sentenceOf({ name, state, reason = '', warnings, bootMs, adds }: Row): string {
  const notes = warnings.length === 0 ? '' : ` ${warnings.join(' ')}`;
  if (state !== 'active') return `${name} does not run (${state}). ${reason}${notes}`;
  const isStale = warnings.some((warning) => warning.includes('still runs the version from before'));
  if (isStale) return `${name}:${notes}`;
  const own = adds.filter((label) => !/^(?:defer|on|event|child):|:\?$/.test(label));
  const shown = [...own.slice(0, mostShown), ...(own.length > mostShown ? ['…'] : [])].join(', ');
  return `${name} runs (${Math.max(1, Math.round(bootMs))} ms)${shown === '' ? '' : `: ${shown}`}.${notes}`;
}

/** Returns the first location in the plugin's own files, as `path:line:column`; in the TypeScript source if available. */
function findPlace(stack: string, message: string, place: string | undefined): string | undefined {
  for (const [, address = '', position = ''] of `${message}\n${stack}`.matchAll(
    /((?:file:\/\/)?\/[^\s()?]+\.[cm]?js)(?:\?[^\s():]*(?:\([^\s)]*\))?)?(:\d+(?::\d+)?)/g,
  )) {
    const path = address.startsWith('file:') ? fileURLToPath(address) : address;
    if (place !== undefined && !isOf(path, place)) continue;
    const source = path.replace(/\.mjs$/, '.ts');
    return `${existsSync(source) ? source : path}${position}`;
  }
  return undefined;
}

/** Returns whether a path belongs to a plugin. @param place file of the plugin; an index file stands for its folder */
function isOf(path: string, place: string): boolean {
  const own = /^index\.m?js$/.test(basename(place)) ? `${dirname(place)}/` : place.replace(/\.m?js$/, '');
  return path.startsWith(own);
}

function shorten(place: string, folder: string): string {
  const way = relative(folder, place);
  return way.startsWith('..') ? place : way;
}
