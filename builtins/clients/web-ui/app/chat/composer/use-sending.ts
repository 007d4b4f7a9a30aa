// Sends a message with its attachments through the outbox, or a slash command to the server.
import type { OpenChat, SendOptions } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { useRef, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { attachmentLimits, describeSize, textBytes } from './attachment-limits.ts';
import { parseCommand, type WrittenCommand } from './slash-commands.ts';
import { readAttachments, type Attachments } from './use-attachments.ts';
import { t } from '../../kit/t.ts';

export type WhenBusy = NonNullable<SendOptions['whenBusy']>;

interface Written {
  readonly chat: OpenChat;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly attachments: Attachments;
}

export interface Sending {
  /** Whether a command is running or files are being read. */
  readonly isBusy: boolean;
  send(whenBusy: WhenBusy): void;
  run(command: WrittenCommand): void;
}

export function useSending({ chat, text, setText, attachments }: Written): Sending {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  // The button may be pressed again before the next rendering.
  const isUnderWay = useRef(false);

  async function alone(work: () => Promise<void>): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    try {
      await work();
    } catch (fault) {
      chat.note(messageOf(fault));
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }

  function sendMessage(whenBusy: WhenBusy): void {
    const { items } = attachments;
    if (text.trim() === '' && items.length === 0) return;
    if (textBytes(text) > attachmentLimits.text) {
      chat.note(
        t('The text has {bytes}; the limit is {limit}. Attach it as a file instead.', {
          bytes: describeSize(textBytes(text)),
          limit: describeSize(attachmentLimits.text),
        }),
      );
      return;
    }
    if (items.length === 0) {
      chat.send(text, { whenBusy });
      setText('');
      return;
    }
    void alone(async () => {
      const read = await readAttachments(items).catch(() => undefined);
      // The reason is shown above the field.
      if (read === undefined) return;
      chat.send(text, { whenBusy, attachments: read });
      setText('');
      attachments.clear();
    });
  }

  function run({ name, args }: WrittenCommand): void {
    void alone(async () => {
      const reply = await client.call('POST /api/commands', { body: { name, args, chatId: chat.chatId } });
      setText('');
      if (reply.text !== '') chat.note(reply.text, reply.view);
    });
  }

  return {
    isBusy,
    run,
    send(whenBusy) {
      const command = parseCommand(text);
      if (command) run(command);
      else sendMessage(whenBusy);
    },
  };
}
