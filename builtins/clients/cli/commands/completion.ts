// Implements `completion`: prints the script for a shell, and answers the script's requests each time Tab is pressed.
import { withLimit } from '#lib/async';
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import type { CliListing } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type CliParts, type RunCommand } from '../cli-parts.ts';
import { complete, type Candidate } from '../completion.ts';
import { scripts } from '../completion-scripts.ts';
import { findServer } from '../find-server.ts';

/** Time limit in milliseconds; short, because the user is waiting. */
const patienceMs = 2_000;
const mostRows = 500;

export const completion: RunCommand = async (parts, { positionals }, output) => {
  const { commands, product } = parts.services;
  const [shell = '', ...words] = positionals;
  if (shell === 'words') {
    const found = await complete({ commands: commands.cli(), programs: product.programs ?? [], ask: (listing) => ask(parts, listing) }, words);
    output.out(typeof found === 'string' ? `:${found}\n` : found.map((one) => `${lineOf(one)}\n`).join(''));
    return exitCodes.done;
  }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script || words.length > 0) return refuseUse(output, "'completion' needs one of bash, zsh and fish.");
  output.out(script(product.command ?? product.name));
  return exitCodes.done;
};

/** Requests the rows from the running server; never starts one. */
async function ask(parts: CliParts, { path, rows, word, text }: CliListing): Promise<Candidate[]> {
  const reply = withLimit(askServer(parts, path), patienceMs, () => undefined);
  const found = (await reply.catch(() => undefined))?.[rows];
  if (!Array.isArray(found)) return [];
  return found.slice(0, mostRows).flatMap((row: unknown) => {
    if (!isRecord(row) || typeof row[word] !== 'string') return [];
    const about = text === undefined ? undefined : row[text];
    return [{ word: row[word], ...(typeof about === 'string' && about !== '' ? { text: about } : {}) }];
  });
}

async function askServer(parts: CliParts, path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const running = await findServer(parts);
  return running?.client.call('GET', path);
}

/** Formats a candidate as one line: the word, then a tab and the description, if any. */
function lineOf({ word, text = '' }: Candidate): string {
  return text === '' ? word : `${word}\t${oneLine(text, 100)}`;
}
