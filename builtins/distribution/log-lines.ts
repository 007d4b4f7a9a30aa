// Formats log lines: escapes control characters in third-party text, and writes each entry as one line.
import { inspect } from 'node:util';
import type { LogSink } from 'agent-harness/kernel';
import { logLine } from '#lib/log-line';

/** Formats an error with its stack. Lines after the first are indented, so that none of them can be mistaken for a log entry. */
export function faultLines(fault: unknown): string {
  return inspect(fault).split(/\r?\n/).map(logLine).join('\n    ');
}

const toStandardError: LogSink = (level, plugin, message, fields) => {
  if (level === 'debug') return;
  process.stderr.write(`${level} ${plugin}: ${message}${fields ? ` ${logLine(JSON.stringify(fields))}` : ''}\n`);
};

/** @param sink receives sanitized messages; default: standard error */
export function createLog(sink: LogSink = toStandardError): LogSink {
  return (level, plugin, message, fields) => sink(level, plugin, logLine(String(message)), fields);
}
