// Rebuilds derived data of chats from their journals.
import { countWithNoun } from '#lib/text';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '#lib/errors';
import { jsonOf } from '#lib/values';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import { readFacts, readLasting } from './chat-change.ts';
import type { Repair } from '../contract.ts';
import type { MetaCache } from './meta-cache.ts';
import { scanJournal, type ScannedJournal } from '../journal/scan-journal.ts';
import { fingerprint } from './workspace.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface RebuildOptions {
  readonly storage: Pick<Storage, 'isId' | 'list' | 'readText'>;
  readonly journals: JournalStore;
  readonly exactFiles: Pick<ExactFiles, 'readSmall'>;
  readonly metas: MetaCache;
  readonly chatsFolder: string;
  /** Absolute path of `event_id.json`. */
  readonly idsPath: string;
  readonly cleanTitle: (title: string) => string;
  readonly untitled: string;
  /** Makes ids continue after `used`. Returns whether the counter file had to be changed. */
  continueAfter(used: number): boolean;
}

/** Rebuilds the data of all chats, and returns the repairs. Contract: no chat is open for writing. */
export async function rebuildChats(options: RebuildOptions): Promise<Repair[]> {
  const { storage, chatsFolder, idsPath } = options;
  const repairs: Repair[] = [];
  const names = await storage.list(chatsFolder);
  let greatestId = 0;
  for (const chatId of names.filter((name) => storage.isId('chat', name))) {
    const path = join(chatsFolder, chatId, 'session.jsonl');
    try {
      const journal = await scanJournal(options.journals, path);
      // A folder without a journal is not a chat, but the workspace of a deleted chat that another chat still uses.
      if (!journal) continue;
      greatestId = Math.max(greatestId, journal.greatestId);
      repairs.push(...journalRepairs(path, journal), ...(await repairMeta(chatId, journal, options)));
    } catch (fault) {
      repairs.push({ path, text: `The chat could not be read or written: ${messageOf(fault)}` });
    }
  }
  if (options.continueAfter(greatestId)) repairs.push({ path: idsPath, text: `New event ids continue after ${greatestId}, the highest id in the journals.` });
  return repairs;
}

function journalRepairs(path: string, { end, broken }: ScannedJournal): Repair[] {
  return [
    ...(end.cut === 0 ? [] : [{ path, text: `The end of the journal could not be read; its ${end.cut} bytes were moved to ${end.aside}.` }]),
    ...(end.wasOpen ? [{ path, text: 'The missing line break after the last line was added.' }] : []),
    ...(broken === 0
      ? []
      : [
          {
            path,
            text: `${countWithNoun(broken, 'line')} cannot be read and ${broken === 1 ? 'is' : 'are'} skipped. To recover ${broken === 1 ? 'it' : 'them'}, restore the file from a backup.`,
          },
        ]),
  ];
}

async function repairMeta(chatId: string, journal: ScannedJournal, options: RebuildOptions): Promise<Repair[]> {
  const path = join(options.chatsFolder, chatId, 'meta.json');
  const known = await options.metas.get(chatId);
  if (known && known.turns >= journal.turns) return [];
  if (known) {
    await options.metas.save({ ...known, turns: journal.turns, updatedAt: latest(known.updatedAt, journal.lastAt) });
    return [{ path, text: `The number of turns was corrected from ${known.turns} to ${journal.turns}.` }];
  }
  const { mode, root, isKnown } = await findWorkspace(join(options.chatsFolder, chatId), journal, options.storage);
  const title = options.cleanTitle(journal.title ?? journal.firstLine ?? '');
  const createdAt = journal.firstAt ?? new Date().toISOString();
  await options.metas.save({
    chatId,
    title: title === '' ? options.untitled : title,
    isTitled: title !== '' && title !== options.untitled,
    workspaceMode: mode,
    workspaceRoot: root,
    workspaceFingerprint: fingerprint(root, options.exactFiles.readSmall),
    createdAt,
    updatedAt: journal.lastAt ?? createdAt,
    turns: journal.turns,
    ...readFacts(journal.facts),
    ...readLasting(journal.facts),
  });
  const where = isKnown ? `its workspace is ${root}` : `its workspace is unknown, so the chat got the empty folder ${root}`;
  return [{ path, text: `The file was rebuilt from the journal: ${countWithNoun(journal.turns, 'turn')}; ${where}.` }];
}

function latest(left: string, right: string | undefined): string {
  return right !== undefined && right > left ? right : left;
}

/**
 * Returns the workspace inside the chat's folder if it exists; otherwise the workspace named in the journal, or in a broken `meta.json` that was quarantined.
 * Never guesses, because commands would run there.
 */
async function findWorkspace(
  folder: string,
  { workspace }: ScannedJournal,
  storage: RebuildOptions['storage'],
): Promise<{ readonly mode: SavedMeta['workspaceMode']; readonly root: string; readonly isKnown: boolean }> {
  const own = join(folder, 'workspace');
  const found = await realpath(own).catch(() => undefined);
  if (found !== undefined) return { mode: 'scratch', root: found, isKnown: true };
  const knownRoots = [...(await rootsOfBroken(folder, storage)), ...(workspace ? [workspace.root] : [])];
  for (const root of knownRoots) {
    const isThere = (await realpath(root).catch(() => undefined)) === root;
    if (isThere) return { mode: root === workspace?.root && workspace.mode === 'reuse' ? 'reuse' : 'folder', root, isKnown: true };
  }
  await mkdir(own, { recursive: true, mode: 0o700 });
  return { mode: 'scratch', root: await realpath(own), isKnown: false };
}

/** Returns the workspaces named in quarantined metas, newest first. */
async function rootsOfBroken(folder: string, storage: RebuildOptions['storage']): Promise<string[]> {
  const names = (await storage.list(folder)).filter((name) => name.startsWith('meta.json.corrupt-')).sort();
  const roots: string[] = [];
  for (const name of names.reverse()) {
    const quoted = /"workspaceRoot":\s*("(?:[^"\\]|\\.)*")/.exec((await storage.readText(join(folder, name))) ?? '')?.[1];
    const root = quoted === undefined ? undefined : (jsonOf(quoted) as string | undefined);
    if (root !== undefined) roots.push(root);
  }
  return roots;
}
