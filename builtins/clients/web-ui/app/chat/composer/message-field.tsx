// Renders the text field and handles its keys and events.
import type { OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { commandId, commandListId } from './command-list.tsx';
import type { MentionChoice, OfferedMention } from './use-mentions.ts';
import type { SlashCommand } from './slash-commands.ts';
import { hasTouchKeyboard } from '../../kit/touch-keyboard.ts';
import type { CommandChoice } from './use-slash-commands.ts';
import { t } from '../../kit/t.ts';
import { isComposing } from '../../kit/composing.ts';

interface MessageFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly chat: OpenChat;
  readonly text: string;
  readonly isRunning: boolean;
  readonly commands: CommandChoice;
  readonly mentions: MentionChoice;
  readonly onMention: (mention: OfferedMention) => void;
  /** Called with the position of the caret; `undefined` while text is selected. */
  readonly onCaret: (caret: number | undefined) => void;
  readonly onText: (text: string) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onSend: (whenBusy: 'queue' | 'steer') => void;
  readonly onPick: (command: SlashCommand) => void;
  readonly onComplete: (command: SlashCommand) => void;
}

export function MessageField(props: MessageFieldProps) {
  const { field, chat, text, isRunning, commands, mentions, onText, onPaste, onSend } = props;
  const active = commands.shown[commands.active];
  const named = mentions.shown[mentions.active];

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Key code 229: Safari reports the Enter key that ends a composition after the composition has ended.
    if (isComposing(event.nativeEvent)) return;
    if (
      active &&
      takeListKey(
        event,
        commands,
        () => props.onPick(active),
        () => props.onComplete(active),
      )
    )
      return event.preventDefault();
    const pick = (): void => named && props.onMention(named);
    if (named && takeListKey(event, mentions, pick, pick)) return event.preventDefault();
    if (event.key === 'Enter' && takeEnter(event)) return event.preventDefault();
    if (event.key === 'Escape' && isRunning) {
      event.preventDefault();
      chat.abort().catch((fault: unknown) => chat.note(messageOf(fault)));
    }
    if (event.key === 'ArrowUp' && text === '' && bringBack()) event.preventDefault();
  }

  function takeListKey(event: KeyboardEvent, list: Pick<CommandChoice, 'move' | 'close'>, pick: () => void, complete: () => void): boolean {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => list.move(1),
      ArrowUp: () => list.move(-1),
      Enter: pick,
      Tab: complete,
      Escape: list.close,
    };
    const act = keys[event.key];
    act?.();
    return act !== undefined;
  }

  function takeEnter(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey) {
      onSend('steer');
      return true;
    }
    if (event.shiftKey || event.altKey || hasTouchKeyboard()) return false;
    if (!event.repeat) onSend('queue');
    return true;
  }

  function bringBack(): boolean {
    const last = chat.state.get().entries.findLast((entry) => entry.kind === 'user' && !entry.origin);
    if (last?.kind !== 'user' || last.text === '') return false;
    onText(last.text);
    return true;
  }

  return (
    <textarea
      ref={field}
      className="composer-field"
      name="message"
      aria-label={t('Message')}
      rows={1}
      placeholder={isRunning ? t('Write the next message') : t('Write a message')}
      enterKeyHint={hasTouchKeyboard() ? 'enter' : 'send'}
      autoComplete="off"
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => props.onCaret(selectionStart === selectionEnd ? selectionStart : undefined)}
      // A multi-line field must not have the role `combobox`; these attributes are equivalent.
      aria-autocomplete="list"
      aria-haspopup="listbox"
      {...(active ? { 'aria-controls': commandListId, 'aria-activedescendant': commandId(active.name) } : {})}
      // The ids in `mention-list`, which is loaded on demand.
      {...(!active && named ? { 'aria-controls': 'composer-mentions', 'aria-activedescendant': `composer-mention-${mentions.active}` } : {})}
    />
  );
}
