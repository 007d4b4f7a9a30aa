// Implements the tools of the team bus: publishing a message, and reading new messages.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { Publish } from './publish.ts';
import { readBus, type BusItem } from './read-bus.ts';

export type BusServices = Pick<Services, 'controlPlane' | 'chats' | 'storage' | 'product' | 'license'>;

interface PublishArgs {
  readonly key: string;
  readonly envelope: unknown;
  readonly workspace?: string;
}
interface PollArgs {
  readonly workspace?: string;
  readonly since?: number;
  readonly waitSeconds?: number;
}

/** Last read cursor, by workspace. */
type Cursors = Readonly<Record<string, number>>;

/** Maximum number of workspaces whose cursor is stored. */
const maxCursors = 500;

export function createBusTools(services: BusServices, publishTo: Publish): Readonly<Record<'team_bus_publish' | 'team_bus_poll', RunTool>> {
  const { controlPlane, chats, storage, product, license } = services;

  const workspaceOf = async (given: string | undefined, { chatId }: Pick<ToolContext, 'chatId'>): Promise<string> =>
    given ?? (await chats.get(chatId)).workspaceFingerprint;

  /** One file per account, because message numbers are specific to an account. */
  function cursorPath(): string {
    const owner = `${license.account()?.email ?? ''} ${license.state().org ?? ''}`;
    return join(product.home, 'team', `bus-${sha256(owner).slice(0, 16)}.json`);
  }

  async function saveCursor(workspace: string, cursor: number): Promise<void> {
    await storage.updateJson<Cursors>(
      cursorPath(),
      (current = {}) => {
        const others = Object.entries(current).filter(([name]) => name !== workspace);
        return Object.fromEntries([...others.slice(1 - maxCursors), [workspace, cursor]]);
      },
      { shape: isCursors },
    );
  }

  async function publish(args: PublishArgs, context: ToolContext): Promise<ToolOutcome> {
    const workspace = await workspaceOf(args.workspace, context);
    const cursor = await publishTo({ workspace, key: args.key, envelope: args.envelope, signal: context.signal });
    return { ok: true, output: `Published as message ${cursor} of ${workspace}.` };
  }

  async function poll({ since, waitSeconds = 0, ...args }: PollArgs, context: ToolContext): Promise<ToolOutcome> {
    const workspace = await workspaceOf(args.workspace, context);
    const saved = (await storage.readJson(cursorPath(), isCursors))?.[workspace];
    const from = since ?? saved ?? 0;
    const items = await readBus(controlPlane, { workspace, since: from, waitMs: waitSeconds * 1_000, signal: context.signal });
    const last = items.at(-1)?.cursor;
    if (last === undefined) return { ok: true, output: `Nothing new in ${workspace} after message ${from}.` };
    await saveCursor(workspace, last);
    return { ok: true, output: `${items.map(lineOf).join('\n')}\n(Up to message ${last} of ${workspace}.)`, isUntrusted: true };
  }

  return { team_bus_publish: publish, team_bus_poll: poll };
}

function lineOf(item: BusItem): string {
  if ('gap' in item) return `Messages ${item.gap.from} to ${item.gap.to} are no longer stored.`;
  return `${item.cursor} · ${item.at} · ${item.from} · ${item.key}: ${JSON.stringify(item.envelope)}`;
}

function isCursors(value: unknown): value is Cursors {
  return isRecord(value) && Object.values(value).every((cursor) => Number.isSafeInteger(cursor));
}
