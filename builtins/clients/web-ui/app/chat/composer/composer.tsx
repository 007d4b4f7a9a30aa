// The text field under the conversation, with everything that can be sent from it.
import type { ChatState, OpenChat } from 'agent-harness/client';
import { Paperclip } from 'lucide-react';
import { useRef, type ClipboardEvent, type FormEvent } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { FieldTools } from '../../points/field-tools.tsx';
import { Slot } from '../../points/slot.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { CommandList } from './command-list.tsx';
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
import { useSelected } from '../../kit/use-selected.ts';
import { useSending } from './use-sending.ts';
import { useSlashCommands } from './use-slash-commands.ts';
import { useTakenBack } from './use-taken-back.ts';
import './composer.css';

export function Composer({ chat }: { readonly chat: OpenChat }) {
  // Outside of the key: files wait in their chat while another is looked at.
  const attachments = useAttachments(chat.chatId);
  return <ComposerForm key={chat.chatId} chat={chat} attachments={attachments} />;
}

const isTurnRunning = (state: ChatState): boolean => state.running !== undefined;

function ComposerForm({ chat, attachments }: { readonly chat: OpenChat; readonly attachments: Attachments }) {
  const client = useClient();
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useDraft(chat.chatId);
  useTakenBack(chat, text, setText);
  const field = useAutoGrow(text);
  const isRunning = useSelected(chat.state, isTurnRunning);
  const sending = useSending({ chat, text, setText, attachments });
  const commands = useSlashCommands(client, text);
  const isDropping = useFileDrop(addFiles);
  const canSend = (text.trim() !== '' || attachments.items.length > 0) && !sending.isBusy;

  function addFiles(files: readonly File[]): void {
    if (files.length === 0) return;
    attachments.add(files);
    field.current?.focus();
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData;
    // Copied cells and paragraphs come as text and as a picture of it: the text is meant.
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
    if (command.usage === undefined) sending.run({ name: command.name, args: '' });
    else setText(`/${command.name} `);
  }

  function completeCommand(command: SlashCommand): void {
    setText(`/${command.name} `);
  }

  function beginCommand(): void {
    if (text === '') setText('/');
    field.current?.focus();
  }

  return (
    <form className="composer" aria-label="Composer" onSubmit={onSubmit}>
      <div className="composer-box" data-dropping={isDropping || undefined}>
        {commands.shown.length > 0 && <CommandList commands={commands.shown} active={commands.active} onPick={pickCommand} />}
        <AttachmentList attachments={attachments} onRemoved={() => field.current?.focus()} />
        <FieldTools>
          <MessageField
            field={field}
            chat={chat}
            text={text}
            isRunning={isRunning}
            commands={commands}
            onText={setText}
            onPaste={onPaste}
            onSend={send}
            onPick={pickCommand}
            onComplete={completeCommand}
          />
        </FieldTools>
        <div className="composer-bar">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              addFiles([...(event.target.files ?? [])]);
              // The same file can be picked again after it was removed.
              event.target.value = '';
            }}
          />
          <button
            type="button"
            className="button bare icon composer-tool"
            aria-label="Attach files"
            title="Attach files"
            onClick={() => picker.current?.click()}
          >
            <Paperclip size={18} aria-hidden />
          </button>
          <MoreMenu chat={chat} isRunning={isRunning} onCommands={beginCommand} />
          <Slot name="composer" chat={chat} />
          <ModeButton chat={chat} />
          <ModelButton chat={chat} />
          <span className="composer-gap" />
          {isRunning && canSend && <span className="composer-hint muted small">Enter queues, Ctrl+Enter steers</span>}
          <SendButtons chat={chat} isRunning={isRunning} canSend={canSend} onSend={send} />
        </div>
        {isDropping && <div className="composer-drop">Drop files to attach them</div>}
      </div>
    </form>
  );
}
