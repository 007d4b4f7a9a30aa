// Renders the composer below the conversation: text field, attachments, commands, send buttons.
import type { ChatState, OpenChat } from 'agent-harness/client';
import { Suspense, useLayoutEffect, useRef, useState, type ClipboardEvent, type FormEvent, useEffect } from 'react';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useClient, useStore } from '../../kit/hooks.ts';
import { returnToMessage } from '../../kit/message-focus.ts';
import { FieldTools } from '../../points/field-tools.tsx';
import { Slot } from '../../points/slot.tsx';
import { usePermission } from '../../points/use-permission.ts';
import { AttachmentList } from './attachment-list.tsx';
import { CommandList } from './command-list.tsx';
import { FolderButton } from './folder-button.tsx';
import { ModelButton } from './model-button.tsx';
import { ModeButton } from './mode-button.tsx';
import { MessageField } from './message-field.tsx';
import { MoreMenu } from './more-menu.tsx';
import { SendButtons } from './send-buttons.tsx';
import type { SlashCommand } from './slash-commands.ts';
import { useAttachments, type Attachments } from './use-attachments.ts';
import { useAutoGrow } from '../../kit/use-auto-grow.ts';
import { useDraft } from '../../kit/use-draft.ts';
import { useFileDrop } from './use-file-drop.ts';
import { oneRow, useMedia } from '../../kit/use-media.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { useSending } from './use-sending.ts';
import { useSlashCommands } from './use-slash-commands.ts';
import { pastedFile } from './pasted-file.ts';
import { useMentions, type OfferedMention } from './use-mentions.ts';
import { t } from '../../kit/t.ts';
import './composer.css';

const PlaceForm = lazyPart(async () => (await import('./argument-form.tsx')).ArgumentForm);
const MentionList = lazyPart(async () => (await import('./mention-list.tsx')).MentionList);

interface Props {
  readonly chat: OpenChat;
  /** In a first run, the steps above the field show the folder. */
  readonly isFirstRun: boolean;
}

export function Composer({ chat, isFirstRun }: Props) {
  // Outside the keyed form: attached files stay with their chat while another chat is open.
  const attachments = useAttachments(chat.chatId);
  return <ComposerForm key={chat.chatId} chat={chat} isFirstRun={isFirstRun} attachments={attachments} />;
}

const isTurnRunning = (state: ChatState): boolean => state.running !== undefined;

