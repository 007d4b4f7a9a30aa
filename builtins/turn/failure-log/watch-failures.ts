// Logs failed tool calls without affecting the turn.
import type { Emitter } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type { LineFile } from 'agent-harness/plugins/storage';
import { describeError, digestOf } from './describe-failure.ts';

export interface WatchOptions {
  readonly file: LineFile;
  isOn(): boolean;
  /** Returns the values that must not be written to the log. */
  knownSecrets(): readonly string[];
}

export function watchFailures(emitter: Emitter, { file, isOn, knownSecrets }: WatchOptions): void {
  /** Maps turns to their calls that have no result yet, and these calls to their arguments. */
  const open = new Map<string, Map<string, unknown>>();

  emitter.on('tool_start', ({ turnId, callId, args, argsText }) => {
    // The event is first emitted when the model starts to write the call; only the complete arguments are used.
    if (!isOn() || (args === undefined && argsText === undefined)) return;
    const calls = open.get(turnId) ?? new Map<string, unknown>();
    open.set(turnId, calls.set(callId, args ?? argsText));
  });
  emitter.on('tool_result', ({ chatId, turnId, callId, name, ok, output, durationMs }) => {
    const args = open.get(turnId)?.get(callId);
    open.get(turnId)?.delete(callId);
    if (ok || !isOn()) return;
    const error = describeError(output, knownSecrets());
    file.add({ at: new Date().toISOString(), chatId, turnId, tool: name, argsDigest: digestOf(args ?? {}), error, durationMs });
  });
  emitter.on('turn_end', ({ turnId }) => {
    open.delete(turnId);
    void file.flush();
  });
}
