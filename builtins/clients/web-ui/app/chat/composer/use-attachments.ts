// Manages the attachments of the next message of each chat.
import type { Attachment } from 'agent-harness/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { chooseFiles, mimeTypeOf } from './attachment-limits.ts';
import { t } from '../../kit/t.ts';

export interface PickedAttachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Set for images; revoked when the attachment is removed. */
  readonly previewUrl?: string;
  /** Reading starts immediately, to report an unreadable file while the user is still writing. */
  readonly dataUrl: Promise<string>;
}

export interface Attachments {
  readonly items: readonly PickedAttachment[];
  readonly problems: readonly string[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  clear(): void;
  dismiss(): void;
}

type ByChat = Readonly<Record<string, readonly PickedAttachment[]>>;
const none: readonly PickedAttachment[] = [];
const silence: readonly string[] = [];

export function useAttachments(chatId: string): Attachments {
  const [byChat, setByChat] = useState<ByChat>({});
  const [problems, setProblems] = useState<readonly string[]>(silence);
  const items = byChat[chatId] ?? none;
  useRevoking(byChat);

  const drop = useCallback((isDropped: (item: PickedAttachment) => boolean) => {
    setByChat((now) => Object.fromEntries(Object.entries(now).map(([id, all]) => [id, all.filter((item) => !isDropped(item))])));
  }, []);

  return useMemo(
    () => ({
      items,
      problems,
      add(files) {
        const choice = chooseFiles(items, files);
        const added = choice.taken.map(pick);
        setProblems(choice.problems);
        setByChat((now) => ({ ...now, [chatId]: [...(now[chatId] ?? none), ...added] }));
        for (const item of added) {
          item.dataUrl.catch(() => {
            drop((one) => one.id === item.id);
            setProblems((now) => [...now, t('“{name}” cannot be read. Folders cannot be attached.', { name: item.name })]);
          });
        }
      },
      remove(id) {
        setProblems(silence);
        drop((item) => item.id === id);
      },
      clear() {
        setProblems(silence);
        setByChat((now) => ({ ...now, [chatId]: none }));
      },
      dismiss: () => setProblems(silence),
    }),
    [items, problems, chatId, drop],
  );
}

/** Converts attachments to the input of the outbox. Rejects if a file is unreadable. */
export function readAttachments(items: readonly PickedAttachment[]): Promise<Attachment[]> {
  return Promise.all(items.map(async ({ name, dataUrl }) => ({ name, dataUrl: await dataUrl })));
}

function pick(file: File): PickedAttachment {
  const mimeType = mimeTypeOf(file);
  const isPicture = mimeType.startsWith('image/');
  return {
    id: crypto.randomUUID?.() ?? String(Math.random()),
    name: file.name === '' ? 'file' : file.name,
    size: file.size,
    ...(isPicture ? { previewUrl: URL.createObjectURL(file) } : {}),
    dataUrl: readDataUrl(file, mimeType),
  };
}

function readDataUrl(file: File, mimeType: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error(t('The file cannot be read.')));
    reader.onload = () => {
      const base64 = typeof reader.result === 'string' ? reader.result.split(',', 2)[1] : undefined;
      resolve(`data:${mimeType};base64,${base64 ?? ''}`);
    };
    reader.readAsDataURL(file);
  });
}

/** Revokes the preview URLs of removed attachments, and all of them when the component unmounts. */
function useRevoking(byChat: ByChat): void {
  const shown = useRef(new Set<string>());
  useEffect(() => {
    const needed = new Set(Object.values(byChat).flatMap((all) => all.flatMap((item) => item.previewUrl ?? [])));
    for (const url of shown.current) if (!needed.has(url)) URL.revokeObjectURL(url);
    shown.current = needed;
  }, [byChat]);
  useEffect(() => () => shown.current.forEach((url) => URL.revokeObjectURL(url)), []);
}
