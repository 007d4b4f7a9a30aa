// Renders the page that lists other agents' sessions, each of which can be imported as a chat.
import { useState } from 'react';
import type { ReplyOf } from 'agent-harness/client';
import { hashOf, useClient } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { quoted, shortPath } from '#page/kit/short-texts.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import { formatTime } from '#page/kit/page/format.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t, tn, tx } from '#page/kit/t.ts';
import '#page/kit/page/form.css';
import './agents-page.css';

const agents = { 'claude-code': 'Claude Code', codex: 'Codex', opencode: 'opencode' } as const;
type Agent = keyof typeof agents;
type Listing = ReplyOf<'GET /api/import/:agent'>;
type Session = Listing['sessions'][number];

export function AgentsPage() {
  const client = useClient();
  const [agent, setAgent] = useState<Agent>('claude-code');
  const loaded = useLoaded(agent, (signal) => client.call('GET /api/import/:agent', { params: { agent }, signal }));
  return (
    <PageFrame
      title={t('Import from another agent')}
      intro={t('Sessions of other agents on this machine become chats. Nothing in them is executed.')}
      isBusy={loaded.isLoading}
    >
      <Choices legend={t('Agent')} value={agent} options={agents} onChange={setAgent} />
      <WhenLoaded loaded={loaded} what={t('sessions')}>
        {(listing) => <Sessions key={`${agent} ${listing.title}`} agent={agent} listing={listing} onDone={loaded.reload} />}
      </WhenLoaded>
    </PageFrame>
  );
}

function Sessions({ agent, listing, onDone }: { readonly agent: Agent; readonly listing: Listing; readonly onDone: () => void }) {
  const client = useClient();
  const { tell } = useShell();
  const [isInFolder, setInFolder] = useState(false);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [progress, setProgress] = useState<string>();
  const fresh = listing.sessions.filter(({ chatId }) => chatId === undefined);

  function toggle(id: string): void {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  }

  /** Imports sessions one after the other: imported sessions stay if a later one fails. */
  async function take(): Promise<void> {
    const faults: string[] = [];
    let broken = 0;
    let done = 0;
    for (const { id, title, folder } of fresh.filter((one) => chosen.has(one.id))) {
      setProgress(t('{count} of {total}…', { count: ++done, total: chosen.size }));
      const body = isInFolder && folder !== undefined ? { workspaceRoot: folder } : {};
      try {
        broken += (await client.call('POST /api/import/:agent/sessions/:id', { params: { agent, id }, body })).brokenLines;
      } catch (error) {
        faults.push(`${quoted(title)}: ${explainError(error)}`);
      }
    }
    await client.refreshChats();
    setProgress(undefined);
    choose(new Set());
    onDone();
    const skipped = broken === 0 ? '' : ` ${t('{lines} could not be read.', { lines: tn(broken, '{count} line', '{count} lines') })}`;
    if (faults.length > 0) tell(faults.slice(0, 3).join(' '), 'bad');
    else tell(t('{sessions} imported.{skipped}', { sessions: tn(done, '{count} session', '{count} sessions'), skipped }));
  }

  return (
    <>
      {listing.notes.map((note) => (
        <p key={note} className="muted small">
          {note}
        </p>
      ))}
      {listing.sessions.length === 0 ? (
        <p className="page-empty">
          <strong>{t('No sessions of {title} were found.', { title: listing.title })}</strong>
        </p>
      ) : (
        <>
          <div className="agents-page-bar">
            <button
              type="button"
              className="button"
              disabled={fresh.length === 0}
              onClick={() => choose(new Set(chosen.size === fresh.length ? [] : fresh.map(({ id }) => id)))}
            >
              {chosen.size > 0 && chosen.size === fresh.length ? t('Select none') : t('Select all {count}', { count: fresh.length })}
            </button>
            <button type="button" className="button primary" disabled={chosen.size === 0 || progress !== undefined} onClick={() => void take()}>
              {progress ?? t('Import {sessions}', { sessions: tn(chosen.size, '{count} session', '{count} sessions') })}
            </button>
          </div>
          <label className="agents-page-row">
            <input type="checkbox" checked={isInFolder} onChange={() => setInFolder(!isInFolder)} />
            <span>
              {t('Work in the folders shown below')}
              <span className="muted small">{t('Otherwise each chat gets an empty folder.')}</span>
            </span>
          </label>
          <ul className="page-card agents-page-list" aria-label={t('Sessions of {title}', { title: listing.title })}>
            {listing.sessions.map((session) => (
              <li key={session.id}>
                <Row session={session} isChosen={chosen.has(session.id)} onToggle={() => toggle(session.id)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {listing.servers.length + listing.rules.length > 0 && (
        <p className="muted small">
          {tx('{servers} and {files} of rules were found, too: {command} lists them.', {
            servers: tn(listing.servers.length, '{count} MCP server', '{count} MCP servers'),
            files: tn(listing.rules.length, '{count} file', '{count} files'),
            command: <code>app import {agent}</code>,
          })}
        </p>
      )}
    </>
  );
}

function Row({ session, isChosen, onToggle }: { readonly session: Session; readonly isChosen: boolean; readonly onToggle: () => void }) {
  const { title, folder = '', updatedAt, chatId, isInTrash } = session;
  const facts = [formatTime(updatedAt), ...(folder === '' ? [] : [shortPath(folder)])].join(' · ');
  if (chatId !== undefined)
    return (
      <p className="agents-page-row">
        <span>
          {isInTrash === true ? title : <a href={hashOf({ page: 'chat', id: chatId })}>{title}</a>}
          <span className="muted small">
            {facts} · {isInTrash === true ? t('imported, in the trash') : t('imported')}
          </span>
        </span>
      </p>
    );
  return (
    <label className="agents-page-row">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span>
        {title}
        <span className="muted small">{facts}</span>
      </span>
    </label>
  );
}