function ComposerForm({ chat, isFirstRun, attachments }: Props & { readonly attachments: Attachments }) {
  const client = useClient();
  const mayManage = usePermission('chats.manage');
  const isOneRow = useMedia(oneRow);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useDraft(chat.chatId);
  useTakenBack(chat, text, setText);
  const field = useAutoGrow(text);
  // Opening a chat focuses the message field.
  useEffect(returnToMessage, []);
  const isRunning = useSelected(chat.state, isTurnRunning);
  const sending = useSending({ chat, text, setText, attachments });
  const commands = useSlashCommands(client, chat.chatId, text);
  const [caret, setCaret] = useState<number>();
  const mentions = useMentions(chat, text, caret);
  // Position of the caret after the text has been replaced.
  const [nextCaret, setNextCaret] = useState<number>();
  useLayoutEffect(() => {
    if (nextCaret !== undefined) field.current?.setSelectionRange(nextCaret, nextCaret);
  }, [field, nextCaret, text]);
  /** Command whose arguments are being filled in. Typing anything else cancels this. */
  const [filled, fill] = useState<SlashCommand>();
  const filling = filled && text === `/${filled.name} ` ? filled : undefined;
  const isDropping = useFileDrop(addFiles);
  const canSend = (text.trim() !== '' || attachments.items.length > 0) && !sending.isBusy;

  function addFiles(files: readonly File[]): void {
    if (files.length === 0) return;
    attachments.add(files);
    field.current?.focus();
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData;
    const pasted = files.length === 0 ? pastedFile(event.clipboardData.getData('text/plain')) : undefined;
    if (pasted) {
      event.preventDefault();
      addFiles([pasted]);
      return;
    }
    // Spreadsheet cells and paragraphs are copied both as text and as an image of it; the text is used.
    if (files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    addFiles([...files]);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    send('queue');
  }

  function send(whenBusy: 'queue' | 'steer'): void {
    sending.send(whenBusy);
    field.current?.focus();
  }

  function pickCommand(command: SlashCommand): void {
    field.current?.focus();
    if (command.places !== undefined) fill(command);
    if (command.usage === undefined && command.places === undefined) sending.run({ name: command.name, args: '' });
    else setText(`/${command.name} `);
  }

  function pickMention(mention: OfferedMention): void {
    const next = mentions.taken(mention);
    setText(next.text);
    setCaret(next.caret);
    setNextCaret(next.caret);
    field.current?.focus();
  }

  function completeCommand(command: SlashCommand): void {
    setText(`/${command.name} `);
  }

  function beginCommand(): void {
    if (text === '') setText('/');
    field.current?.focus();
  }

  return (
    <form className="composer" aria-label={t('Composer')} onSubmit={onSubmit}>
      <div className="composer-box" data-dropping={isDropping || undefined}>
        {commands.shown.length > 0 && <CommandList commands={commands.shown} active={commands.active} onPick={pickCommand} />}
        {mentions.shown.length > 0 && (
          <Suspense>
            <MentionList choice={mentions} onPick={pickMention} />
          </Suspense>
        )}
        {filling && (
          <Suspense>
            <PlaceForm
              command={filling}
              isBusy={sending.isBusy}
              onRun={(args) => {
                sending.run({ name: filling.name, args });
                field.current?.focus();
              }}
              onClose={() => {
                fill(undefined);
                field.current?.focus();
              }}
            />
          </Suspense>
        )}
        <AttachmentList attachments={attachments} onRemoved={() => field.current?.focus()} />
        <FieldTools end={<SendButtons chat={chat} isRunning={isRunning} canSend={canSend} onSend={send} />}>
          <MessageField
            field={field}
            chat={chat}
            text={text}
            isRunning={isRunning}
            commands={commands}
            mentions={mentions}
            onMention={pickMention}
            onCaret={setCaret}
            onText={(next) => {
              setNextCaret(undefined);
              setText(next);
            }}
            onPaste={onPaste}
            onSend={send}
            onPick={pickCommand}
            onComplete={completeCommand}
          />
          <div className="composer-bar">
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                addFiles([...(event.target.files ?? [])]);
                // Allows the same file to be selected again after it was removed.
                event.target.value = '';
              }}
            />
            <MoreMenu chat={chat} isRunning={isRunning} onFiles={() => picker.current?.click()} onCommands={beginCommand} />
            <Slot name="composer" chat={chat} />
            {mayManage && !isFirstRun && !isOneRow && <FolderButton chat={chat} />}
            {mayManage && !isOneRow && <ModeButton chat={chat} />}
            <span className="composer-gap" />
            {mayManage && !isOneRow && <ModelButton chat={chat} />}
            {isRunning && canSend && <span className="composer-hint muted small">{t('Enter queues, Ctrl+Enter steers')}</span>}
          </div>
        </FieldTools>
        {isDropping && <div className="composer-drop">{t('Drop files to attach them')}</div>}
      </div>
    </form>
  );
}

/** Moves messages that were queued behind an aborted turn back to the field, before the current text. */
function useTakenBack(chat: OpenChat, text: string, setText: (text: string) => void): void {
  const takenBack = useStore(chat.takenBack);
  useEffect(() => {
    const texts = takenBack.length === 0 ? [] : chat.takeBack();
    if (texts.length > 0) setText([...texts, text].filter((one) => one.trim() !== '').join('\n\n'));
  }, [chat, takenBack, text, setText]);
}
