// Implements the tools `write_file` and `edit_file`: plan, checkpoint, replace. Changes of the same file run one after the other.
import { countWithNoun } from '#lib/text';
import { createSerialQueues } from '#lib/async';
import { explainFault } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { locateNew, planEdit, planWrite, type Change } from './change.ts';
import type { CopyAttachmentArgs, EditFileArgs, WriteFileArgs } from '../inputs.ts';
import type { FilePorts } from '../ports.ts';
import { findAttachment } from '../reading/read-attachment.ts';
import { saveInEditor } from './save-in-editor.ts';
import { shortDiff } from './short-diff.ts';

export interface WriteTools {
  write(args: WriteFileArgs, context: ToolContext): Promise<ToolOutcome>;
  edit(args: EditFileArgs, context: ToolContext): Promise<ToolOutcome>;
  copy(args: CopyAttachmentArgs, context: ToolContext): Promise<ToolOutcome>;
}

export function createWriteTools(ports: FilePorts): WriteTools {
  const { run: inTurn } = createSerialQueues<string>();

  /** Writes a change. Returns an additional note for the result, or an empty text. */
  async function save(change: Change, context: ToolContext): Promise<string> {
    const more = await put(change, context);
    // A holder may have changed the text while saving.
    if (more === '') ports.seenFiles.note(context.chatId, change.target.path, change.content);
    return more;
  }

  async function put(change: Change, context: ToolContext): Promise<string> {
    const { path, stats, shown } = change.target;
    context.signal.throwIfAborted();
    if (change.holder) return saveInEditor(change, change.holder, context, ports);
    const checkpoints = ports.checkpoints();
    try {
      await checkpoints?.before(context, path, change.content);
    } catch (fault) {
      throw explainFault(fault, shown);
    }
    try {
      await ports.exactFiles.replace(path, change.content, stats ? { like: stats } : {});
    } catch (fault) {
      await checkpoints?.cancel(context, path);
      throw explainFault(fault, shown);
    }
    return '';
  }

  /** Serialises the work on a file, because two calls of one round may concern the same file. */
  function queued<T>(path: string, context: ToolContext, work: () => Promise<T>): Promise<T> {
    const { path: real } = ports.decisions.recall(context, path);
    return inTurn(real, work);
  }

  return {
    write: (args, context) =>
      queued(args.path, context, async () => {
        const change = await planWrite(args, context, ports);
        const { shown } = change.target;
        if (change.previous?.equals(change.content) && !change.isUnsaved) return { ok: true, output: `${shown} has this content already.` };
        const more = await save(change, context);
        const lines = args.content === '' ? 0 : args.content.replace(/\n$/, '').split('\n').length;
        const done = change.previous ? (args.mode === 'append' ? 'Appended to' : 'Replaced') : 'Created';
        return { ok: true, output: `${done} ${shown}: ${countWithNoun(lines, 'line')}, ${Buffer.byteLength(args.content)} bytes.${more}` };
      }),

    copy: ({ id, path }, context) =>
      queued(path, context, async () => {
        const { name, content } = await findAttachment(id, context, ports);
        const target = locateNew(path, context, ports);
        await save({ target, content }, context);
        return { ok: true, output: `Copied ${name} to ${target.shown}: ${content.length} bytes.` };
      }),

    edit: (args, context) =>
      queued(args.path, context, async () => {
        const change = await planEdit(args, context, ports);
        const more = await save(change, context);
        return { ok: true, output: `${(await shortDiff(change)) ?? `Changed ${change.target.shown}.`}${more}` };
      }),
  };
}
