// Renders the open dialog; each dialog is loaded when it is first opened.
import { Suspense, use } from 'react';
import { lazyPart } from '../kit/lazy-part.ts';
import { Region } from '../kit/region.tsx';
import { DialogContext } from '../kit/shell-context.ts';
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
  if (name === undefined) return null;
  const Dialog = dialogs[name];
  return (
    <Region name={t('The dialog')} onRetry={close}>
      <Suspense>
        <Dialog onClose={close} />
      </Suspense>
    </Region>
  );
}
