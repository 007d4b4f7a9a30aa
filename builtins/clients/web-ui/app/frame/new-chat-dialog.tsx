// Renders the dialog for a new chat in a selected folder: a scratch folder, a folder on the machine, or that of another chat.
import { useId, useMemo, useState } from 'react';
import { useClient, useStore } from '../kit/hooks.ts';
import { Modal } from '../kit/modal.tsx';
import { FormEnd } from '../kit/page/form-end.tsx';
import { useSentForm } from '../kit/page/use-sent-form.ts';
import { FolderPicker } from './folder-picker.tsx';
import { useChatActions, type NewChat } from '../chats/use-chat-actions.ts';
import { t, table } from '../kit/t.ts';
import './new-chat-dialog.css';

type Mode = 'folder' | 'scratch' | 'reuse';

const modes: readonly { readonly mode: Mode; readonly label: string; readonly what: string }[] = table([
  { mode: 'folder', label: 'A folder of this machine', what: 'The agent works on the files in it.' },
  { mode: 'scratch', label: 'A new, empty folder', what: 'For experiments and questions; contains none of your files.' },
  { mode: 'reuse', label: 'The folder of another chat', what: 'Both chats see the same files.' },
]);

export function NewChatDialog({ onClose }: { readonly onClose: () => void }) {
  const { chats } = useStore(useClient().chats);
  const roots = useMemo(() => [...new Set(chats.flatMap(({ workspaceRoot }) => workspaceRoot ?? []))], [chats]);
  const [mode, setMode] = useState<Mode>('folder');
  const [folder, setFolder] = useState('');
  const [reused, setReused] = useState(roots[0] ?? '');
  const actions = useChatActions();
  const name = useId();
  const root = mode === 'folder' ? folder.trim() : reused;
  const wish: NewChat = mode === 'scratch' ? { workspaceMode: mode } : { workspaceMode: mode, workspaceRoot: root };
  const { problem, isBusy, submit } = useSentForm(() => actions.create(wish), onClose);

  return (
    <Modal title={t('New chat')} onClose={onClose}>
      <form className="new-chat-dialog" onSubmit={submit}>
        <fieldset>
          <legend className="visually-hidden">{t('Location')}</legend>
          {modes.map((one) => (
            <label key={one.mode} className="new-chat-dialog-mode">
              <input
                type="radio"
                name={name}
                checked={mode === one.mode}
                disabled={one.mode === 'reuse' && roots.length === 0}
                onChange={() => setMode(one.mode)}
              />
              <span>
                {one.label}
                <span className="muted small">{one.what}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {mode === 'folder' && <FolderPicker value={folder} chats={chats} onChange={setFolder} />}
        {mode === 'reuse' && (
          <label>
            {t('Workspace')}
            <select className="field" value={reused} onChange={(event) => setReused(event.target.value)}>
              {roots.map((root) => (
                <option key={root}>{root}</option>
              ))}
            </select>
          </label>
        )}
        <FormEnd problem={problem} isBusy={isBusy} label={t('Create')} busyLabel={t('Creating…')} onClose={onClose} />
      </form>
    </Modal>
  );
}
