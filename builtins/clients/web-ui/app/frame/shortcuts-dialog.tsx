// Renders the dialog that lists the keyboard shortcuts.
import { Modal } from '../kit/modal.tsx';
import type { ListedKeys } from '../points/contribution.ts';
import { useListedKeys } from '../points/use-contributions.ts';
import { keysOf, modifierName, shortcuts } from './shortcuts.ts';
import { isMac } from './use-shortcuts.ts';
import { t, table } from '../kit/t.ts';
import './shortcuts-dialog.css';

const modifier = isMac ? '⌘' : modifierName;
const ofFields: readonly ListedKeys[] = table([
  { keys: ['Enter'], what: 'Send; while the agent works: queue' },
  { keys: [modifier, 'Enter'], what: 'Steer the running turn' },
  { keys: ['Shift', 'Enter'], what: 'New line' },
  { keys: ['Esc'], what: 'In the message field: stop the running turn' },
  { keys: ['↑'], what: 'In an empty field: recall your last message' },
  { keys: ['/'], what: 'At the beginning: list the commands' },
  { keys: ['Alt', 'A'], what: 'Approve the first pending call once' },
  { keys: ['Alt', 'E'], what: 'Edit the first pending call' },
  { keys: ['Alt', 'R'], what: 'Deny the first pending call' },
]);

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const more = useListedKeys();
  return (
    <Modal title={t('Keyboard shortcuts')} onClose={onClose}>
      <dl className="shortcuts-dialog">
        {[...shortcuts.map((one) => ({ keys: keysOf(one, isMac), what: one.what })), ...ofFields, ...more].map(({ keys, what }) => (
          <div key={what}>
            <dt>{t(what)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{t(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
