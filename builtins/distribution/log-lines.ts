// Writes log lines. Plugins, MCP servers, models and pages write their texts, so a line shows what a terminal would obey, and never becomes two.
import { inspect } from 'node:util';
import type { LogSink } from 'agent-harness/kernel';
import { showHidden } from 'agent-harness/lib/hidden-text';

/** Printable ASCII needs no look at the tables of Unicode, which take megabytes of memory. */
const isPlain = /^[ -~]*$/;

/** One line: line breaks and tabs as `\n` and `\t`, hidden and control characters as `[U+001B]`. */
export function logLine(text: string): string {
  if (isPlain.test(text)) return text;
  return showHidden(text.replace(/\r?\n/g, '\\n').replaceAll('\t', '\\t'));
}

/** A fault with its stack, on several lines. Those after the first are indented, so none of them looks like a log line. */
export function faultLines(fault: unknown): string {
  return inspect(fault).split(/\r?\n/).map(logLine).join('\n    ');
}

const toStandardError: LogSink = (level, plugin, message, fields) => {
  if (level === 'debug') return;
  process.stderr.write(`${level} ${plugin}: ${message}${fields ? ` ${logLine(JSON.stringify(fields))}` : ''}\n`);
};

/** @param sink receives clean messages; standard error when left out */
export function createLog(sink: LogSink = toStandardError): LogSink {
  return (level, plugin, message, fields) => sink(level, plugin, logLine(String(message)), fields);
}
