// Renders the open dialog; each dialog is loaded when it is first opened.
import { Suspense, use, useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { lazyPart } from '../kit/lazy-part.ts';
import { Region } from '../kit/region.tsx';
import { DialogContext, type DialogName } from '../kit/shell-context.ts';
import { t } from '../kit/t.ts';

const dialogs = {
  palette: lazyPart(async () => (await import('./palette/palette.tsx')).Palette),
  shortcuts: lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog),
  model: lazyPart(async () => (await import('./model-dialog.tsx')).ModelDialog),
  connect: lazyPart(async () => (await import('../kit/connect/connect-dialog.tsx')).ConnectDialog),
  'new-chat': lazyPart(async () => (await import('./new-chat-dialog.tsx')).NewChatDialog),
};

/** Renders the dialogs within the open chat, because the palette contains its commands. */
export function Dialogs() {
  const { name, close } = use(DialogContext);
  return name === undefined ? null : <OpenDialog key={name} name={name} onClose={close} />;
}

interface OpenDialogProps {
  readonly name: DialogName;
  readonly onClose: () => void;
}

function OpenDialog({ name, onClose }: OpenDialogProps) {
  const [typed, type] = useState('');
  const Dialog = dialogs[name];
  return (
    <Region name={t('The dialog')} onRetry={onClose}>
      <Suspense fallback={<Loading onType={type} onClose={onClose} />}>
        <Dialog typed={typed} onClose={onClose} />
      </Suspense>
    </Region>
  );
}

interface LoadingProps {
  readonly onType: Dispatch<SetStateAction<string>>;
  readonly onClose: () => void;
}

/** Takes the keys that are pressed while the dialog is loading, because they are not meant for the field that still has the focus. */
function Loading({ onType, onClose }: LoadingProps) {
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key.length === 1) onType((before) => before + event.key);
      if (event.key === 'Backspace') onType((before) => before.slice(0, -1));
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', take, { capture: true });
    return () => removeEventListener('keydown', take, { capture: true });
  }, [onType, onClose]);
  return (
    <div className="modal-veil modal-wait" role="status" onClick={onClose}>
      {t('Loading…')}
    </div>
  );
}
