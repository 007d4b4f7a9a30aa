// Renders the memory page: active, pending and deleted notes.
import { Plus, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient, useRoute } from '#page/kit/hooks.ts';
import { useClock } from '#page/kit/use-clock.ts';
import { shortPath } from '#page/kit/short-texts.ts';
import { Slot } from '#page/points/slot.tsx';
import { AddNote } from './add-note.tsx';
import { readNotes, type NotePage, type NoteScope } from './memory-calls.ts';
import { emptyWords, keyOf, memoryTabs, notesTab, scopeTitles, type MemoryTab } from './memory-model.ts';
import './memory.css';
import { NoteEntry } from './note-entry.tsx';
import { ExcludedSubjects } from './excluded-subjects.tsx';
import { useNoteActions, type NoteActions, type NoteOutcome } from './use-note-actions.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { useSettled } from '#page/kit/page/use-settled.ts';
import { Problem, WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t, tn, tx } from '#page/kit/t.ts';

const step = 50;
const settleMs = 250;
const minuteMs = 60_000;

export function MemoryPage() {
  const client = useClient();
  const { id } = useRoute();
  const tab = memoryTabs.find((one) => one.id === id) ?? notesTab;
  const { chatId, meta } = usePageChat();
  const [query, setQuery] = useState('');
  const [scope, setScope] = useState<NoteScope | ''>('');
  const [count, setCount] = useState(step);
  const [isAdding, setAdding] = useState(false);
  const q = useSettled(query.trim(), settleMs);
  const place = chatId === undefined ? {} : { chatId };

  const loaded = useLoaded(JSON.stringify([chatId, tab.show, q, scope, count]), (signal) =>
    readNotes(client, { ...place, show: tab.show, ...(q === '' ? {} : { q }), ...(scope === '' ? {} : { scope }) }, count, signal),
  );
  const waiting = useLoaded(`waiting ${chatId}`, (signal) => client.call('GET /api/memory', { query: { ...place, show: 'pending', limit: 1 }, signal }));
  const own = useNoteActions(chatId, () => {
    loaded.reload();
    waiting.reload();
  });
  const [ask, dialog] = useConfirm();
  const actions: NoteActions = {
    ...own,
    forgetChat: (from) =>
      ask({
        title: t('Delete all data derived from this chat?'),
        text: t(
          'Notes from this chat are deleted permanently, with pending ones and quotes in reports, and its messages so far are not noted again. The chat itself stays.',
        ),
        action: t('Forget'),
        go: () => own.forgetChat(from),
      }),
  };
  useEvents((event) => event.kind === 'memory_changed', settleMs, actions.reload);

  function search(text: string): void {
    setQuery(text);
    setCount(step);
  }

  return (
    <PageFrame
      title={t('Memory')}
      intro={
        meta === undefined ? (
          t('Notes that the agent remembers beyond one chat.')
        ) : (
          <>
            {tx('Notes that the agent remembers beyond one chat: for the chat “{title}”, for its folder {workspaceRoot}, and for all chats.', {
              title: meta.title,
              workspaceRoot: <bdi title={meta.workspaceRoot}>{shortPath(meta.workspaceRoot)}</bdi>,
            })}
          </>
        )
      }
      isBusy={loaded.isLoading}
      actions={
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden="true" /> {t('Add a note')}
        </button>
      }
    >
      <MemoryTabs current={tab} waiting={waiting.value?.total ?? 0} />
      <div className="page-filters" role="group" aria-label={t('Filter')}>
        <SearchField label={t('Search notes')} placeholder={t('Search notes')} value={query} onChange={search} />
        <Select
          label={t('Scope')}
          value={scope}
          options={{ '': t('All scopes'), ...scopeTitles }}
          onChange={(chosen) => {
            setScope(chosen);
            setCount(step);
          }}
        />
      </div>
      <Outcome outcome={actions.outcome} />
      {actions.problem !== undefined && <Problem title={t('Nothing was changed.')} text={actions.problem} />}
      <WhenLoaded loaded={loaded} what={t('notes')}>
        {(page) => (
          <NoteEntries
            chatId={chatId}
            page={page}
            tab={tab}
            isNarrowed={q !== '' || scope !== ''}
            actions={actions}
            onSearch={search}
            onMore={() => setCount(count + step)}
          />
        )}
      </WhenLoaded>
      {tab.show === 'pending' && <ExcludedSubjects />}
      {tab === notesTab && <Slot name="knowledge" />}
      {dialog}
      {isAdding && <AddNote chatId={chatId} onAdded={actions.reload} onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}

function MemoryTabs({ current, waiting }: { readonly current: MemoryTab; readonly waiting: number }) {
  return (
    <nav aria-label={t('Kinds of notes')}>
      <ul className="memory-tabs">
        {memoryTabs.map(({ id, title, show }) => (
          <li key={id}>
            <a href={`#/memory/${id}`} aria-current={id === current.id ? 'page' : undefined}>
              {title}
              {show === 'pending' && waiting > 0 && (
                <span className="badge warn">
                  {waiting}
                  <span className="visually-hidden"> {t('waiting')}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Renders the result of an action. The pressed button disappears together with its note, so the focus moves here. */
function Outcome({ outcome }: { readonly outcome: NoteOutcome | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (outcome && document.activeElement === document.body) line.current?.focus();
  }, [outcome]);
  return (
    <div role="status">
      {outcome && (
        <div className="page-notice">
          <p ref={line} tabIndex={-1}>
            {outcome.text}
          </p>
          {outcome.undo && (
            <button type="button" className="button" onClick={outcome.undo}>
              <Undo2 size={16} aria-hidden="true" /> {t('Undo')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface NoteEntriesProps {
  readonly chatId: string | undefined;
  readonly page: NotePage;
  readonly tab: MemoryTab;
  readonly isNarrowed: boolean;
  readonly actions: NoteActions;
  readonly onSearch: (text: string) => void;
  readonly onMore: () => void;
}

function NoteEntries({ chatId, page: { notes, total }, tab, isNarrowed, actions, onSearch, onMore }: NoteEntriesProps) {
  const now = useClock(minuteMs);
  if (notes.length === 0) {
    const { title, text } = emptyWords(tab.show, isNarrowed);
    return (
      <p className="page-empty" role="status">
        <strong>{title}</strong> {text}
      </p>
    );
  }
  return (
    <>
      <p className="muted small memory-count" role="status">
        {notes.length < total
          ? t('{count} of {notes}', { count: notes.length, notes: tn(total, '{count} note', '{count} notes') })
          : tn(total, '{count} note', '{count} notes')}
      </p>
      <ul className="page-card note-list">
        {notes.map((note) => (
          <NoteEntry key={keyOf(note)} chatId={chatId} note={note} now={now} actions={actions} onSearch={onSearch} />
        ))}
      </ul>
      {notes.length < total && (
        <button type="button" className="button memory-more" onClick={onMore}>
          {t('Show more')}
        </button>
      )}
    </>
  );
}
