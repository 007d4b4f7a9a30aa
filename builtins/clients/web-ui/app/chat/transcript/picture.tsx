// Renders an image from a message or a tool: loads it with the token, shows a thumbnail, and opens the full size in a new tab.
import type { ShownFile } from 'agent-harness/client';
import { use, useEffect, useState } from 'react';
import { ChatContext, useClient } from '../../kit/hooks.ts';
import './picture.css';

export function isShown({ attachmentId, mimeType }: ShownFile): boolean {
  return attachmentId !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
}

export function Picture({ file }: { readonly file: ShownFile }) {
  const address = usePicture(file.attachmentId ?? '');
  if (address === undefined) return <span className="picture-wait muted small">{file.name}</span>;
  return (
    <a className="picture" href={address} target="_blank" rel="noopener noreferrer">
      <img src={address} alt={file.name} />
    </a>
  );
}

/** Returns a blob URL of this page, which is revoked when it is no longer used. */
function usePicture(attachmentId: string): string | undefined {
  const client = useClient();
  const chatId = use(ChatContext)?.chatId;
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isOver = false;
    client.bytes(`/api/attachments/${attachmentId}?${new URLSearchParams(chatId === undefined ? {} : { chatId }).toString()}`).then(
      (bytes) => {
        if (isOver) return;
        made = URL.createObjectURL(bytes);
        setAddress(made);
      },
      () => undefined, // the file name is shown instead
    );
    return () => {
      isOver = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [client, attachmentId, chatId]);
  return address;
}
