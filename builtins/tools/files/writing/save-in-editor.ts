// Requests that the holder of an open file write a change, and reports the resulting content on disk.
import type { TextHolder } from 'agent-harness/builtins/tools/files';
import { explainFault, failure, messageOf } from '#lib/errors';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { readDisk } from '../editor-texts.ts';
import type { FilePorts } from '../ports.ts';
import type { Change } from './change.ts';

/** Returns an additional note that starts with a line break, or an empty text. Rejects if the change was not written. */
export async function saveInEditor(change: Change, holder: TextHolder, context: ToolContext, ports: FilePorts): Promise<string> {
  const { target, content, previous, isUnsaved } = change;
  const { path, shown } = target;
  const checkpoints = ports.checkpoints();
  const before = readDisk(path, ports.exactFiles);
  try {
    await checkpoints?.before(context, path, content, isUnsaved ? previous : undefined);
  } catch (fault) {
    throw explainFault(fault, shown);
  }
  let refusal: unknown;
  try {
    await holder.write(path, content.toString('utf8'), context.signal);
  } catch (fault) {
    refusal = fault;
  }
  const after = readDisk(path, ports.exactFiles);
  // The holder may have written the change before it disconnected.
  if (after?.equals(content)) return '';
  if (refusal !== undefined) {
    await checkpoints?.cancel(context, path);
    context.signal.throwIfAborted();
    const isAsBefore = after === undefined ? before === undefined : before?.equals(after) === true;
    throw failure(
      `${holder.name} has ${shown} open and did not write it: ${messageOf(refusal)} ${isAsBefore ? 'The file on disk is unchanged.' : 'The file on disk has changed.'}`,
      'Read the file before you change it again.',
    );
  }
  if (after === undefined || before?.equals(after)) return `\n[${holder.name} accepted it but did not save it: it is not on disk yet]`;
  // The editor formatted the text while saving; an undo compares with that result.
  await checkpoints?.cancel(context, path);
  await checkpoints?.before(context, path, after, (isUnsaved ? previous : before) ?? null);
  return `\n[${holder.name} changed it while saving; read it before you change it again]`;
}
