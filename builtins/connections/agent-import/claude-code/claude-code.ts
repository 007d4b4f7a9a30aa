// Reads the data of Claude Code: `projects/<folder>/<session>.jsonl`, `CLAUDE.md`, and the servers in `.claude.json`.
import { isAbsolute, join } from 'node:path';
import { textStart } from '#lib/text';
import { recordIn } from '#lib/values';
import type { ImportedPart } from 'agent-harness/plugins/chats';
import { linesOf, listFolder, readHead, readText, type FoundFile } from '../bounded-files.ts';
import type { ForeignAgent, ForeignPlaces, ForeignRules, ForeignServer, ForeignSession, ReadFaults } from '../foreign.ts';
import { namedServers } from '../mcp-servers.ts';
import { recordOf, textIn, titleOf, type Fields } from '../texts.ts';
import { chooseLines } from './choose-lines.ts';
import { partsOfLine, saidBy } from './parts-of-line.ts';

const headBytes = 256 * 1024;
const largestConfig = 64 * 1024 * 1024;
const sessionName = /^([0-9a-f-]{36})\.jsonl$/;

export function createClaudeCode({ home, environment }: ForeignPlaces): ForeignAgent {
  const root = environment['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');

  async function files(): Promise<(FoundFile & { readonly id: string })[]> {
    const { folders } = await listFolder(join(root, 'projects'));
    const found = await Promise.all(folders.map(({ path }) => listFolder(path)));
    return found.flatMap((one) => one.files).flatMap((file) => (sessionName.test(file.name) ? [{ ...file, id: textStart(file.name, 36) }] : []));
  }

  /** Describes a session; `undefined` for a session without messages, which is created when the program starts. */
  async function describe({ path, id }: FoundFile & { readonly id: string }): Promise<ForeignSession | undefined> {
    const head = await readHead(path, headBytes);
    if (!head) return undefined;
    const lines = head.lines.map(recordIn);
    const folder = lines.map((line) => textIn(line, 'cwd')).find((cwd) => cwd !== undefined && isAbsolute(cwd));
    const said = lines.map(saidBy).find((text) => text !== undefined);
    const named = lines.map(nameIn).find((title) => title !== undefined);
    // The first message may follow a long preamble.
    if (said === undefined && head.bytes < headBytes) return undefined;
    return {
      ...{ id, title: titleOf(named ?? said ?? '') || id, updatedAt: head.changedAt.toISOString(), bytes: head.bytes },
      ...(folder === undefined ? {} : { folder }),
    };
  }

  async function servers(): Promise<ForeignServer[]> {
    const file = environment['CLAUDE_CONFIG_DIR'] === undefined ? join(home, '.claude.json') : join(root, '.claude.json');
    const config = recordIn((await readText(file, largestConfig)) ?? '');
    const ofProjects = Object.entries(recordOf(config['projects'])).flatMap(([folder, project]) =>
      namedServers(recordOf(recordOf(project)['mcpServers']), file, isAbsolute(folder) ? folder : undefined),
    );
    return [...namedServers(recordOf(config['mcpServers']), file), ...ofProjects];
  }

  return {
    name: 'claude-code',
    title: 'Claude Code',
    async list() {
      const described = await Promise.all((await files()).map(describe));
      return { sessions: described.filter((one) => one !== undefined), notes: [] };
    },
    async read(id) {
      const file = (await files()).find((one) => one.id === id);
      const session = file && (await describe(file));
      if (!session) return undefined;
      const faults: ReadFaults = { broken: 0, isCut: false };
      return { ...session, parts: readParts(file.path, faults), faults };
    },
    servers,
    async rules(folders) {
      const global = await ruleFile(join(root, 'CLAUDE.md'), 'global');
      const ofFolders = await Promise.all(folders.map((folder) => ruleFile(join(folder, 'CLAUDE.md'), 'workspace')));
      return [global, ...ofFolders].filter((one) => one !== undefined);
    },
  };
}

async function ruleFile(path: string, scope: ForeignRules['scope']): Promise<ForeignRules | undefined> {
  const text = (await readText(path))?.trim();
  return text === undefined || text === '' ? undefined : { path, scope, text };
}

function nameIn(line: Fields): string | undefined {
  if (line['type'] === 'custom-title') return textIn(line, 'customTitle');
  if (line['type'] === 'ai-title') return textIn(line, 'aiTitle');
  return line['type'] === 'summary' ? textIn(line, 'summary') : undefined;
}

async function* readParts(path: string, faults: ReadFaults): AsyncGenerator<ImportedPart, void, undefined> {
  // Broken lines are counted only in the second pass.
  const isChosen = await chooseLines(linesOf(path, { broken: 0, isCut: false }));
  let index = -1;
  for await (const text of linesOf(path, faults)) {
    const line = recordIn(text);
    index++;
    if (typeof line['type'] !== 'string') faults.broken++;
    else if (isChosen(line, index)) yield* partsOfLine(line);
  }
}
