// Implements the CLI command `support`: shows a support bundle for review, writes it, and opens a bundle that was received.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { jsonOf } from '#lib/values';
import { makeSafe } from '#lib/terminal';
import type { CliCommand, CliOutput } from 'agent-harness/plugins/commands';
import { mostBytes, usualOf, type SupportFiles } from './support-files.ts';
import type { SupportFile, SupportWish } from './support-route.ts';
import { kB } from './support-view.ts';

type Input = Parameters<CliCommand['run']>[0];

export async function runSupport(files: SupportFiles, { positionals: [first, second], options, lists = {} }: Input, output: CliOutput): Promise<number> {
  if (first === 'open') return open(files, second, output);
  const option = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined);
  const without = new Set(lists['without'] ?? []);
  const parts = [...new Set([...usualOf(files.sections()), ...(lists['with'] ?? [])])].filter((name) => !without.has(name));
  const wish: SupportWish = { chatId: option('chat'), turnId: first, parts, strike: lists['strike'] };
  const file = await files.make(wish);
  const path = option('out');
  if (path !== undefined) {
    // The flag prevents the command from overwriting an existing file.
    await writeFile(path, file.text, { flag: 'wx', mode: 0o600 });
    output.err(`Wrote ${kB(file.bytes)} to ${path}. SHA-256 ${file.digest}\n`);
    return 0;
  }
  const shown = option('show');
  if (shown !== undefined) {
    const part = shown === 'file' ? file : file.parts.find(({ name }) => name === shown);
    if (part) output.out(part.text);
    else output.err(`There is no section '${shown}'. Available: file, ${file.parts.map(({ name }) => name).join(', ')}.\n`);
    return part ? 0 : 2;
  }
  output.out(options['json'] === true ? `${JSON.stringify(file)}\n` : overview(file));
  return 0;
}

function overview({ turnId, parts, bytes, digest, difference }: SupportFile): string {
  const rows = parts.map(({ name, isIn, bytes: size, description }) => `${isIn ? '✓' : '·'} ${name.padEnd(12)} ${kB(size).padStart(12)}  ${description}`);
  return `${[
    `Support bundle of ${turnId}, ${kB(bytes)}. ${difference ? 'The replay differs from the journal of the turn.' : 'The turn can be replayed from it identically.'}`,
    '',
    ...rows,
    '',
    'Review it: --show file, or --show <section>. Include or exclude sections: --with <section>, --without <section>. Redact words: --strike <word>.',
    'Write it: --out <file>. Nothing is sent.',
    `SHA-256 ${digest}`,
  ].join('\n')}\n`;
}

async function open(files: SupportFiles, path: string | undefined, output: CliOutput): Promise<number> {
  if (path === undefined) {
    output.err('The file is missing. Usage: support open <file>\n');
    return 2;
  }
  const { size } = await stat(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes, which exceeds the maximum size of a support bundle.`);
  const { head, played } = await files.open(jsonOf(await readFile(path, 'utf8')));
  for (const [name, value] of Object.entries(head)) if (name !== 'supportFile') output.out(`${makeSafe(`${name}: ${JSON.stringify(value)}`)}\n`);
  const { events, difference } = played;
  output.out(difference ? `\nThe replay differs from event ${difference.at + 1} on.\n` : `\nThe replay is identical, ${events.length} events.\n`);
  return difference ? 1 : 0;
}
