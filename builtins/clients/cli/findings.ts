// Prints the findings of checks with their remedies.
import { logLine } from '#lib/log-line';
import type { Finding } from 'agent-harness/builtins/clients/cli';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes } from './cli-parts.ts';
import type { Paint } from './paint.ts';

export type { Finding };

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const note = (text: string, mend?: string): Finding => ({ level: 'note', text, ...(mend === undefined ? {} : { mend }) });
export const wrong = (text: string, mend: string): Finding => ({ level: 'wrong', text, mend });

/** Prints one line per finding and one for its remedy. Returns the exit code. */
export function printFindings(findings: readonly Finding[], paint: Paint, output: CliOutput): number {
  const marks = { ok: paint.green('ok   '), note: paint.yellow('note '), wrong: paint.red('wrong') };
  for (const { level, text, mend } of findings) {
    output.out(`${marks[level]}  ${indented(text)}\n${mend === undefined ? '' : `       ${paint.dim(indented(mend))}\n`}`);
  }
  return exitCodeOf(findings);
}

/** Indents continuation lines, so that plugin text cannot imitate a finding. */
function indented(text: string): string {
  return text.split('\n').map((line) => logLine(line.trimStart())).join('\n       '); // prettier-ignore
}

export function exitCodeOf(findings: readonly Finding[]): number {
  return findings.some(({ level }) => level === 'wrong') ? exitCodes.failed : exitCodes.done;
}
