// Renders the conversation of a chat.
import type { Entry, OpenChat, ChatState } from 'agent-harness/client';
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { ChatContext, useStore } from '../../kit/hooks.ts';
import { StoredStateContext } from '../../kit/stored-state.ts';
import { preloadMarkdown } from '../../kit/markdown/markdown.tsx';
import { createRows, type Row } from './rows.ts';
import { RunningTurnContext } from './running-turn.ts';
import { TranscriptRow } from './transcript-row.tsx';
import type { ScrollWriter } from '../scroll/scroll-writer.ts';
import { useScroll } from '../scroll/use-scroll.ts';
import { useOlder } from '../scroll/use-older.ts';
import { useTarget } from './use-target.ts';
import { WorkingLine } from './working-line.tsx';
import { t } from '../../kit/t.ts';
import './transcript.css';
import { type Announcement, announce } from './announcements.ts';

export function Transcript({ chat }: { readonly chat: OpenChat }) {
  return <Conversation key={chat.chatId} chat={chat} />;
}

type Item = Row | { readonly key: string; readonly kind: 'working' };
const working: Item = { key: 'working', kind: 'working' };

function Conversation({ chat }: { readonly chat: OpenChat }) {
  const state = useStore(chat.state);
  const { entries, approvals, questions, running, isLoaded, before } = state;
  const [rowsOf] = useState(createRows);
  const [kept] = useState(() => new Map<string, unknown>());
  const { rows, isPrepended } = useMemo(() => rowsOf(entries), [rowsOf, entries]);
  // Pending decisions are announced by their own cards.
  const isTelling = running !== undefined && approvals.length + questions.length === 0 && !isSpeaking(entries);
  const items: readonly Item[] = useMemo(() => (isTelling ? [...rows, working] : rows), [rows, isTelling]);

  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const scroll = useScroll(scroller, list, items);
  const isAway = useStore(scroll);
  const newCount = useNewCount(entries, isAway);
  useSent(entries, scroll);
  const older = useOlder(chat, list, before !== undefined);
  const targetKey = useTarget({ chat, rows, hasOlder: before !== undefined, scroll });
  const pressed = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('button[aria-expanded], .more-button')) scroll.pressed();
  };
  const jump = (): void => {
    scroll.toEnd();
    scroller.current?.focus({ preventScroll: true });
  };
  const { fill } = older;
  useEffect(fill, [fill, items.length]);
  // Loads the parser after the first rendering, which should be small.
  useEffect(() => {
    if (isLoaded) preloadMarkdown();
  }, [isLoaded]);

  return (
    <section className="transcript">
      <h2 className="visually-hidden">{t('Messages')}</h2>
      <StoredStateContext value={kept}>
        <ChatContext value={chat}>
          <RunningTurnContext value={running?.turnId}>
            <div
              className="transcript-scroll"
              ref={scroller}
              role="log"
              aria-label={t('Conversation')}
              aria-live="off"
              aria-busy={!isLoaded}
              tabIndex={0}
              onClickCapture={pressed}
            >
              {items.length === 0 ? (
                <EmptyTranscript isLoaded={isLoaded} />
              ) : (
                <Virtualizer
                  ref={list}
                  scrollRef={scroller}
                  data={items}
                  shift={isPrepended}
                  bufferSize={600}
                  onScroll={(offset) => {
                    scroll.scrolled(offset);
                    older.check();
                  }}
                  onResize={scroll.laidOut}
                >
                  {(item, index) => (
                    <div key={item.key} className={rowClass(items, index)} aria-current={item.key === targetKey ? 'location' : undefined}>
                      {item.kind === 'working' ? running && <WorkingLine running={running} /> : <TranscriptRow row={item} />}
                    </div>
                  )}
                </Virtualizer>
              )}
            </div>
          </RunningTurnContext>
        </ChatContext>
      </StoredStateContext>
      {older.isReading && (
        <p className="transcript-older">
          <span className="spinner" aria-hidden /> {t('Reading older messages…')}
        </p>
      )}
      {isAway && (
        <button type="button" className="button transcript-jump" onClick={jump}>
          <ArrowDown size={16} aria-hidden />
          <span>{t('Jump to newest')}</span>
          {newCount > 0 && <span className="transcript-jump-count">{t('{newCount} new', { newCount })}</span>}
        </button>
      )}
      <Announcer state={state} />
    </section>
  );
}

/** Scrolls to the end when the user sends a message. */
function useSent(entries: readonly Entry[], scroll: ScrollWriter): void {
  const last = entries.at(-1);
  const sentId = last?.kind === 'user' && last.state === 'sending' ? last.id : undefined;
  useLayoutEffect(() => {
    if (sentId !== undefined) scroll.toEnd();
  }, [scroll, sentId]);
}

/** Counts the entries that were added since the reader left the end. */
function useNewCount(entries: readonly Entry[], isAway: boolean): number {
  const [leftAt, setLeftAt] = useState<string>();
  if (isAway !== (leftAt !== undefined)) setLeftAt(isAway ? (entries.at(-1)?.id ?? '') : undefined);
  const at = leftAt === undefined ? -1 : entries.findLastIndex((entry) => entry.id === leftAt);
  return at === -1 ? 0 : entries.length - 1 - at;
}

/** Returns whether text is being streamed, which already shows that the agent is active. */
function isSpeaking(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return last?.kind === 'assistant' && last.isStreaming && last.text !== '';
}

function rowClass(items: readonly Item[], index: number): string {
  const item = items[index];
  const names = ['transcript-row'];
  if (index === 0) names.push('transcript-row-first');
  if (index === items.length - 1) names.push('transcript-row-last');
  if (item?.kind === 'tools' && items[index - 1]?.kind === 'tools') names.push('transcript-row-tight');
  if (item?.kind === 'entry' && item.entry.kind === 'user') names.push('transcript-row-user');
  return names.join(' ');
}

/** Announces to screen readers that a reply is complete or that a decision is needed. */
function Announcer({ state }: { readonly state: ChatState }) {
  const [announced, setAnnounced] = useState<Announcement>(() => announce(undefined, state));
  const next = announce(announced, state);
  if (next !== announced) setAnnounced(next);
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {next.words}
    </p>
  );
}

function EmptyTranscript({ isLoaded }: { readonly isLoaded: boolean }) {
  if (!isLoaded) return <p className="empty-transcript muted">{t('Reading the conversation…')}</p>;
  return (
    <div className="empty-transcript">
      <p className="empty-transcript-title">{t('What do you want to do?')}</p>
      <p className="muted">{t('Ask for a change, a search or an explanation. Drop files here, or type / for commands.')}</p>
    </div>
  );
}
