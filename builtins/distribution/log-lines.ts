// Writes log lines. Plugins, MCP servers, models and pages write their texts, so a line shows what a terminal would obey, and never becomes two.
import { inspect } from 'node:util';
import type { LogSink } from 'agent-harness/kernel';
import { logLine } from 'agent-harness/lib/log-line';

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
