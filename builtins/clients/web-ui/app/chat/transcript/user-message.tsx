// Renders a user message, with its attachments and its delivery state.
import { authorText, type ShownFile, type UserEntry } from 'agent-harness/client';
import { Clock, CornerDownRight, File, Image, RotateCcw, Trash2, TriangleAlert } from 'lucide-react';
import { memo, Suspense, use } from 'react';
import { lazyPart } from '../../kit/lazy-part.ts';
import { ChatContext, useClient, useStore } from '../../kit/hooks.ts';
import { sizeText } from '../../kit/cut-text.ts';
import { useCut } from '../../kit/cut.tsx';
import { EntryMarks } from '../../points/entry-marks.tsx';
import { AuthorLine } from './announcement.tsx';
import { isShown, Picture } from './picture.tsx';
import { t } from '../../kit/t.ts';
import './message.css';

const UserActions = lazyPart(async () => (await import('./again/user-actions.tsx')).UserActions);
const limits = { lines: 30, chars: 4_000 };

export const UserMessage = memo(function UserMessage({ entry }: { readonly entry: UserEntry }) {
  const { id, text: whole, attachments, state, origin, saidBy } = entry;
  const author = authorText(entry);
  const { text, more } = useCut(id, whole, limits);
  return (
    <article
      className="user-message"
      data-entry-id={id}
      data-kind="user"
      data-state={state}
      data-origin={origin?.plugin}
      aria-label={origin ? t('Request from {plugin}', { plugin: origin.plugin }) : t('Message from {author}', { author: saidBy ?? t('You') })}
    >
      {author !== undefined && <AuthorLine text={author} by={origin ? 'plugin' : entry.liveDictation === true ? 'voice' : 'person'} />}
      {attachments.length > 0 && (
        <ul className="chips" aria-label={t('Attachments')}>
          {attachments.map((file, index) => (
            <li key={index} className={isShown(file) ? 'chip-picture' : 'chip'}>
              {isShown(file) ? <Picture file={file} /> : <FileChip file={file} />}
            </li>
          ))}
        </ul>
      )}
      {whole !== '' && (
        <div className="user-message-text">
          <p dir="auto">{text}</p>
          {more}
        </div>
      )}
      <EntryMarks id={id} />
      <UserState entry={entry} />
      {(entry.state === 'accepted' || entry.state === 'queued') && (
        <Suspense fallback={<div className="user-actions-wait" />}>
          <UserActions entry={entry} />
        </Suspense>
      )}
    </article>
  );
});

function FileChip({ file }: { readonly file: ShownFile }) {
  return (
    <>
      {file.mimeType.startsWith('image/') ? <Image size={14} aria-hidden /> : <File size={14} aria-hidden />}
      <span className="chip-name">{file.name}</span>
      {file.bytes !== undefined && <span className="muted">{sizeText(file.bytes)}</span>}
    </>
  );
}

function UserState({ entry }: { readonly entry: UserEntry }) {
  const { rest } = useStore(useClient().connection);
  if (entry.state === 'failed') return <Failed entry={entry} />;
  const words = {
    sending: rest === 'down' ? t('Sent as soon as the server responds') : t('Sending…'),
    queued: t('Queued: sent when the running turn ends'),
    accepted: entry.isSteer === true ? t('Sent while the agent was working') : '',
  }[entry.state];
  if (words === '') return null;
  return (
    <p className="user-message-state">
      {entry.state === 'accepted' ? <CornerDownRight size={14} aria-hidden /> : <Clock size={14} aria-hidden />}
      <span>{words}</span>
    </p>
  );
}

function Failed({ entry: { clientId, problem } }: { readonly entry: UserEntry }) {
  const chat = use(ChatContext);
  return (
    <div className="user-message-failed">
      <p className="user-message-state">
        <TriangleAlert size={14} aria-hidden />
        <span>{problem === undefined ? t('Not sent.') : t('Not sent: {problem}', { problem })}</span>
      </p>
      {chat && clientId !== undefined && (
        <p className="user-message-actions">
          <button type="button" className="quiet-button" onClick={() => chat.resend(clientId)}>
            <RotateCcw size={14} aria-hidden />
            <span>{t('Resend')}</span>
          </button>
          <button type="button" className="quiet-button" onClick={() => chat.drop(clientId)}>
            <Trash2 size={14} aria-hidden />
            <span>{t('Discard')}</span>
          </button>
        </p>
      )}
    </div>
  );
}
