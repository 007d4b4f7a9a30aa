// Informs the model of restored contents, once, in the turn after an undo.
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { CheckpointLogs, LogRecord } from './checkpoint-log.ts';
import { isStateId } from './places.ts';

const noteKey = 'checkpoints';
const maxNamed = 30;

export function createUndoNote(logs: CheckpointLogs): (prompt: Prompt, turn: Turn) => Promise<Prompt | undefined> {
  return async (prompt, turn) => {
    if (!turn.isRoot) return undefined;
    // The note is added in every round of that turn, because text at the end of a prompt applies to one round only.
    if (!turn.notes.has(noteKey)) turn.notes.set(noteKey, await takeNote(logs, turn.chatId));
    const text = turn.notes.get(noteKey);
    return typeof text === 'string' ? { ...prompt, tail: [...prompt.tail, { role: 'system', text }] } : undefined;
  };
}

function takeNote(logs: CheckpointLogs, chatId: string): Promise<string | undefined> {
  return logs.exclusive(chatId, async () => {
    const records = await logs.read(chatId);
    const lastTold = records.findLastIndex((record) => record.kind === 'told');
    const since = records.slice(lastTold + 1);
    const files = since.flatMap((record) => filesIn(record));
    const states = since.flatMap((record) => statesIn(record));
    const isRedone = since.some((record) => record.kind === 'intent' && record.redoes !== undefined);
    if (files.length === 0 && states.length === 0 && !isRedone) return undefined;
    await logs.append(chatId, { kind: 'told', at: new Date().toISOString() });
    const sentences = ['The user undid changes of an earlier turn.'];
    if (files.length > 0) sentences.push(`These files were fully or partly restored; read them again before you rely on them: ${listed(files)}.`);
    if (states.length > 0) sentences.push(`Also restored: ${listed(states)}.`);
    if (isRedone) sentences.push('An undo was also reverted; check the current state before you rely on it.');
    return sentences.join(' ');
  });
}

function listed(all: readonly string[]): string {
  const names = [...new Set(all)];
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`;
}

function filesIn(record: LogRecord): readonly string[] {
  if (record.kind === 'undo') return record.restored.flatMap(({ path, shown }) => (isStateId(path) ? [] : [shown]));
  return record.kind === 'change' && record.takenBack !== undefined ? [record.takenBack] : [];
}

function statesIn(record: LogRecord): readonly string[] {
  return record.kind === 'undo' ? record.restored.flatMap(({ path, shown }) => (isStateId(path) ? [shown] : [])) : [];
}
