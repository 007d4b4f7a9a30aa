// Manages the attachments of the next message of each chat.
import type { Attachment, Client } from 'agent-harness/client';
import { useCallback, useMemo, useState } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { perObject } from '../../kit/per-object.ts';
import { createValue, type ValueStore } from '../../kit/value-store.ts';
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

/** Outlives the composer, which is unmounted while another page is open. */
const attached = perObject<Client, ValueStore<ByChat>>('attachments', () => createValue({}));

export function useAttachments(chatId: string): Attachments {
  const store = attached(useClient());
  const byChat = useStore(store);
  const [problems, setProblems] = useState<readonly string[]>(silence);
  const items = byChat[chatId] ?? none;

  const drop = useCallback(
    (isDropped: (item: PickedAttachment) => boolean) => {
      const before = Object.entries(store.get());
      store.set(Object.fromEntries(before.map(([id, all]) => [id, all.filter((item) => !isDropped(item))])));
      for (const item of before.flatMap(([, all]) => all)) if (item.previewUrl !== undefined && isDropped(item)) URL.revokeObjectURL(item.previewUrl);
    },
    [store],
  );

  return useMemo(
    () => ({
      items,
      problems,
      add(files) {
        const now = store.get();
        const before = now[chatId] ?? none;
        const choice = chooseFiles(before, files);
        const added = choice.taken.map(pick);
        setProblems(choice.problems);
        store.set({ ...now, [chatId]: [...before, ...added] });
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
        drop((item) => items.includes(item));
      },
      dismiss: () => setProblems(silence),
    }),
    [store, items, problems, chatId, drop],
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
