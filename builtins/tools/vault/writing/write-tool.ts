// Implements the tool `vault_write`.
import { failure } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { findDuplicate } from '../search/duplicates.ts';
import type { WriteArgs } from '../inputs.ts';
import { fileNameFor } from '../notes/note-name.ts';
import type { VaultAccess } from '../open-vault.ts';
import { findLinks, splitFrontMatter } from '../notes/parse-note.ts';
import { ownPrefix } from '../notes/place.ts';
import type { VaultPorts } from '../ports.ts';
import type { IndexView } from '../search/vault-index.ts';

export function createWriteTool(access: VaultAccess, ports: VaultPorts): (args: WriteArgs, context: ToolContext) => Promise<ToolOutcome> {
  return async (args, context) => {
    const { root, index, writer } = await access();
    const mode = args.mode ?? 'create';
    const path = args.path ?? `${ownPrefix}notes/${fileNameFor(args.title)}.md`;
    const view = await index.refresh();
    if (mode === 'create' && ports.settings.dedupe) {
      const same = await findDuplicate(root, view, args.title, splitFrontMatter(args.content).body);
      if (same) {
        ports.note('skip_duplicate', context, same.path);
        const alike = `${Math.round(same.likeness * 100)} % alike`;
        throw failure(`A similar note exists: ${same.path} (${alike}); nothing was written.`, `Read it and append what is new, or write only what differs.`);
      }
    }
    context.signal.throwIfAborted();
    const content = [args.content.trimEnd(), relatedLine(args.links ?? [])].filter((part) => part !== '').join('\n\n');
    const { chatId, turnId, callId } = context;
    const written = await writer.write({ path, mode, title: args.title, content, isForeign: ports.isTainted(turnId), call: { chatId, turnId, callId } });
    ports.kept({ id: written.path, text: content, chatId, turnId, callId });
    ports.countWrite(turnId);
    ports.note(written.done, context, written.path);
    const done = { create: 'Created', append: 'Added to', replace: 'Replaced' }[written.done];
    const copy = written.conflictCopy === undefined ? '' : ` The user had changed the note; that version is in ${written.conflictCopy}.`;
    return { ok: true, output: `${done} ${written.path}.${copy}${brokenNote(content, written.path, await index.refresh())}` };
  };
}

function relatedLine(links: readonly string[]): string {
  const names = [
    ...new Set(
      links.map((link) =>
        link
          .replace(/^\[\[|\]\]$/g, '')
          .replace(/\.md$/i, '')
          .trim(),
      ),
    ),
  ].filter((name) => name !== '');
  return names.length === 0 ? '' : `Related: ${names.map((name) => `[[${name.replace(/[[\]\r\n]/g, ' ')}]]`).join(', ')}`;
}

function brokenNote(content: string, path: string, view: IndexView): string {
  const broken = findLinks(content).filter((link) => view.names.resolveLink(link, path) === undefined && !view.names.isAttachment(link.target));
  if (broken.length === 0) return '';
  return ` Broken links: ${[...new Set(broken.map((link) => `[[${link.target}]]`))].slice(0, 20).join(', ')}.`;
}
