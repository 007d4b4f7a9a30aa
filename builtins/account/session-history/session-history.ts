// Uploads chats to the account in resumable chunks, and runs the queries of the session history tools.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
import { sha256 } from '#lib/hash';
import { clip, countWithNoun } from '#lib/text';
import { isRecord } from '#lib/values';
import type { HistoryHit, HistoryPage } from 'agent-harness/builtins/control-plane/plane-history';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { chunksOf, lineOf } from './lines.ts';
import { createEventRedactor, type Removals } from 'agent-harness/transcript';

export interface HistoryParts {
  readonly services: Pick<Services, 'controlPlane' | 'hubSite' | 'license' | 'eventLog' | 'storage'>;
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface SessionHistory {
  /**
   * Uploads new events. Skips a chat that another account has already stored, unless `isAsked` is set. Rejects if the control plane is unreachable; the next
   * call resumes after the last stored event.
   */
  upload(chatId: string, options: { readonly isAsked: boolean; readonly signal: AbortSignal }): Promise<{ readonly stored: number; readonly total: number }>;
  /** Returns whether another account has already stored events of the chat. */
  isOfAnother(chatId: string): Promise<boolean>;
  readonly tools: Readonly<Record<string, RunTool>>;
  /** Resolves when no upload is running. */
  idle(): Promise<void>;
}

/** Upload progress of a chat. */
interface Progress {
  readonly account: string;
  /** Number of the next chunk. */
  readonly seq: number;
  /** Id of the newest stored event. */
  readonly lastId: number;
  /** Last event of a chunk that was sent but not acknowledged. */
  readonly pendingId?: number;
}

const route = '/api/pro/session_history';
/** Timeout of the upload of one chunk in milliseconds. */
const uploadMs = 60_000;

export function createSessionHistory({ services, folder, signal }: HistoryParts): SessionHistory {
  const { controlPlane, hubSite, license, eventLog, storage } = services;
  const queues = createSerialQueues<string>();
  const pathOf = (chatId: string): string => join(folder, `${chatId}.json`);

  async function accountNow(): Promise<string> {
    const { org = '' } = await license.ready();
    return sha256(JSON.stringify([hubSite.controlPlane(), org, license.account()?.email ?? '']));
  }

  async function eventsAfter(chatId: string, lastId: number): Promise<{ id: number; json: string }[]> {
    const frames = lastId === 0 ? undefined : await eventLog.replay(chatId, lastId);
    if (frames) return frames.map(({ id, json }) => ({ id, json }));
    const events: { id: number; json: string }[] = [];
    for await (const event of eventLog.read(chatId)) if (event.id > lastId) events.push({ id: event.id, json: JSON.stringify(event) });
    return events;
  }

  async function uploadNow(chatId: string, isAsked: boolean, stop: AbortSignal): Promise<{ stored: number; total: number }> {
    const account = await accountNow();
    const known = await storage.readJson(pathOf(chatId), isProgress);
    if (known && known.account !== account && !isAsked) return { stored: 0, total: 0 };
    let progress: Progress = known?.account === account ? known : { account, seq: 0, lastId: 0 };
    const sum = { stored: 0, total: 0 };
    await eventLog.flushed(chatId);
    const events = await eventsAfter(chatId, progress.lastId);
    let removals: Removals = await eventLog.removed(chatId);
    const redact = createEventRedactor(() => removals);
    // Resends the same lines if their acknowledgement was lost.
    for (const { lines, lastId } of chunksOf(events, progress.pendingId, redact)) {
      progress = { ...progress, pendingId: lastId };
      await storage.writeJson(pathOf(chatId), progress);
      const body = { sessionId: chatId, seq: progress.seq, lines, sha256: sha256(lines.join('\n')) };
      const reply = await controlPlane.request({ method: 'POST', path: route, body, signal: stop, timeoutMs: uploadMs });
      const { stored = 0, total = 0, error } = reply.body as { stored?: number; total?: number; error?: { code?: string; details?: { nextSeq?: number } } };
      if (error?.code === 'chunk_missing') {
        // The chat was removed from the control plane or a backup was restored: restarts with the first chunk, because stored chunks must not change.
        await storage.writeJson(pathOf(chatId), { account, seq: 0, lastId: 0 } satisfies Progress);
        if (progress.seq === 0) throw new Error('The control plane expects lines that were never sent.');
        return uploadNow(chatId, isAsked, stop);
      }
      // Another version of this chat was uploaded before: the stored version stays unchanged.
      progress = { account, seq: progress.seq + 1, lastId };
      await storage.writeJson(pathOf(chatId), progress);
      sum.stored += stored;
      sum.total = Math.max(sum.total, total);
      removals = await eventLog.removed(chatId);
    }
    return sum;
  }

  const upload: SessionHistory['upload'] = (chatId, { isAsked, signal: stop }) =>
    queues.run(chatId, () => uploadNow(chatId, isAsked, AbortSignal.any([signal, stop])));

  async function ask<T>(fields: Readonly<Record<string, string>>, stop: AbortSignal): Promise<T> {
    const { body } = await controlPlane.request({ method: 'GET', path: `${route}?${new URLSearchParams(fields).toString()}`, signal: stop });
    return body as T;
  }

  async function search({ query, cursor }: { query: string; cursor?: string }, { signal: stop }: ToolContext): Promise<ToolOutcome> {
    const page = await ask<{ hits: HistoryHit[]; cursor?: string }>({ q: query, ...(cursor === undefined ? {} : { cursor }) }, stop);
    if (page.hits.length === 0) return { ok: true, output: 'No line of a stored chat matches.' };
    const lines: string[] = [];
    for (const { sessionId, line, at, excerpt } of page.hits) {
      // A search excerpt does not identify its message, so excerpts of a chat with removed parts are hidden.
      const isWhole = (await eventLog.removed(sessionId)).size === 0;
      lines.push(`${sessionId} line ${line} (${at.slice(0, 10)}): ${isWhole ? clip(excerpt, 400) : 'parts of this chat were removed; fetch the line'}`);
    }
    // Chats contain tool results, which are untrusted.
    return { ok: true, output: [...lines, ...(page.cursor === undefined ? [] : [`More: cursor ${page.cursor}`])].join('\n'), isUntrusted: true };
  }

  async function fetchLines(
    { sessionId, line = 0, count = 40 }: { sessionId: string; line?: number; count?: number },
    { signal: stop }: ToolContext,
  ): Promise<ToolOutcome> {
    const { lines, total } = await ask<HistoryPage>({ sessionId, cursor: String(line) }, stop);
    const removals = await eventLog.removed(sessionId);
    const redact = createEventRedactor(() => removals);
    // The event may have been uploaded before it was removed locally, so it is redacted again.
    const shown = lines.slice(0, count).map((text, at) => `${line + at}: ${removals.size === 0 ? text : lineOf(text, redact)}`);
    const rest = line + shown.length < total ? `\nThe session has ${countWithNoun(total, 'line')}; continue with line ${line + shown.length}.` : '';
    return { ok: true, output: shown.length === 0 ? `The session has ${countWithNoun(total, 'line')}.` : shown.join('\n') + rest, isUntrusted: true };
  }

  return {
    idle: () => queues.idle(),
    upload,
    async isOfAnother(chatId) {
      const known = await storage.readJson(pathOf(chatId), isProgress);
      return known !== undefined && known.account !== (await accountNow());
    },
    tools: {
      async cloud_session_upload(_: unknown, { chatId, signal: stop }: ToolContext): Promise<ToolOutcome> {
        const { stored } = await upload(chatId, { isAsked: true, signal: stop });
        return {
          ok: true,
          output:
            stored === 0
              ? 'The account already contains the whole chat.'
              : `${countWithNoun(stored, 'line')} of this chat ${stored === 1 ? 'was' : 'were'} stored in the account.`,
        };
      },
      cloud_session_search: search,
      cloud_session_fetch: fetchLines,
    },
  };
}

function isProgress(value: unknown): value is Progress {
  return isRecord(value) && typeof value['account'] === 'string' && Number.isSafeInteger(value['seq']) && Number.isSafeInteger(value['lastId']);
}
